import { hasStatus, isRateLimited, isTransientError } from '../transport/failure/requestError';

/** After this many failures, a poll ends: the rest would most likely meet the same. */
const MAX_FAILURES = 3;

export const stopsPoll = (failures: unknown[]): boolean =>
	failures.length >= MAX_FAILURES || failures.some((error) => isRateLimited(error) || hasStatus(error, 401));

/** A time during which polls can't read everything. Milliseconds. */
export interface Outage {
	/** Since the last poll without a failure. */
	since?: number;
	/** When a failure was last reported. */
	reportedAt?: number;
}

const HOUR_MS = 3_600_000;

/**
 * Decides whether a failed execution reports the failures of a poll: at once if one of them needs a person, after an
 * hour if all are transient, and at most once an hour. Only a poll without a failure that has read everything ends the
 * outage. Pure.
 */
export function reportFailures(
	{ since, reportedAt }: Outage,
	{ failures, isComplete }: { failures: unknown[]; isComplete: boolean },
	now: number,
): { outage: Outage; reported?: unknown } {
	const failure = failures.find((error) => !isTransientError(error)) ?? failures[0];
	if (failure === undefined) return { outage: isComplete ? {} : { reportedAt } };
	const wait = isTransientError(failure) ? HOUR_MS : 0;
	const isDue = now >= (reportedAt ?? -Infinity) + HOUR_MS && now >= (since ?? now) + wait;
	if (isDue) return { outage: { since: since ?? now, reportedAt: now }, reported: failure };
	return { outage: { since: since ?? now, reportedAt } };
}
