import {
	contenderOf,
	scenarioOf,
	type ContenderFigures,
	type Figures,
	type ScenarioFigures,
	type Verdict,
} from './figures';
import { asRatio, inMebibytes, inMilliseconds, inSeconds } from './units';

/** A figure that must not be above a limit. */
interface Check {
	target: string;
	/** Undefined where nothing could be measured. */
	value: number | undefined;
	limit: number | undefined;
	inWords: (value: number) => string;
	/** Why the target is not stricter. */
	reason?: string;
}

/** Judges what was measured; what was not on the list of scenarios is not judged. */
export function judge(figures: Pick<Figures, 'scenarios' | 'load'>): Verdict[] {
	const checks = [pagedChecks, readsChecks, limitChecks].flatMap((checksOf) => checksOf(figures));
	return [...checks, ...loadChecks(figures)].map(({ target, value, limit, inWords, reason }) =>
		value === undefined || limit === undefined
			? { target, measured: 'not measured: a contender failed', met: false, reason }
			: { target, measured: inWords(value), met: value <= limit, reason },
	);
}

/** What n8n's HTTP helper adds to the floor for each request, in milliseconds. */
export function engineCost(figures: Pick<Figures, 'scenarios'>): number | undefined {
	const [helper, floor] = ['helper', 'undici'].map((name) => wholeOf(scenarioOf(figures, 'paged'), name));
	if (!helper?.milliseconds || !helper.requests || !floor?.milliseconds) return undefined;
	return (helper.milliseconds.median - floor.milliseconds.median) / helper.requests.median;
}

const processorTime = (of: ContenderFigures) => of.processorMs?.median;

/** Why processor time is judged, and not the time on the clock. */
const SHARED =
	'All executions of an n8n process share one processor. Elapsed time is in the tables; on a shared machine it depends on other processes more than on the node.';

/** Checks that a figure of this node is at most `times` the same figure of another contender. */
function ratioCheck(
	scenario: ScenarioFigures,
	times: number,
	{ target, rival, reason }: { target: string; rival: string; reason?: string },
	figure: (of: ContenderFigures) => number | undefined = processorTime,
	inUnit: (value: number) => string = inSeconds,
): Check {
	const [node, other] = ['node', rival].map((name) => wholeOf(scenario, name));
	const reference = other && figure(other);
	return {
		target,
		value: node && figure(node),
		limit: reference && reference * times,
		inWords: (value) =>
			`${inUnit(value)} against ${inUnit(reference ?? NaN)}, ${asRatio(value / (reference ?? NaN))}`,
		reason,
	};
}

function pagedChecks(figures: Pick<Figures, 'scenarios'>): Check[] {
	const scenario = scenarioOf(figures, 'paged');
	if (!scenario) return [];
	return [
		ratioCheck(scenario, 0.8, {
			target: "Paged read: at most 0.8× the HTTP Request node's processor time",
			rival: 'httpRequest',
			reason: `n8n's HTTP helper alone takes about 0.7 times as long, and no node can do without it. ${SHARED}`,
		}),
		ratioCheck(
			scenario,
			0.95,
			{
				target: "Paged read: at most 0.95× the HTTP Request node's memory, beyond what is loaded",
				rival: 'httpRequest',
				reason:
					'The results themselves, which n8n holds until the execution ends, take half of what the HTTP Request node takes altogether.',
			},
			({ memory }) => memory?.growth.median,
			inMebibytes,
		),
		ratioCheck(
			scenario,
			0.95,
			{
				target: "Paged read: at most 0.95× the HTTP Request node's peak memory, n8n included",
				rival: 'httpRequest',
				reason: 'n8n alone, without any result, takes more than half of that.',
			},
			({ memory }) => memory?.peak.median,
			inMebibytes,
		),
		ratioCheck(scenario, 1.3, {
			target: "Paged read: at most 1.3× the processor time of n8n's HTTP helper alone",
			rival: 'helper',
		}),
	];
}

function readsChecks(figures: Pick<Figures, 'scenarios'>): Check[] {
	const scenario = scenarioOf(figures, 'reads');
	if (!scenario) return [];
	return [
		ratioCheck(scenario, 1, {
			target: "Single reads: at most 1.0× the HTTP Request node's processor time",
			rival: 'httpRequest',
			reason: SHARED,
		}),
	];
}

function limitChecks(figures: Pick<Figures, 'scenarios'>): Check[] {
	const scenario = scenarioOf(figures, 'limit');
	if (!scenario) return [];
	const node = wholeOf(scenario, 'node');
	const { optimumMs } = scenario;
	return [
		{
			target: 'Rolling limit: no item fails',
			value: node?.failedItems?.max,
			limit: 0,
			inWords: (value) => `${value} failed items in the worst round`,
		},
		{
			target: 'Rolling limit: at most five rejected requests in any minute',
			value: node?.rejectedPerMinute?.max,
			limit: 5,
			reason:
				'Up to five requests are in flight when an unknown limit is met for the first time. All of them are retried.',
			inWords: (value) => `${value} in the worst minute`,
		},
		{
			target: 'Rolling limit: at least 95 % of the quota used',
			// A share of the quota says nothing about who left items out.
			value: node && (node.failedItems?.max === 0 ? node.milliseconds?.median : Infinity),
			limit: optimumMs && optimumMs / 0.95,
			inWords: (value) =>
				Number.isFinite(value)
					? `${inSeconds(value)}, ${inSeconds(optimumMs ?? NaN)} at best: ${(((optimumMs ?? NaN) / value) * 100).toFixed(1)} %`
					: 'not all items were read',
		},
	];
}

function loadChecks({ load }: Pick<Figures, 'load'>): Check[] {
	if (!load) return [];
	const [own, rival] = load.packages.map(({ milliseconds }) => milliseconds.median);
	return [
		{
			target: "Loading: the package's require takes at most 0.15× of the HTTP Request node's",
			value: own,
			limit: rival === undefined ? undefined : rival * 0.15,
			inWords: (value) =>
				`${inMilliseconds(value)} against ${inMilliseconds(rival ?? NaN)}, ${asRatio(value / (rival ?? NaN))}`,
			reason: 'Milliseconds alone would say more about the machine than about the package.',
		},
	];
}

/** A contender that did its work in every round: the others' figures are not worth a verdict. */
function wholeOf(scenario: ScenarioFigures | undefined, name: string): ContenderFigures | undefined {
	const contender = contenderOf(scenario, name);
	return contender?.failures.length === 0 ? contender : undefined;
}
