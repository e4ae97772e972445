import type { IDataObject } from 'n8n-workflow';
import { inWords } from '../../transport/triesInWords';
import { statusOf } from './runStatus';

/** One look at a run that is waited for; times in milliseconds. */
export interface Look {
	run: IDataObject;
	/** Since the wait began. */
	elapsed: number;
	/** Until the next look; absent at the last one. */
	pause?: number;
}

/** What a line of the log told. */
interface Told {
	status: string;
	/** Milliseconds since the wait began. */
	elapsed: number;
}

/** Milliseconds after which the same status is told again at the latest. */
const LONGEST_SILENCE = 5 * 60_000;

/**
 * Whether a look is worth a line: a new status always, the same one at growing intervals, so that the log of a long
 * run can still be read.
 *
 * @param before what the last line told, if there was one
 */
export function isNews({ status, elapsed }: Told, before: Told | undefined): boolean {
	if (before === undefined || status !== before.status) return true;
	return elapsed - before.elapsed >= Math.min(before.elapsed / 2, LONGEST_SILENCE);
}

/** A line of the log that a person can follow. */
export function progressLine(runId: string, { run, elapsed, pause }: Look): string {
	const status = statusOf(run);
	const is = status === '' ? 'has no status' : `is '${status}'`;
	const next = pause === undefined ? 'the wait is over' : `next look in ${inWords(pause)}`;
	return `run '${runId}' ${is} after ${inWords(elapsed)}, ${next}`;
}

/**
 * To be told of every look at one run.
 *
 * @param log takes a line where there is something to say
 */
export function tellProgress(runId: string, log: (line: string) => void): (look: Look) => void {
	let before: Told | undefined;
	return (look) => {
		const told = { status: statusOf(look.run), elapsed: look.elapsed };
		if (look.pause !== undefined && !isNews(told, before)) return;
		before = told;
		log(progressLine(runId, look));
	};
}
