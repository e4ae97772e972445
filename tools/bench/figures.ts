import type { JournalEntry } from '../../sandbox/types';
import type { Memory, Report } from './job';
import type { ScenarioName } from './options';

/** A figure over all rounds. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** Measurements of a contender in a scenario, over all rounds. Figures are absent if every round failed. */
export interface ContenderFigures {
	name: string;
	label: string;
	/** Reasons of the rounds that failed. */
	failures: string[];
	milliseconds?: Spread;
	/** Milliseconds of processor time of all threads. */
	processorMs?: Spread;
	requests?: Spread;
	/** Responses with status 429. */
	rejected?: Spread;
	/** Maximum number of rejections within a minute. */
	rejectedPerMinute?: Spread;
	failedItems?: Spread;
	/** Bytes; `growth` is `peak` minus `baseline`. */
	memory?: Record<keyof Memory | 'growth', Spread>;
}

export interface ScenarioFigures {
	name: Exclude<ScenarioName, 'load'>;
	title: string;
	/** The contender that the others are compared with. */
	floor: string;
	/** The least time that the rolling limit allows. */
	optimumMs?: number;
	contenders: ContenderFigures[];
}

/** Milliseconds that `require` takes after n8n-workflow was loaded. */
export interface LoadFigures {
	loads: number;
	packages: Array<{ label: string; files: number; milliseconds: Spread }>;
}

/** A target and its measurement. */
export interface Verdict {
	target: string;
	/** With its unit. */
	measured: string;
	met: boolean;
}

/** Content of docs/benchmark.json. */
export interface Figures {
	date: string;
	environment: Record<'node' | 'platform' | 'package' | 'n8nCore' | 'n8nNodesBase' | 'undici', string> & {
		cpus: number;
	};
	rounds: number;
	scenarios: ScenarioFigures[];
	load?: LoadFigures;
	targets: Verdict[];
}

export const scenarioOf = (figures: Pick<Figures, 'scenarios'>, name: ScenarioName) =>
	figures.scenarios.find((scenario) => scenario.name === name);

export const contenderOf = (scenario: ScenarioFigures | undefined, name: string) =>
	scenario?.contenders.find((contender) => contender.name === name);

/** @param values at least one */
export function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
	return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}

type RequestFigures = Record<'requests' | 'rejected' | 'rejectedPerMinute', number>;

/** Counts the requests of a contender in the sandbox's journal. */
export function requestFigures(journal: Array<Pick<JournalEntry, 'status' | 'time'>>): RequestFigures {
	const rejected = journal.filter(({ status }) => status === 429).map(({ time }) => Date.parse(time));
	const withinMinute = rejected.map(
		(end) => rejected.filter((time) => time > end - 60_000 && time <= end).length,
	);
	const rejectedPerMinute = withinMinute.reduce((most, count) => Math.max(most, count), 0);
	return { requests: journal.length, rejected: rejected.length, rejectedPerMinute };
}

/** Measurements of a contender in a round, or why it failed. */
export type Round = { name: string } & ((Report & RequestFigures) | { reason: string });

/** Combines all rounds of a contender. */
export function contenderFigures(
	{ name, label }: Pick<ContenderFigures, 'name' | 'label'>,
	rounds: Round[],
): ContenderFigures {
	const own = rounds.filter((round) => round.name === name);
	const failures = own.flatMap((round) => ('reason' in round ? [round.reason] : []));
	const good = own.flatMap((round) => ('reason' in round ? [] : [round]));
	if (good.length === 0) return { name, label, failures };
	const spread = (figure: (round: (typeof good)[number]) => number) => spreadOf(good.map(figure));
	return {
		name,
		label,
		failures,
		milliseconds: spread((round) => round.milliseconds),
		processorMs: spread((round) => round.processorMs),
		requests: spread((round) => round.requests),
		rejected: spread((round) => round.rejected),
		rejectedPerMinute: spread((round) => round.rejectedPerMinute),
		failedItems: spread((round) => round.failedItems),
		memory: {
			baseline: spread(({ memory }) => memory.baseline),
			peak: spread(({ memory }) => memory.peak),
			growth: spread(({ memory }) => memory.peak - memory.baseline),
			kept: spread(({ memory }) => memory.kept),
		},
	};
}

export const inSeconds = (milliseconds: number) =>
	`${(milliseconds / 1000).toFixed(milliseconds < 100_000 ? 2 : 1)} s`;
export const inMilliseconds = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
export const inMebibytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
export const asRatio = (value: number) => `${value.toFixed(2)}×`;
