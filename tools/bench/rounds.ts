/* eslint-disable no-console -- not published */
import { FIGURE_NAMES, FIGURES, type Round } from './figures';

/** Each contender is the first one in some round. */
export function rotate<T>(contenders: T[], round: number): T[] {
	const first = round % contenders.length;
	return [...contenders.slice(first), ...contenders.slice(0, first)];
}

export function logRound(title: string, label: string, round: Round): void {
	console.log(`  ${title}: ${label}: ${'reason' in round ? `FAILED: ${round.reason}` : textOf(round)}`);
}

const textOf = ({ figures }: Extract<Round, { figures: object }>): string =>
	FIGURE_NAMES.flatMap((name) => {
		const { heading, format } = FIGURES[name];
		const value = figures[name];
		return value === undefined ? [] : [`${heading.toLowerCase()} ${format(value)}`];
	}).join(', ');
