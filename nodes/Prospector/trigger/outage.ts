import type { UserError } from '../messages/userMessage';
import { isTransientError } from '../api/failure/requestError';
import { HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';

/** A time during which polls can't read everything. Milliseconds. */
export interface Outage {
	/** When the first failure after the last poll without one occurred. */
	sinceMs?: number;
	reportedAtMs?: number;
	/** When losses were reported, by their advice, which is the same for losses of one kind. */
	lossesAtMs?: ReadonlyMap<string, number>;
}

/**
 * Decides what to report of a poll: a failure at once if it needs a person, and after an hour if all are transient; a
 * loss at once; and each of these at most once an hour. Only a poll without a failure that has read everything ends an
 * outage. Pure.
 *
 * @returns the failure and the losses for failed executions
 */
export function reportPoll(
	{ sinceMs, reportedAtMs = -Infinity, lossesAtMs = new Map() }: Outage,
	poll: Pick<PollOutcome, 'failures' | 'losses' | 'isComplete'>,
	nowMs: number,
): { outage: Outage; failure?: unknown; losses: UserError[] } {
	const nextLossesAtMs = new Map(lossesAtMs);
	const losses = poll.losses.filter(({ userMessage: { description } }) => {
		const isDue = nowMs >= (nextLossesAtMs.get(description) ?? -Infinity) + HOUR_MS;
		if (isDue) nextLossesAtMs.set(description, nowMs);
		return isDue;
	});
	const outage = { reportedAtMs, lossesAtMs: nextLossesAtMs };
	const failure = poll.failures.find((error) => !isTransientError(error)) ?? poll.failures[0];
	if (failure === undefined)
		return { outage: poll.isComplete ? { ...outage, reportedAtMs: undefined } : outage, losses };
	const startedAtMs = sinceMs ?? nowMs;
	const waitMs = isTransientError(failure) ? HOUR_MS : 0;
	const isDue = nowMs >= Math.max(reportedAtMs + HOUR_MS, startedAtMs + waitMs);
	const next = { ...outage, sinceMs: startedAtMs };
	return isDue ? { outage: { ...next, reportedAtMs: nowMs }, failure, losses } : { outage: next, losses };
}
