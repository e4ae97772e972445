import type { ApiRequest, Failure } from '../../../nodes/Prospector/transport/failure/failure';
import type { Permit } from '../../../nodes/Prospector/transport/rate/rateLimitEstimator';
import type { RateLimiter, Throttled } from '../../../nodes/Prospector/transport/rate/rateLimiter';
import type { ApiResponse } from '../../../nodes/Prospector/transport/request/response';
import {
	withRetries,
	type AttemptResult,
	type RetryContext,
} from '../../../nodes/Prospector/transport/retry/withRetries';
import { calls } from './everyFailure';
import { fakeTiming } from './support';

export const GOOD: ApiResponse = { data: [{ id: 'x' }], requestId: 'req_1' };
const PERMIT: Permit = { sentAt: 0, isProbe: false };

interface ScenarioOptions extends Partial<RetryContext> {
	call?: ApiRequest;
	/** Results of the attempts; the last one repeats. */
	outcomes: Array<AttemptResult | AttemptResult['result'] | Error>;
	/** What the limiter returns; after these it permits every request. */
	entries?: Array<Throttled | 'canceled' | 'permitted'>;
	/** Milliseconds that every attempt takes. */
	takes?: number;
	onSleep?: (slept: number[]) => boolean;
}

/** A request with its retries, with a fake limiter and a clock that moves only by sleeping. */
export function retryScenario(situation: ScenarioOptions) {
	const { call = calls['a read'], outcomes, entries = [], takes = 0, onSleep, ...rest } = situation;
	const time = fakeTiming(onSleep);
	const queueKey = {};
	const acquired: unknown[][] = [];
	const released: unknown[][] = [];
	/** Permits that were not released. */
	const inFlight = new Set<unknown>();
	const retries: Array<[Failure, number]> = [];
	let sent = 0;
	const limiter = {
		async acquire(...given: unknown[]) {
			acquired.push(given);
			const entry = entries[acquired.length - 1] ?? 'permitted';
			if (entry !== 'permitted') return entry;
			const permit = { ...PERMIT };
			inFlight.add(permit);
			return permit;
		},
		release(permit: unknown, ...rest: unknown[]) {
			if (!inFlight.delete(permit)) throw new Error('This permit was released before');
			released.push(rest);
		},
	} as unknown as RateLimiter;
	const send = async (): Promise<AttemptResult> => {
		const outcome = outcomes[Math.min(sent, outcomes.length - 1)];
		if (++sent > 1000) throw new Error('Endless attempts');
		time.pass(takes);
		if (outcome instanceof Error) throw outcome;
		return 'result' in outcome ? outcome : { result: outcome };
	};
	const run = async () =>
		await withRetries(call, send, {
			...{ limiter, queueKey, clock: time.timing, random: () => 0.5, maxWait: 60_000 },
			onRetry: (failure, delayMs) => retries.push([failure, delayMs]),
			...rest,
		});
	return { run, queueKey, acquired, released, inFlight, retries, sent: () => sent, ...time };
}
