import { failureOf } from '../transport/errors';
import { isTransient } from '../transport/retry/retryPolicy';

/** Milliseconds before something that could not be read is tried again, so that others get their turn. */
export const AFTER_FAILURE = 5 * 60_000;

/** Whether waiting alone may help: the service or the way to it is out of order, or the limit is reached. */
export function isPassing(error: unknown): boolean {
	const failure = failureOf(error);
	if (failure === undefined) return false;
	// A page that says that the service is being maintained, or a list into which a whole page was put meanwhile.
	const mayBeOnce = ['heldBack', 'notEnvelope', 'brokenList'].includes(failure.kind);
	return mayBeOnce || isTransient(failure);
}

/** Whether it is only the rate limit. */
export function isLimit(error: unknown): boolean {
	const failure = failureOf(error);
	return failure?.kind === 'heldBack' || (failure?.kind === 'status' && failure.status === 429);
}

/** Whether the rest of a poll would meet the same. */
export function endsPoll(error: unknown): boolean {
	const failure = failureOf(error);
	if (error === undefined || isNotFound(error)) return false;
	return isPassing(error) || failure?.kind !== 'status' || [401, 403].includes(failure.status);
}

export function isNotFound(error: unknown): boolean {
	const failure = failureOf(error);
	return failure?.kind === 'status' && failure.status === 404;
}
