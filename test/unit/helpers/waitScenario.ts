import { FakeClock, fakeDependencies } from './fakeClock';
import { executeNode, itemResponse, type ExecutionOptions } from './support';
import type { HttpResponse } from '../../../nodes/Prospector/api/response';

/** The response to a status check, the first of which is `req_1`. */
export const statusResponse = (status: unknown, i: number) =>
	itemResponse({ id: 'run_1', status }, { request_id: `req_${i + 1}` });

/** The response to the start of a run. */
export const startResponse = (id: unknown = 'run_1') =>
	itemResponse({ id, status: 'queued' }, { request_id: 'req_0' });

export interface Wait extends Omit<ExecutionOptions, 'answers'> {
	/** Returned by the status checks. */
	statuses: unknown[];
	operation?: 'run.get' | 'workflow.runAndGetResults';
	/** Seconds. */
	waitUpTo?: number;
	/** Further parameters of the node. */
	parameters?: object;
	/** Options of the node. */
	options?: object;
	/** Milliseconds that each response takes. */
	responseMs?: number;
	random?: number;
	/** Response to the start of the run; only *Run and Get Results* starts one. */
	start?: HttpResponse;
	/** Responses after those of the status checks; the last of all repeats. */
	after?: HttpResponse[];
	clock?: FakeClock;
}

/** Waits for a run, by default for 10 seconds, without Simplify and with added statuses `fertig` and `kaputt`. */
export async function waitForRun({ statuses, operation = 'run.get', ...wait }: Wait) {
	const { waitUpTo = 10, parameters, options, responseMs = 0, random = 0.5, after = [], ...others } = wait;
	const { start = startResponse(), clock = new FakeClock({ autoAdvance: true }), ...execution } = others;
	const before = operation === 'run.get' ? [] : [start];
	const result = await executeNode({
		operation,
		parameters: {
			...(operation === 'run.get' ? { runId: 'run_1', waitForCompletion: true } : { workflowId: 'wf_1' }),
			waitUpTo,
			simplify: false,
			...parameters,
			options: { retryFor: 0, finishedStatuses: 'fertig', failedStatuses: 'kaputt', ...options },
		},
		answers: [...before, ...statuses.map(statusResponse), ...after].map((answer) => () => {
			clock.skip(responseMs);
			return answer;
		}),
		dependencies: fakeDependencies(clock, () => random),
		...execution,
	});
	return { ...result, sleeps: clock.sleeps, elapsed: clock.now() };
}
