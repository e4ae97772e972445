import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';
import { createClient, type ClientOptions } from '../../../nodes/Prospector/transport/request/client';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { isFailure, type HttpResponse } from '../../../nodes/Prospector/api/response';
import { FakeClock, fakeDependencies } from './fakeClock';
import { CONNECTION, itemResponse } from './support';

/** How an attempt ends; an exception is thrown as by n8n's HTTP helper. */
export type AttemptOutcome = HttpResponse | Error;

/** What n8n's HTTP helper throws for a failure with a code of the system. */
export const helperError = (code: string) => Object.assign(new Error(), { code });

interface ScenarioOptions extends Partial<ClientOptions> {
	/** Returns how an attempt ends; by default it succeeds. */
	respond?: (attempt: number, signal: AbortSignal) => AttemptOutcome | Promise<AttemptOutcome>;
	/** Duration of every attempt. */
	latencyMs?: number;
	/** By default it advances as soon as no other code can run. */
	clock?: FakeClock;
}

/** Returns these outcomes one after the other, and then repeats the last one. */
export const inTurn =
	(...outcomes: AttemptOutcome[]) =>
	(attempt: number) =>
		outcomes[Math.min(attempt, outcomes.length - 1)];

export const success = itemResponse({ id: 'x' });
export const neverRespond = async () => await new Promise<never>(() => {});
export const numbered = (name: string, count: number) =>
	Array.from({ length: count }, (_, i) => `${name}${i}`);

/** A client with the real rate limiter, retries and deadlines, on a fake clock and with a fake service. */
export function clientScenario(options: ScenarioOptions = {}) {
	const { respond = () => success, latencyMs = 0, clock = new FakeClock({ autoAdvance: true }) } = options;
	const dependencies = options.dependencies ?? fakeDependencies(clock);
	const attempts: Array<{ atMs: number; name: string; options: IHttpRequestOptions }> = [];
	const retries: Array<[Failure, delayMs: number]> = [];
	/** When and how the requests of {@link start} ended, by their names. */
	const ended: Record<string, { atMs: number; result: Failure | 'success' }> = {};
	const client = createClient({
		connection: CONNECTION,
		retryForMs: 60_000,
		onRetry: ({ failure }, delayMs) => retries.push([failure, delayMs]),
		...options,
		dependencies,
		async send(httpOptions, signal) {
			const name = decodeURIComponent(httpOptions.url.split('/').at(-1) ?? '');
			const count = attempts.push({ atMs: clock.now(), name, options: httpOptions });
			if (count > 30_000) throw new Error('Endless attempts');
			const outcome = await respond(count - 1, signal);
			if (latencyMs > 0) await clock.sleep(latencyMs);
			if (outcome instanceof Error) throw outcome;
			return outcome;
		},
	});
	return {
		client,
		clock,
		attempts,
		retries,
		ended,
		sentAtMs: () => attempts.map(({ atMs }) => atMs),
		/** Starts requests with these run IDs, and returns without waiting for them. */
		start(runIds: string[], request: Partial<ApiRequest> = {}) {
			for (const runId of runIds) {
				const read = { endpoint: endpoints.getRun, ids: { run_id: runId }, ...request };
				void client.tryRequest(read).then((result) => {
					ended[runId] = { atMs: clock.now(), result: isFailure(result) ? result : 'success' };
				});
			}
		},
	};
}
