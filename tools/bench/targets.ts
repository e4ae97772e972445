import {
	asRatio,
	contenderOf,
	FIGURES,
	inMicroseconds,
	inMilliseconds,
	inSeconds,
	type ContenderFigures,
	type FigureName,
	type Figures,
	type ReaderFigures,
	type ScenarioFigures,
	type Verdict,
} from './figures';

/** Upper limit for a figure. */
interface Check {
	target: string;
	/** Undefined if a contender failed. */
	value: number | undefined;
	limit: number | undefined;
	format: (value: number) => string;
}

/** Compares the measurements with the targets of the measured scenarios. */
export function judge({
	scenarios,
	readers,
	load,
}: Pick<Figures, 'scenarios' | 'readers' | 'load'>): Verdict[] {
	const checksOf = {
		paged: pagedChecks,
		delay: () => [],
		n8n: n8nChecks,
		reads: readsChecks,
		limit: limitChecks,
	};
	const checks = [
		...readers.flatMap(readerChecks),
		...scenarios.flatMap((scenario) => checksOf[scenario.name](scenario)),
		...(load ? [loadCheck(load)] : []),
	];
	return checks.map(({ target, value, limit, format }) =>
		value === undefined || limit === undefined
			? { target, measured: 'not measured: a contender failed', met: false }
			: { target, measured: format(value), met: value <= limit },
	);
}

/** Limits a figure of this node to `times` the same figure of another contender. */
function ratioCheck(scenario: ScenarioFigures, rival: string, figure: FigureName, times: number): Check {
	const { heading, format } = FIGURES[figure];
	const [value, reference] = ['node', rival].map((name) => withoutFailures(scenario, name)?.[figure]?.median);
	const rivalLabel = contenderOf(scenario, rival)?.label;
	return {
		target: `${scenario.title}: ${heading.toLowerCase()} at most ${times}× ${rivalLabel}`,
		value,
		limit: reference && reference * times,
		format: (measured) => compare(measured, reference ?? NaN, format),
	};
}

const compare = (value: number, reference: number, format: (value: number) => string) =>
	`${format(value)} against ${format(reference)}, ${asRatio(value / reference)}`;

/** By results per page. A small page is mostly the overhead of a call. */
const READER_LIMITS = new Map([
	[100, 1.6],
	[1000, 0.8],
]);

function readerChecks({ pageSize, reader, jsonParse }: ReaderFigures): Check[] {
	const times = READER_LIMITS.get(pageSize);
	if (times === undefined) return [];
	return [
		{
			target: `Reader, page of ${pageSize}: processor time at most ${times}× JSON.parse`,
			value: reader.median,
			limit: jsonParse.median * times,
			format: (value) => compare(value, jsonParse.median, inMicroseconds),
		},
	];
}

/** Processor time, because elapsed time depends on other processes of a shared machine. */
const pagedChecks = (scenario: ScenarioFigures): Check[] => [
	ratioCheck(scenario, 'helper', 'processorMs', scenario.pageSize === 1000 ? 1.3 : 1.4),
];

const n8nChecks = (scenario: ScenarioFigures): Check[] => [
	ratioCheck(scenario, 'httpRequest', 'milliseconds', 0.4),
	ratioCheck(scenario, 'httpRequest', 'readingBytes', 0.5),
	ratioCheck(scenario, 'httpRequest', 'savedBytes', 0.8),
];

const readsChecks = (scenario: ScenarioFigures): Check[] => [
	ratioCheck(scenario, 'httpRequest', 'milliseconds', 0.65),
];

function limitChecks(scenario: ScenarioFigures): Check[] {
	const { failedItems, rejectedPerMinute, milliseconds } = withoutFailures(scenario, 'node') ?? {};
	const { optimumMs = NaN } = scenario;
	return [
		{
			target: 'Rolling limit: no item fails',
			value: failedItems?.max,
			limit: 0,
			format: (value) => `${value} failed items in the worst round`,
		},
		{
			target: 'Rolling limit: at most six rejected requests in any minute',
			value: rejectedPerMinute?.max,
			limit: 6,
			format: (value) => `${value} in the worst minute`,
		},
		{
			target: 'Rolling limit: at least 95 % of the quota used',
			// Only if no items were left out.
			value: failedItems?.max === 0 ? milliseconds?.median : failedItems && Infinity,
			limit: optimumMs / 0.95,
			format: (value) =>
				Number.isFinite(value)
					? `${inSeconds(value)}, ${inSeconds(optimumMs)} at best: ${((optimumMs / value) * 100).toFixed(1)} %`
					: 'not all items were read',
		},
	];
}

function loadCheck({ packages }: NonNullable<Figures['load']>): Check {
	const [own, rival] = packages.map(({ milliseconds }) => milliseconds.median);
	return {
		target: 'Loading: time at most 0.15× HTTP Request',
		value: own,
		limit: rival * 0.15,
		format: (value) => compare(value, rival, inMilliseconds),
	};
}

/** Returns a contender's figures unless a round failed: then they are not comparable. */
function withoutFailures(scenario: ScenarioFigures, name: string): ContenderFigures['figures'] | undefined {
	const contender = contenderOf(scenario, name);
	return contender?.failures.length === 0 ? contender.figures : undefined;
}
