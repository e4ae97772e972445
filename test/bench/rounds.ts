import type { ContenderFigures } from './figures';
import type { Report } from './job';
import type { RequestFigures } from './requestFigures';
import type { Contender } from './scenarios';
import { spreadOf, type Spread } from './spread';

/** What one contender did in one round, or why it did not. */
export type Round = { name: string } & ((Report & RequestFigures) | { reason: string });

/** All rounds of a contender in one. */
export function contenderFigures({ name, label }: Contender, rounds: Round[]): ContenderFigures {
	const own = rounds.filter((round) => round.name === name);
	const failures = own.flatMap((round) => ('reason' in round ? [round.reason] : []));
	const good = own.flatMap((round) => ('reason' in round ? [] : [round]));
	if (good.length === 0) return { name, label, failures };
	const spread = (figure: (round: (typeof good)[number]) => number) => spreadOf(good.map(figure)) as Spread;
	return {
		name,
		label,
		failures,
		milliseconds: spread(({ milliseconds }) => milliseconds),
		processorMs: spread(({ processorMs }) => processorMs),
		requests: spread(({ requests }) => requests),
		rejected: spread(({ rejected }) => rejected),
		rejectedPerMinute: spread(({ rejectedPerMinute }) => rejectedPerMinute),
		failedItems: spread(({ failedItems }) => failedItems),
		memory: {
			baseline: spread(({ memory }) => memory.baseline),
			peak: spread(({ memory }) => memory.peak),
			growth: spread(({ memory }) => memory.peak - memory.baseline),
			kept: spread(({ memory }) => memory.kept),
		},
	};
}

/** What a person who waits for the end is told about a round. */
export function progressLine(round: Round): string {
	if ('reason' in round) return `FAILED: ${round.reason}`;
	const { milliseconds, requests, rejected, failedItems, memory } = round;
	const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
	return [
		`${(milliseconds / 1000).toFixed(2)} s`,
		`${requests} requests`,
		...(rejected > 0 ? [`${rejected} rejected`] : []),
		...(failedItems > 0 ? [`${failedItems} items failed`] : []),
		`${mebibytes(memory.baseline)} → ${mebibytes(memory.peak)} MiB`,
	].join(', ');
}
