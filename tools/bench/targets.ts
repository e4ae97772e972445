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
	reason?: string;
}

/** Compares the measurements with the targets of the measured scenarios. */
export function judge({ scenarios, load }: Pick<Figures, 'scenarios' | 'load'>): Verdict[] {
	const checksOf = { paged: pagedChecks, reads: readsChecks, limit: limitChecks };
	const checks = [
		...scenarios.flatMap((scenario) => checksOf[scenario.name](scenario)),
		...(load ? [loadCheck(load)] : []),
	];
	return checks.map(({ target, value, limit, format, reason }) =>
		value === undefined || limit === undefined
			? { target, measured: 'not measured: a contender failed', met: false, reason }
			: { target, measured: format(value), met: value <= limit, reason },
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

/** Why the targets limit processor time. */
const SHARED =
	'All executions of an n8n process share one processor. Elapsed time is in the tables; on a shared machine it depends on other processes more than on the node.';

type Figure = (of: ContenderFigures) => number | undefined;
const processorTime: Figure = ({ processorMs }) => processorMs?.median;

/** Limits a figure of this node to `times` the same figure of another contender. */
function ratioCheck(
	scenario: ScenarioFigures,
	rival: string,
	times: number,
	target: string,
	reason?: string,
	[figure, format]: [Figure, (value: number) => string] = [processorTime, inSeconds],
): Check {
	const [node, other] = ['node', rival].map((name) => withoutFailures(scenario, name));
	const reference = other && figure(other);
	return {
		target,
		value: node && figure(node),
		limit: reference && reference * times,
		format: (value) => compare(value, reference ?? NaN, format),
		reason,
	};
}

const compare = (value: number, reference: number, format: (value: number) => string) =>
	`${format(value)} against ${format(reference)}, ${asRatio(value / reference)}`;

const pagedChecks = (scenario: ScenarioFigures): Check[] => [
	ratioCheck(
		scenario,
		'httpRequest',
		0.8,
		"Paged read: at most 0.8× the HTTP Request node's processor time",
		`n8n's HTTP helper alone takes about 0.7 times as long, and no node can do without it. ${SHARED}`,
	),
	ratioCheck(
		scenario,
		'httpRequest',
		0.95,
		"Paged read: at most 0.95× the HTTP Request node's memory, beyond what is loaded",
		'The results themselves, which n8n holds until the execution ends, take half of what the HTTP Request node takes altogether.',
		[({ memory }) => memory?.growth.median, inMebibytes],
	),
	ratioCheck(
		scenario,
		'httpRequest',
		0.95,
		"Paged read: at most 0.95× the HTTP Request node's peak memory, n8n included",
		'n8n alone, without any result, takes more than half of that.',
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
	ratioCheck(
		scenario,
		'httpRequest',
		1,
		"Single reads: at most 1.0× the HTTP Request node's processor time",
		SHARED,
	),
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
			reason:
				'Up to five requests are in flight when an unknown limit is met for the first time, and one more looks for room. All of them are retried.',
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
		reason: 'Milliseconds alone would say more about the machine than about the package.',
	};
}

/** Returns a contender unless a round failed: then its figures are not comparable. */
function withoutFailures(scenario: ScenarioFigures | undefined, name: string): ContenderFigures | undefined {
	const contender = contenderOf(scenario, name);
	return contender?.failures.length === 0 ? contender : undefined;
}
