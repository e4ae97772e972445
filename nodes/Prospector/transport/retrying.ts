import type { Call, Failure } from './failure';
import type { RateGate } from './rate/rateGate';
import type { Ticket, Verdict } from './rate/limitLearner';
import type { RateReport } from './rate/rateReport';
import { isFailure, type Reply } from './reply';
import { isInDoubt, pauseBeforeRetry } from './retryPolicy';
import type { Timing } from './timing';
import type { Toll } from './toll';

/** One try of a request. */
export interface Outcome {
	result: Reply | Failure;
	/** What the answer told about the limit, where there was one. */
	report?: RateReport;
}

export interface Retrying {
	gate: RateGate;
	/** Whose requests these are: the gate serves owners in turns. */
	owner: object;
	timing: Timing;
	/** From 0 up to 1. */
	random: () => number;
	/** Given when nobody waits for the outcome any more. */
	signal?: AbortSignal;
	/** Milliseconds after the beginning at which no further try begins. */
	maxWait: number;
	/** Told before every pause, with its milliseconds. */
	onRetry?: (failure: Failure, pause: number) => void;
	/** Keeps count of retries and of the time for which the request is held back. */
	toll?: Toll;
}

/**
 * Sends a request when the gate lets it, and again as long as that may help and can do no harm. Never rejects.
 *
 * @param send one try
 */
export async function withRetries(
	call: Call,
	send: () => Promise<Outcome>,
	{ gate, owner, timing, random, signal, maxWait, onRetry, toll }: Retrying,
): Promise<Reply | Failure> {
	const begin = timing.now();
	const elapsed = () => timing.now() - begin;
	const ownToll = toll?.request();
	let tries = 0;
	let inDoubt = false;
	let last: Failure | undefined;
	const ended = (failure: Failure): Failure => ({
		...failure,
		...(tries > 1 && { tries, elapsed: elapsed() }),
		...(inDoubt && { inDoubt }),
	});
	for (;;) {
		const entered = ownToll?.hold(timing.now());
		const entry = await gate.enter(owner, begin + maxWait, signal);
		entered?.(timing.now());
		if (entry === 'stopped') return ended({ kind: 'stopped', waiting: true });
		if ('heldBackFor' in entry) return ended({ ...(last ?? { kind: 'heldBack' }), ...entry });
		if (last !== undefined) ownToll?.again(last);
		const result = await tryOnce(gate, entry, send);
		tries++;
		if (!isFailure(result)) return result;
		last = result;
		const pause = pauseBeforeRetry(result, call, { count: tries, elapsed: elapsed(), maxWait }, random());
		if (pause === undefined) return ended(result);
		inDoubt ||= isInDoubt(result, call);
		onRetry?.(result, pause);
		const paused = isAskedFor(result) ? ownToll?.hold(timing.now()) : undefined;
		const isOver = await timing.sleep(pause, signal);
		paused?.(timing.now());
		if (!isOver) return ended({ kind: 'stopped', waiting: true });
	}
}

/** Whether the pause before the next try is the service's wish, and not our own back-off. */
const isAskedFor = (failure: Failure) => failure.kind === 'status' && failure.retryAfter !== undefined;

async function tryOnce(gate: RateGate, ticket: Ticket, send: () => Promise<Outcome>) {
	let outcome: Outcome | undefined;
	try {
		outcome = await send();
		return outcome.result;
	} finally {
		// Also after an exception: a ticket that is never handed back would hold up all others for good.
		if (outcome === undefined) gate.leave(ticket, 'accepted');
		else gate.leave(ticket, verdictOn(outcome.result), obeyed(outcome), isFailure(outcome.result));
	}
}

/** What a result means for the limit: whoever got any other answer than 429 was let in, and counts. */
export function verdictOn(result: Reply | Failure): Verdict {
	if (!isFailure(result)) return 'accepted';
	if (result.kind === 'status') return result.status === 429 ? 'refused' : 'accepted';
	if (result.kind === 'network') return result.sent ? 'accepted' : 'unsent';
	return ['certificate', 'blocked', 'heldBack'].includes(result.kind) ? 'unsent' : 'accepted';
}

/** Milliseconds; a date far away, or a slip of the service, must not lock an API key for days. */
const LONGEST_PAUSE = 5 * 60_000;

/** Retry-After concerns the other requests only where the service is overloaded, or the limit reached. */
function obeyed({ result, report }: Outcome): RateReport | undefined {
	if (report?.retryAfter === undefined) return report;
	const isForAll = isFailure(result) && result.kind === 'status' && [429, 503].includes(result.status);
	return { ...report, retryAfter: isForAll ? Math.min(report.retryAfter, LONGEST_PAUSE) : undefined };
}
