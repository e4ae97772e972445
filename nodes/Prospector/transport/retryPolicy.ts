import type { Call, Failure } from './failure';

/** Statuses that say nothing about the request itself. */
const PASSING = [429, 500, 502, 503, 504];

/** Milliseconds. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/** How far the tries of one request have come. */
export interface Tries {
	/** From 1. */
	count: number;
	/** Milliseconds since the first. */
	elapsed: number;
	/** Milliseconds after which no other begins. */
	maxWait: number;
}

/** Whether the service may have done what was asked, although no answer says so. */
export function isInDoubt(failure: Failure, { endpoint }: Call): boolean {
	if (endpoint.method === 'GET') return false;
	return failure.kind === 'status'
		? failure.status >= 500
		: ['timeout', 'cut', 'notEnvelope'].includes(failure.kind) ||
				(failure.kind === 'network' && failure.sent) ||
				(failure.kind === 'stopped' && !failure.waiting);
}

/** Whether the same request may well succeed a little later. */
export const isPassing = (failure: Failure): boolean =>
	failure.kind === 'status'
		? PASSING.includes(failure.status)
		: ['network', 'timeout', 'cut'].includes(failure.kind);

/**
 * Whether the same request may be sent again: where it may have been carried out, only if doing it twice does no harm
 * (contract, section 4, rules 3 and 4).
 */
export function mayRepeat(failure: Failure, call: Call): boolean {
	if (!isPassing(failure)) return false;
	const { endpoint, idempotencyKey } = call;
	const isHarmless = endpoint.method === 'GET' || (endpoint.takesIdempotencyKey && Boolean(idempotencyKey));
	const wasTurnedAway =
		(failure.kind === 'network' && !failure.sent) ||
		(failure.kind === 'status' && failure.status === 429) ||
		// Whoever names a time to come back has not begun.
		(failure.kind === 'status' && failure.status === 503 && failure.retryAfter !== undefined);
	return isHarmless || wasTurnedAway;
}

/**
 * How long to pause before the same request is sent again: exponential back-off with full jitter, or what the service
 * asks for. After a 429 without such a wish, when to go on is known to the rate gate alone.
 *
 * @param random from 0 up to 1
 * @returns milliseconds; undefined where it is not to be sent again
 */
export function pauseBeforeRetry(
	failure: Failure,
	call: Call,
	{ count, elapsed, maxWait }: Tries,
	random: number,
): number | undefined {
	const left = maxWait - elapsed;
	if (left <= 0 || !mayRepeat(failure, call)) return undefined;
	const longest = Math.min(FIRST_PAUSE * 2 ** (count - 1), LONGEST_PAUSE);
	const pause = Math.round(longest * random);
	if (failure.kind === 'status' && failure.retryAfter !== undefined) {
		const wish = failure.retryAfter * 1000;
		return wish <= left ? Math.min(Math.max(wish, pause), left) : undefined;
	}
	if (failure.kind === 'status' && failure.status === 429) return 0;
	return Math.min(pause, left);
}
