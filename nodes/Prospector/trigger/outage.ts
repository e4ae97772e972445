import { isTransientError } from '../api/failure/requestError';
import type { UserError } from '../messages/userMessage';
import { HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';

/** A time during which polls can't read everything. Milliseconds. */
export interface Outage {
	/** When its first and its last failure occurred. */
	sinceMs?: number;
	failedAtMs?: number;
	reportedAtMs?: number;
	/** When losses were reported, by their advice, which is the same for losses of one kind. */
	lossesAtMs?: ReadonlyMap<string, number>;
}

/**
 * Decides what to report of a poll: a failure at once if it needs a person, and after an hour if all are transient; a
 * loss at once; and each of these at most once an hour. A poll without a failure that has read everything ends an outage,
 * and any other poll without one after an hour, because it may not have tried what fails. Pure.
 *
 * @returns the failure and the losses for failed executions
 */
export function reportPoll(
	last: Outage,
	poll: Pick<PollOutcome, 'failures' | 'losses' | 'isComplete'>,
	nowMs: number,
): { outage: Outage; failure?: unknown; losses: UserError[] } {
	const isHourAfter = (atMs = -Infinity) => nowMs >= atMs + HOUR_MS;
	const losses = poll.losses.filter(({ userMessage }) =>
		isHourAfter(last.lossesAtMs?.get(userMessage.description)),
	);
	const reported = losses.map(({ userMessage }) => [userMessage.description, nowMs] as const);
	const lossesAtMs = new Map([...(last.lossesAtMs ?? []), ...reported]);
	const failure = poll.failures.find((error) => !isTransientError(error)) ?? poll.failures[0];
	if (failure === undefined) {
		const isOver = poll.isComplete || isHourAfter(last.failedAtMs);
		return { outage: isOver ? { lossesAtMs } : { ...last, lossesAtMs }, losses };
	}
	const outage = { ...last, sinceMs: last.sinceMs ?? nowMs, failedAtMs: nowMs, lossesAtMs };
	const isDue =
		isHourAfter(outage.reportedAtMs) && (!isTransientError(failure) || isHourAfter(outage.sinceMs));
	return isDue ? { outage: { ...outage, reportedAtMs: nowMs }, failure, losses } : { outage, losses };
}
