import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';
import { createClient, type ClientOptions } from '../../../nodes/Prospector/transport/request/client';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { isFailure, type HttpResponse } from '../../../nodes/Prospector/api/response';
import { FakeClock, fakeDependencies } from './fakeClock';
import { CONNECTION, itemResponse } from './support';

/** How an attempt ends; an exception is thrown as by n8n's HTTP helper. */
export type AttemptOutcome = HttpResponse | Failure | Error;

interface ScenarioOptions extends Partial<ClientOptions> {
	/** Returns how an attempt ends; by default it succeeds. */
	respond?: (attempt: number, signal: AbortSignal) => AttemptOutcome | Promise<AttemptOutcome>;
	/** Milliseconds that every attempt takes. */
	latency?: number;
	/** By default it moves on as soon as no other code can run. */
	clock?: FakeClock;
}

/** Returns these outcomes one after the other, and the last one from then on. */
export const inTurn =
	(...outcomes: AttemptOutcome[]) =>
	(attempt: number) =>
		outcomes[Math.min(attempt, outcomes.length - 1)];

export const success = itemResponse({ id: 'x' });
export const hang = async () => await new Promise<never>(() => {});

const endRequests: Array<() => void> = [];
afterEach(() => endRequests.splice(0).forEach((end) => end()));

/** A request that hangs would keep the timer of its timeout. */
async function untilTestEnds<Result>(attempt: () => Promise<Result>): Promise<Result> {
	const testEnd = new Promise<never>((_, reject) =>
		endRequests.push(() => reject(new Error('The test has ended'))),
	);
	return await Promise.race([attempt(), testEnd]);
}

/** A GET whose name the scenario recognizes. */
const read = (name: string): ApiRequest => ({ endpoint: endpoints.getRun, ids: { run_id: name } });

/** A client with the real rate limiter, retries and deadlines, on a fake clock and with a fake service. */
export function clientScenario(options: ScenarioOptions = {}) {
	const { respond = () => success, latency = 0, clock = new FakeClock({ autoAdvance: true }) } = options;
	const dependencies = options.dependencies ?? fakeDependencies(clock);
	/** Attempts: when they were sent, and with what. */
	const attempts: Array<{ at: number; name: string; options: IHttpRequestOptions }> = [];
	const retries: Array<[Failure, delayMs: number]> = [];
	/** When and how the requests of {@link start} ended, by their names. */
	const ended: Record<string, { at: number; result: Failure | 'success' }> = {};
	const client = createClient({
		connection: CONNECTION,
		retryFor: 60_000,
		onRetry: ({ failure }, delayMs) => retries.push([failure, delayMs]),
		...options,
		dependencies,
		async send(httpOptions, signal) {
			const name = decodeURIComponent(httpOptions.url.split('/').at(-1) ?? '');
			const count = attempts.push({ at: clock.now(), name, options: httpOptions });
			if (count > 30_000) throw new Error('Endless attempts');
			return await untilTestEnds(async () => {
				const outcome = await respond(count - 1, signal);
				if (latency > 0) await clock.sleep(latency);
				if (outcome instanceof Error) throw outcome;
				return outcome;
			});
		},
	});
	return {
		client,
		clock,
		dependencies,
		attempts,
		retries,
		ended,
		sentAt: () => attempts.map(({ at }) => at),
		sentNames: () => attempts.map(({ name }) => name),
		/** Starts requests, and returns without waiting for them. */
		start(names: string[], request: Partial<ApiRequest> = {}) {
			for (const name of names) {
				void client.safeRequest({ ...read(name), ...request }).then((result) => {
					ended[name] = { at: clock.now(), result: isFailure(result) ? result : 'success' };
				});
			}
		},
	};
}

export const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);
