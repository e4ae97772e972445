import Table from 'cli-table3';
import {
	contenderOf,
	type ContenderFigures,
	type Figures,
	type LoadFigures,
	type ScenarioFigures,
} from './figures';
import { asRatio, inMebibytes, inMilliseconds, inSeconds } from './units';
import type { Spread } from './spread';

/** Head and rows, for the screen and for the documentation alike. */
export type Rows = [string[], ...string[][]];

/** What each contender did in a scenario. */
export function scenarioRows(scenario: ScenarioFigures): Rows {
	const node = contenderOf(scenario, 'node')?.milliseconds?.median;
	const floor = scenario.optimumMs ?? contenderOf(scenario, scenario.floor)?.milliseconds?.median;
	return [
		[
			'Contender',
			'Time',
			'Processor time',
			'To this node',
			scenario.optimumMs ? 'To the optimum' : 'To the floor',
			'Requests',
			'Rejected',
			'Failed items',
			'Memory, loaded → peak',
			'Growth',
			'Output',
		],
		...scenario.contenders.map((contender) => contenderRow(contender, node, floor)),
	];
}

function contenderRow(contender: ContenderFigures, node?: number, floor?: number): string[] {
	const { label, milliseconds, processorMs, requests, rejected, failedItems, memory } = contender;
	// Who left items out was not faster.
	const comparable = failedItems?.max === 0 ? milliseconds : undefined;
	const to = (other?: number) => (comparable && other ? asRatio(comparable.median / other) : NONE);
	return [
		label,
		[ranged(milliseconds, inSeconds), ...failuresOf(contender)].filter(Boolean).join(' '),
		ranged(processorMs, inSeconds),
		to(node),
		to(floor),
		ranged(requests, String),
		ranged(rejected, String),
		ranged(failedItems, String),
		memory ? `${inMebibytes(memory.baseline.median)} → ${inMebibytes(memory.peak.median)}` : NONE,
		ranged(memory?.growth, inMebibytes) || NONE,
		memory ? inMebibytes(memory.kept.median) : NONE,
	];
}

const NONE = '–';

/** Never left out: whoever failed in some rounds has figures from the others only. */
function failuresOf({ failures }: ContenderFigures): string[] {
	if (failures.length === 0) return [];
	return [`FAILED in ${failures.length} round${failures.length > 1 ? 's' : ''}: ${failures[0]}`];
}

/** Median, and from where to where it went. */
function ranged(spread: Spread | undefined, inWords: (value: number) => string): string {
	if (!spread) return '';
	const { median, min, max } = spread;
	const [middle, low, high] = [median, min, max].map(inWords);
	return low === high ? middle : `${middle} (${low.replace(/ .*$/, '')}–${high.replace(/ .*$/, '')})`;
}

/** What loading takes. */
export const loadRows = ({ packages }: LoadFigures): Rows => [
	['What', 'Files', 'Time'],
	...packages.map(({ label, files, milliseconds }) => [
		label,
		String(files),
		ranged(milliseconds, inMilliseconds),
	]),
];

/** Each target with its verdict. */
export const targetRows = ({ targets }: Pick<Figures, 'targets'>): Rows => [
	['Target', 'Measured', 'Verdict'],
	...targets.map(({ target, measured, met }) => [target, measured, met ? 'met' : 'NOT met']),
];

/** A table on the screen. */
export function onScreen([head, ...rows]: Rows): string {
	const table = new Table({
		head,
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(...rows);
	return table.toString();
}

/** A table in Markdown; prettier straightens it. */
export const inMarkdown = ([head, ...rows]: Rows): string =>
	[head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
		.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
		.join('\n');
