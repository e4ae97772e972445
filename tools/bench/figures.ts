import type { JournalEntry } from '../../sandbox/types';
import type { ScenarioName } from './options';

/** A figure over all rounds. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

export const inSeconds = (milliseconds: number) =>
	`${(milliseconds / 1000).toFixed(milliseconds < 100_000 ? 2 : 1)} s`;
export const inMilliseconds = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
export const inMicroseconds = (microseconds: number) => `${microseconds.toFixed(0)} µs`;
export const inMebibytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
export const asRatio = (value: number) => `${value.toFixed(2)}×`;

/** What is measured of a contender, in the order of the tables. A scenario has some of these. */
export const FIGURES = {
	/** In a whole n8n: from the execution's `startedAt` to its `stoppedAt`, without saving it. */
	milliseconds: { heading: 'Time', format: inSeconds },
	/** Of all threads. */
	processorMs: { heading: 'Processor time', format: inSeconds },
	longestDelayMs: { heading: 'Longest event loop delay', format: inMilliseconds },
	/** Peak of n8n's resident memory beyond that before an execution whose data is not saved. */
	readingBytes: { heading: 'Memory while reading', format: inMebibytes },
	/** The same for an execution whose data is saved. */
	savedBytes: { heading: 'Memory of the saved execution', format: inMebibytes },
	requests: { heading: 'Requests', format: String },
	/** Responses with status 429. */
	rejected: { heading: 'Rejected', format: String },
	rejectedPerMinute: { heading: 'Rejected in the worst minute', format: String },
	failedItems: { heading: 'Failed items', format: String },
} as const;

export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** Measurements of a contender in a scenario, over all rounds. There are none if every round failed. */
export interface ContenderFigures {
	name: string;
	label: string;
	/** Reasons of the rounds that failed. */
	failures: string[];
	figures: Partial<Record<FigureName, Spread>>;
}

export interface ScenarioFigures {
	name: Exclude<ScenarioName, 'load' | 'reader'>;
	title: string;
	/** Results per request of a list. */
	pageSize?: number;
	/** The least time that the rolling limit allows. */
	optimumMs?: number;
	contenders: ContenderFigures[];
}

/** Milliseconds that `require` takes after n8n-workflow was loaded. */
export interface LoadFigures {
	loads: number;
	packages: Array<{ label: string; files: number; milliseconds: Spread }>;
}

/** Microseconds of processor time per page. */
export interface ReaderFigures {
	pageSize: number;
	bytes: number;
	reader: Spread;
	jsonParse: Spread;
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
	environment: Record<'node' | 'platform' | 'package' | 'n8nCore' | 'n8nNodesBase' | 'wholeN8n', string> & {
		cpus: number;
	};
	rounds: number;
	scenarios: ScenarioFigures[];
	readers: ReaderFigures[];
	load?: LoadFigures;
	targets: Verdict[];
}

export const contenderOf = (scenario: ScenarioFigures, name: string) =>
	scenario.contenders.find((contender) => contender.name === name);

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
export type Round = { name: string } & (
	{ figures: Partial<Record<FigureName, number>> } | { reason: string }
);

/** Combines all rounds of a contender. */
export function contenderFigures(
	{ name, label }: Pick<ContenderFigures, 'name' | 'label'>,
	rounds: Round[],
): ContenderFigures {
	const own = rounds.filter((round) => round.name === name);
	const failures = own.flatMap((round) => ('reason' in round ? [round.reason] : []));
	const figures: ContenderFigures['figures'] = {};
	for (const figure of FIGURE_NAMES) {
		const values = own.flatMap((round) => ('reason' in round ? [] : (round.figures[figure] ?? [])));
		if (values.length > 0) figures[figure] = spreadOf(values);
	}
	return { name, label, failures, figures };
}
