import Table from 'cli-table3';
import {
	asRatio,
	contenderOf,
	inMebibytes,
	inMilliseconds,
	inSeconds,
	type Figures,
	type LoadFigures,
	type ScenarioFigures,
	type Spread,
} from './figures';

/** Header and rows. */
export type Rows = [string[], ...string[][]];

const NONE = '–';

export function scenarioRows(scenario: ScenarioFigures): Rows {
	const node = contenderOf(scenario, 'node')?.milliseconds?.median;
	const floor = scenario.optimumMs ?? contenderOf(scenario, scenario.floor)?.milliseconds?.median;
	const header = [
		...['Contender', 'Time', 'Processor time', 'To this node'],
		scenario.optimumMs ? 'To the optimum' : 'To the floor',
		...['Requests', 'Rejected', 'Failed items', 'Memory, loaded → peak', 'Growth', 'Output'],
	];
	const rows = scenario.contenders.map((contender) => {
		const { label, failures, milliseconds, processorMs, requests, rejected, failedItems, memory } = contender;
		// A contender that left out items was not faster.
		const comparable = failedItems?.max === 0 ? milliseconds?.median : undefined;
		const ratio = (other?: number) => (comparable && other ? asRatio(comparable / other) : NONE);
		const failed = failures.length > 0 ? [`FAILED in ${failures.length} rounds: ${failures[0]}`] : [];
		return [
			label,
			[range(milliseconds, inSeconds), ...failed].join(' ').trim(),
			range(processorMs, inSeconds),
			ratio(node),
			ratio(floor),
			range(requests, String),
			range(rejected, String),
			range(failedItems, String),
			memory ? `${inMebibytes(memory.baseline.median)} → ${inMebibytes(memory.peak.median)}` : NONE,
			range(memory?.growth, inMebibytes) || NONE,
			memory ? inMebibytes(memory.kept.median) : NONE,
		];
	});
	return [header, ...rows];
}

/** Returns the median, with minimum and maximum in brackets. */
function range(spread: Spread | undefined, format: (value: number) => string): string {
	if (!spread) return '';
	const [median, min, max] = [spread.median, spread.min, spread.max].map(format);
	return min === max ? median : `${median} (${min.replace(/ .*$/, '')}–${max.replace(/ .*$/, '')})`;
}

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
