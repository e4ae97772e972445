import {
	RateLimitEstimator,
	type Permit,
	type QuotaUse,
} from '../../../nodes/Prospector/transport/rate/rateLimitEstimator';
import type { RateLimitHeaders } from '../../../nodes/Prospector/transport/rate/rateLimitHeaders';
import { RateLimiter } from '../../../nodes/Prospector/transport/rate/rateLimiter';
import { manualTiming, flushPromises } from './manualTiming';

export const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);

/** A limiter on a clock that is moved by hand, with a record of all requests. */
export function limiterScenario() {
	const clock = manualTiming();
	const limiter = new RateLimiter(clock.timing, new RateLimitEstimator(() => 0.5));
	/** Names in the order in which they were permitted. */
	const sent: string[] = [];
	/** When requests were permitted, throttled or canceled; a number is the `throttledMs`. */
	const results: Record<string, { at: number; result: 'sent' | 'canceled' | number }> = {};
	const permits: Record<string, Permit> = {};

	function acquire(name: string, queueKey: object, { deadline = Infinity, signal }: AcquireOptions = {}) {
		void limiter.acquire(queueKey, deadline, signal).then((acquired) => {
			const isPermit = acquired !== 'canceled' && 'sentAt' in acquired;
			const other = acquired !== 'canceled' && 'throttledMs' in acquired ? acquired.throttledMs : 'canceled';
			results[name] = { at: clock.timing.now(), result: isPermit ? 'sent' : other };
			if (!isPermit) return;
			sent.push(name);
			permits[name] = acquired;
		});
	}

	async function release(
		name: string,
		quotaUse: QuotaUse = 'counted',
		headers?: RateLimitHeaders,
		deferDispatch?: boolean,
	) {
		limiter.release(permits[name], quotaUse, headers, deferDispatch);
		await flushPromises();
	}

	/** Releases requests one after the other until no more are permitted. */
	async function releaseAll() {
		await flushPromises();
		for (let i = 0; i < sent.length; i++) await release(sent[i]);
	}

	/** Pauses all requests from now on, as Retry-After does. */
	async function pause(milliseconds: number) {
		const name = `pause at ${clock.timing.now()}`;
		acquire(name, {});
		await flushPromises();
		await release(name, 'notSent', { retryAfter: milliseconds });
		sent.splice(sent.indexOf(name), 1);
		delete results[name];
	}

	/** Sends five requests that get no response: no further one is permitted before one of them ends. */
	async function fill() {
		for (const name of names('filling', 5)) acquire(name, {});
		await flushPromises();
		sent.splice(0);
		for (const name of names('filling', 5)) delete results[name];
	}
	return { limiter, ...clock, sent, results, acquire, release, releaseAll, pause, fill };
}

interface AcquireOptions {
	deadline?: number;
	signal?: AbortSignal;
}
