import type { IDataObject } from 'n8n-workflow';
import { formatDuration } from '../../messages/format';
import { statusOf } from '../../model/runStatus';

/** One look at a run that is waited for; times in milliseconds. */
export interface StatusCheck {
	run: IDataObject;
	/** Since the wait began. */
	elapsed: number;
	/** Until the next look; absent at the last one. */
	pause?: number;
}

/** What a line of the log told. */
interface LoggedStatus {
	status: string;
	/** Milliseconds since the wait began. */
	elapsed: number;
}

/** Milliseconds after which the same status is told again at the latest. */
const MAX_LOG_INTERVAL_MS = 5 * 60_000;

/**
 * Whether a look is worth a line: a new status always, the same one at growing intervals, so that the log of a long
 * run can still be read.
 *
 * @param before what the last line told, if there was one
 */
export function shouldLog({ status, elapsed }: LoggedStatus, before: LoggedStatus | undefined): boolean {
	if (before === undefined || status !== before.status) return true;
	return elapsed - before.elapsed >= Math.min(before.elapsed / 2, MAX_LOG_INTERVAL_MS);
}

/** A line of the log that a person can follow. */
export function progressLine(runId: string, { run, elapsed, pause }: StatusCheck): string {
	const status = statusOf(run);
	const is = status === '' ? 'has no status' : `is '${status}'`;
	const next = pause === undefined ? 'the wait is over' : `next look in ${formatDuration(pause)}`;
	return `run '${runId}' ${is} after ${formatDuration(elapsed)}, ${next}`;
}

/**
 * To be told of every look at one run.
 *
 * @param log takes a line where there is something to say
 */
export function createProgressLogger(
	runId: string,
	log: (line: string) => void,
): (look: StatusCheck) => void {
	let before: LoggedStatus | undefined;
	return (look) => {
		const told = { status: statusOf(look.run), elapsed: look.elapsed };
		if (look.pause !== undefined && !shouldLog(told, before)) return;
		before = told;
		log(progressLine(runId, look));
	};
}
