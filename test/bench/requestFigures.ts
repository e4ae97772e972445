import type { JournalEntry } from '../../sandbox/types';

export interface RequestFigures {
	requests: number;
	/** Answered with 429. */
	rejected: number;
	/** The most that were rejected within any minute. */
	rejectedPerMinute: number;
}

const MINUTE_MS = 60_000;

/** Counts what the sandbox wrote down about one contender. */
export function requestFigures(journal: Array<Pick<JournalEntry, 'status' | 'time'>>): RequestFigures {
	const rejected = journal.filter(({ status }) => status === 429).map(({ time }) => Date.parse(time));
	return {
		requests: journal.length,
		rejected: rejected.length,
		rejectedPerMinute: mostWithin(rejected, MINUTE_MS),
	};
}

/** The most of some moments, in their order, that lie within a span of time. */
export function mostWithin(times: number[], span: number): number {
	let first = 0;
	return times.reduce((most, time, index) => {
		while (times[first] <= time - span) first++;
		return Math.max(most, index - first + 1);
	}, 0);
}
