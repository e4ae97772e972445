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
}

/** Judges what was measured; what was not on the list of scenarios is not judged. */
export function judge(figures: Pick<Figures, 'scenarios' | 'load'>): Verdict[] {
	return [...pagedChecks(figures), ...limitChecks(figures), ...loadChecks(figures)].map(
		({ target, value, limit, inWords }) =>
			value === undefined || limit === undefined
				? { target, measured: 'not measured: a contender failed', met: false }
				: { target, measured: inWords(value), met: value <= limit },
	);
}

/** What n8n's HTTP helper adds to the floor for each request, in milliseconds. */
export function engineCost(figures: Pick<Figures, 'scenarios'>): number | undefined {
	const [helper, floor] = ['helper', 'undici'].map((name) => wholeOf(scenarioOf(figures, 'paged'), name));
	if (!helper?.milliseconds || !helper.requests || !floor?.milliseconds) return undefined;
	return (helper.milliseconds.median - floor.milliseconds.median) / helper.requests.median;
}

function pagedChecks(figures: Pick<Figures, 'scenarios'>): Check[] {
	const scenario = scenarioOf(figures, 'paged');
	if (!scenario) return [];
	const [node, rival, helper] = ['node', 'httpRequest', 'helper'].map((name) => wholeOf(scenario, name));
	const atMost = (
		times: number,
		target: string,
		of: typeof node,
		figure: (of: ContenderFigures) => number | undefined,
		inUnit: (value: number) => string,
	): Check => {
		const reference = of && figure(of);
		return {
			target,
			value: node && figure(node),
			limit: reference && reference * times,
			inWords: (value) =>
				`${inUnit(value)} against ${inUnit(reference ?? NaN)}, ${asRatio(value / (reference ?? NaN))}`,
		};
	};
	const time = (of: ContenderFigures) => of.milliseconds?.median;
	const half = "Paged read: at most half the HTTP Request node's";
	return [
		atMost(0.5, `${half} time`, rival, time, inSeconds),
		atMost(
			0.5,
			`${half} memory, beyond what is loaded`,
			rival,
			({ memory }) => memory?.growth.median,
			inMebibytes,
		),
		atMost(0.5, `${half} peak memory, n8n included`, rival, ({ memory }) => memory?.peak.median, inMebibytes),
		// Floor and the engine's cost of all requests together are, by its definition, what the helper alone takes.
		atMost(
			1.3,
			"Paged read: at most 1.3× of undici plus the engine's own cost per request",
			helper,
			time,
			inSeconds,
		),
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
			target: 'Rolling limit: at most one rejected request in any minute',
			value: node?.rejectedPerMinute?.max,
			limit: 1,
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
	return [
		{
			target: "Loading: the package's require takes at most 20 ms",
			value: load.packages[0]?.milliseconds.median,
			limit: 20,
			inWords: inMilliseconds,
		},
	];
}

/** A contender that did its work in every round: the others' figures are not worth a verdict. */
function wholeOf(scenario: ScenarioFigures | undefined, name: string): ContenderFigures | undefined {
	const contender = contenderOf(scenario, name);
	return contender?.failures.length === 0 ? contender : undefined;
}
