import {
	asRatio,
	contenderOf,
	inMebibytes,
	inMilliseconds,
	inSeconds,
	scenarioOf,
	type ContenderFigures,
	type Figures,
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
export function judge({ scenarios, load }: Pick<Figures, 'scenarios' | 'load'>): Verdict[] {
	const checksOf = { paged: pagedChecks, reads: readsChecks, limit: limitChecks };
	const checks = [
		...scenarios.flatMap((scenario) => checksOf[scenario.name](scenario)),
		...(load ? [loadCheck(load)] : []),
	];
	return checks.map(({ target, value, limit, format }) =>
		value === undefined || limit === undefined
			? { target, measured: 'not measured: a contender failed', met: false }
			: { target, measured: format(value), met: value <= limit },
	);
}

/** Returns the milliseconds that n8n's HTTP helper adds to undici per request. */
export function engineCost(figures: Pick<Figures, 'scenarios'>): number | undefined {
	const [helper, floor] = ['helper', 'undici'].map((name) =>
		withoutFailures(scenarioOf(figures, 'paged'), name),
	);
	if (!helper?.milliseconds || !helper.requests || !floor?.milliseconds) return undefined;
	return (helper.milliseconds.median - floor.milliseconds.median) / helper.requests.median;
}

type Figure = (of: ContenderFigures) => number | undefined;
const processorTime: Figure = ({ processorMs }) => processorMs?.median;

/**
 * Limits a figure of this node to `times` the same figure of another contender. The default is processor time, because
 * elapsed time depends on other processes of a shared machine.
 */
function ratioCheck(
	scenario: ScenarioFigures,
	rival: string,
	times: number,
	target: string,
	[figure, format]: [Figure, (value: number) => string] = [processorTime, inSeconds],
): Check {
	const [node, other] = ['node', rival].map((name) => withoutFailures(scenario, name));
	const reference = other && figure(other);
	return {
		target,
		value: node && figure(node),
		limit: reference && reference * times,
		format: (value) => compare(value, reference ?? NaN, format),
	};
}

const compare = (value: number, reference: number, format: (value: number) => string) =>
	`${format(value)} against ${format(reference)}, ${asRatio(value / reference)}`;

const pagedChecks = (scenario: ScenarioFigures): Check[] => [
	ratioCheck(scenario, 'httpRequest', 0.8, "Paged read: at most 0.8× the HTTP Request node's processor time"),
	ratioCheck(
		scenario,
		'httpRequest',
		0.95,
		"Paged read: at most 0.95× the HTTP Request node's memory, beyond what is loaded",
		[({ memory }) => memory?.growth.median, inMebibytes],
	),
	ratioCheck(
		scenario,
		'httpRequest',
		0.95,
		"Paged read: at most 0.95× the HTTP Request node's peak memory, n8n included",
		[({ memory }) => memory?.peak.median, inMebibytes],
	),
	ratioCheck(
		scenario,
		'helper',
		1.3,
		"Paged read: at most 1.3× the processor time of n8n's HTTP helper alone",
	),
];

const readsChecks = (scenario: ScenarioFigures): Check[] => [
	ratioCheck(scenario, 'httpRequest', 1, "Single reads: at most 1.0× the HTTP Request node's processor time"),
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
		target: "Loading: the package's require takes at most 0.15× of the HTTP Request node's",
		value: own,
		limit: rival * 0.15,
		format: (value) => compare(value, rival, inMilliseconds),
	};
}

/** Returns a contender unless a round failed: then its figures are not comparable. */
function withoutFailures(scenario: ScenarioFigures | undefined, name: string): ContenderFigures | undefined {
	const contender = contenderOf(scenario, name);
	return contender?.failures.length === 0 ? contender : undefined;
}
