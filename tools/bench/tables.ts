import Table from 'cli-table3';
import {
	asRatio,
	FIGURE_NAMES,
	FIGURES,
	inMicroseconds,
	inMilliseconds,
	type Figures,
	type LoadFigures,
	type ReaderFigures,
	type ScenarioFigures,
	type Spread,
} from './figures';

/** Header and rows. */
export type Rows = [string[], ...string[][]];

export function scenarioRows({ contenders }: ScenarioFigures): Rows {
	const names = FIGURE_NAMES.filter((name) => contenders.some(({ figures }) => figures[name]?.max));
	const rows = contenders.map(({ label, failures, figures }) => [
		failures.length > 0 ? `${label}: FAILED in ${failures.length} rounds: ${failures[0]}` : label,
		...names.map((name) => range(figures[name], FIGURES[name].format)),
	]);
	return [['Contender', ...names.map((name) => FIGURES[name].heading)], ...rows];
}

/** Returns the median, with minimum and maximum in brackets. */
function range(spread: Spread | undefined, format: (value: number) => string): string {
	if (!spread) return '';
	const [median, min, max] = [spread.median, spread.min, spread.max].map(format);
	return min === max ? median : `${median} (${min.replace(/ .*$/, '')}–${max.replace(/ .*$/, '')})`;
}

export const readerRows = (readers: ReaderFigures[]): Rows => [
	['Results', 'Bytes', 'The reader', 'JSON.parse', 'Ratio'],
	...readers.map(({ pageSize, bytes, reader, jsonParse }) => [
		String(pageSize),
		String(bytes),
		range(reader, inMicroseconds),
		range(jsonParse, inMicroseconds),
		asRatio(reader.median / jsonParse.median),
	]),
];

export const loadRows = ({ packages }: LoadFigures): Rows => [
	['What', 'Files', 'Time'],
	...packages.map(({ label, files, milliseconds }) => [
		label,
		String(files),
		range(milliseconds, inMilliseconds),
	]),
];

export const targetRows = ({ targets }: Pick<Figures, 'targets'>): Rows => [
	['Target', 'Measured', 'Verdict'],
	...targets.map(({ target, measured, met }) => [target, measured, met ? 'met' : 'NOT met']),
];

export function onScreen([head, ...rows]: Rows): string {
	const table = new Table({
		head,
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(...rows);
	return table.toString();
}
