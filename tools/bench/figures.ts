/** A figure over all rounds. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const inMebibytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
const asRatio = (value: number) => `${value.toFixed(2)}×`;

/** What is measured of a contender, in the order of the tables. A scenario has some of these. */
const FIGURES = {
	/** From the execution's `startedAt` to its `stoppedAt`, without saving it. */
	milliseconds: { heading: 'Time', format: inSeconds },
	/** Of all threads, because elapsed time depends on other processes of a shared machine. */
	processorMs: { heading: 'Processor time', format: inSeconds },
	/** The same for one page. */
	microseconds: { heading: 'Processor time', format: (value: number) => `${value.toFixed(0)} µs` },
	/** Peak of n8n's resident memory beyond that before an execution whose data is not saved. */
	readingBytes: { heading: 'Memory while reading', format: inMebibytes },
	/** The same for an execution whose data is saved. */
	savedBytes: { heading: 'Memory of the saved execution', format: inMebibytes },
} as const;

export type FigureName = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as FigureName[];

/** Measurements of a contender in a round, or why it failed. */
export type Round = { label: string } & (
	{ figures: Partial<Record<FigureName, number>> } | { failure: string }
);

/** Limits a figure of the first contender to `times` that of the second one. */
export interface Target {
	figure: FigureName;
	times: number;
}

export interface ScenarioFigures {
	title: string;
	contenders: Array<{
		label: string;
		/** Reasons of the rounds that failed. */
		failures: string[];
		/** None if every round failed. */
		figures: Partial<Record<FigureName, Spread>>;
	}>;
}

/** A target and its measurement, with its unit. */
export interface Verdict {
	target: string;
	measured: string;
	met: boolean;
}

/** Content of docs/benchmark.json. */
export interface Figures {
	date: string;
	environment: Record<'node' | 'platform' | 'package' | 'n8nCore' | 'wholeN8n', string> & { cpus: number };
	rounds: number;
	scenarios: ScenarioFigures[];
	targets: Verdict[];
}

/** @param values at least one */
function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
	return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}

/** Combines the rounds of each contender. */
export function combineRounds(title: string, rounds: Round[]): ScenarioFigures {
	const labels = [...new Set(rounds.map(({ label }) => label))];
	const contenders = labels.map((label) => {
		const own = rounds.filter((round) => round.label === label);
		const failures = own.flatMap((round) => ('failure' in round ? round.failure : []));
		const figures: Partial<Record<FigureName, Spread>> = {};
		for (const name of NAMES) {
			const values = own.flatMap((round) => ('figures' in round ? (round.figures[name] ?? []) : []));
			if (values.length > 0) figures[name] = spreadOf(values);
		}
		return { label, failures, figures };
	});
	return { title, contenders };
}

/** Compares the figures of the first contender with those of the second one. */
export function judge({ title, contenders: [own, rival] }: ScenarioFigures, targets: Target[]): Verdict[] {
	return targets.map(({ figure, times }) => {
		const { heading, format } = FIGURES[figure];
		const target = `${title}: ${heading.toLowerCase()} at most ${times}× ${rival.label}`;
		const [value, reference] = [own, rival].map(({ figures }) => figures[figure]?.median);
		if (own.failures.length + rival.failures.length > 0 || !value || !reference) {
			return { target, measured: 'not measured: a contender failed', met: false };
		}
		const measured = `${format(value)} against ${format(reference)}, ${asRatio(value / reference)}`;
		return { target, measured, met: value <= reference * times };
	});
}

/** Returns a table with a row per contender. */
export function scenarioTable({ contenders }: ScenarioFigures): string[][] {
	const names = NAMES.filter((name) => contenders.some(({ figures }) => figures[name]));
	const rows = contenders.map(({ label, failures, figures }) => [
		failures.length > 0 ? `${label}: FAILED in ${failures.length} rounds: ${failures[0]}` : label,
		...names.map((name) => rangeText(figures[name], FIGURES[name].format)),
	]);
	return [['Contender', ...names.map((name) => FIGURES[name].heading)], ...rows];
}

/** Returns the median, with minimum and maximum in brackets. */
function rangeText(spread: Spread | undefined, format: (value: number) => string): string {
	if (!spread) return '';
	const [median, min, max] = [spread.median, spread.min, spread.max].map(format);
	return min === max ? median : `${median} (${min.replace(/ .*$/, '')}–${max.replace(/ .*$/, '')})`;
}
