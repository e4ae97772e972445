import { FakeClock, fakeDependencies } from '../../helpers/fakeClock';
import {
	API,
	executeNode,
	httpResponse,
	itemResponse,
	KEY,
	pageResponse,
	type ExecutionOptions,
} from '../../helpers/support';

const statusResponse = (status: unknown, i: number) =>
	itemResponse({ id: 'run_1', status }, { request_id: `req_${i + 1}` });

interface Wait extends Omit<ExecutionOptions, 'answers'> {
	/** Returned by the status checks. */
	statuses: unknown[];
	/** Options of the node. */
	options?: object;
	operation?: string;
	/** Milliseconds that each response takes. */
	responseMs?: number;
	random?: number;
	/** Responses before and after those of the status checks; the last of all repeats. */
	before?: ReturnType<typeof httpResponse>[];
	after?: ReturnType<typeof httpResponse>[];
	clock?: FakeClock;
}

/** Waits for a run with the statuses `done` and `failed`, by default for 10 seconds. */
async function wait({ statuses, options, operation = 'run.get', responseMs = 0, ...others }: Wait) {
	const {
		before = [],
		after = [],
		random = 0.5,
		clock = new FakeClock({ autoAdvance: true }),
		...rest
	} = others;
	const result = await executeNode({
		operation,
		parameters: {
			runId: 'run_1',
			workflowId: 'wf_1',
			waitForCompletion: true,
			options: { retryFor: 10, finishedStatuses: 'done', failedStatuses: 'failed, canceled', ...options },
		},
		answers: [...before, ...statuses.map(statusResponse), ...after].map((answer) => () => {
			clock.skip(responseMs);
			return answer;
		}),
		dependencies: fakeDependencies(clock, () => random),
		...rest,
	});
	return { ...result, sleeps: clock.sleeps, elapsed: clock.now() };
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

describe('a wait', () => {
	test('checks at once, and ends if the run has finished', async () => {
		const { items, sleeps, urls, log } = await wait({ statuses: ['Done'] });
		expect(items).toEqual([{ id: 'run_1', status: 'Done', request_id: 'req_1' }]);
		expect({ sleeps, urls }).toEqual({ sleeps: [], urls: [`${API}/runs/run_1`] });
		expect(log).toEqual(["Prospector: run 'run_1' is 'Done' after 0 s, the wait is over"]);
	});

	test('checks at growing intervals, and logs each new status', async () => {
		const { items, sleeps, log } = await wait({ statuses: ['queued', 'running', undefined, 'done'] });
		expect(items).toEqual([{ id: 'run_1', status: 'done', request_id: 'req_4' }]);
		expect(sleeps).toEqual([1000, 1500, 2250]);
		expect(log).toEqual([
			"Prospector: run 'run_1' is 'queued' after 0 s, next look in 1 s",
			"Prospector: run 'run_1' is 'running' after 1 s, next look in 2 s",
			"Prospector: run 'run_1' has no status after 3 s, next look in 3 s",
			"Prospector: run 'run_1' is 'done' after 5 s, the wait is over",
		]);
	});

	test.each([
		[0, 800, 24_000],
		[0.5, 1000, 30_000],
		[0.999, 1200, 35_988],
	])('varies its intervals by 20 %% at most (random number %d)', async (random, first, longest) => {
		const { sleeps } = await wait({ statuses: ['running'], options: { retryFor: 3600 }, random });
		expect([sleeps[0], sleeps[8], sleeps[9], Math.max(...sleeps)]).toEqual([
			first,
			Math.round(1000 * 1.5 ** 8 * (0.8 + 0.4 * random)),
			longest,
			longest,
		]);
	});

	test.each([1, 2, 60, 3600])('of %i s ends with a check at its deadline', async (retryFor) => {
		const { sleeps, urls, message } = await wait({ statuses: ['running'], options: { retryFor } });
		expect(sum(sleeps)).toBe(retryFor * 1000);
		expect(urls).toHaveLength(sleeps.length + 1);
		expect(message).toBe(`Run 'run_1' was still 'running' after ${retryFor} s (request req_1)`);
	});

	test('returns a run that has finished at the deadline', async () => {
		const { items } = await wait({ statuses: ['running', 'done'], options: { retryFor: 1 } });
		expect(items).toMatchObject([{ request_id: 'req_2' }]);
	});

	test('gives each check the rest of the time, but at least a second', async () => {
		const options = { retryFor: 5, requestTimeout: 4 };
		const { requests, elapsed } = await wait({ statuses: ['running'], options, responseMs: 1900 });
		expect(elapsed).toBe(6900);
		expect(requests.map(({ timeout }) => timeout)).toEqual([4000, 2100, 1000]);
	});

	test('retries a check until the deadline', async () => {
		const { message, elapsed, urls } = await wait({ statuses: ['running'], after: [httpResponse(503, '')] });
		expect(message).toBe('The service had trouble with the request: status 503');
		expect(urls.length).toBeGreaterThan(3);
		expect(elapsed).toBeGreaterThan(2000);
		expect(elapsed).toBeLessThanOrEqual(10_000);
	});

	test('ends with a check that is refused', async () => {
		const { urls, message } = await wait({ statuses: ['running'], after: [httpResponse(404, '')] });
		expect(urls).toHaveLength(2);
		expect(message).toBe("The run 'run_1' was not found");
	});

	test('ends with the execution, as n8n shows canceled ones', async () => {
		const controller = new AbortController();
		const clock = new FakeClock();
		const rest = { getExecutionCancelSignal: () => controller.signal };
		const result = wait({ statuses: ['running'], clock, rest });
		await clock.advance(500);
		expect(clock.sleeping()).toBe(1);
		controller.abort();
		expect(await result).toMatchObject({
			message: "The execution was canceled while waiting for run 'run_1'",
			description: 'The run itself goes on. Look at it with Run › Get.',
		});
	});
});

describe('the message of a wait', () => {
	test.each<[string, unknown[], object, string]>([
		['its deadline', ['Queued', 'Running'], { retryFor: 1 }, "was still 'Running' after 1 s (request req_2)"],
		['a missing status', [' '], { retryFor: 1 }, 'had no status after 1 s (request req_1)'],
		['a failed run', ['running', 'Failed'], {}, "ended as 'Failed' (request req_2)"],
		[
			'statuses in both lists',
			['failed'],
			{ finishedStatuses: 'failed' },
			"ended as 'failed' (request req_1)",
		],
		[
			'the last status without the API key',
			[`a ${KEY}`],
			{ retryFor: 1 },
			"was still 'a [API key]' after 1 s (request req_1)",
		],
		[
			'the status of a failed run without the API key',
			[`a ${KEY}`],
			{ failedStatuses: `a ${KEY}` },
			"ended as 'a [API key]' (request req_1)",
		],
		['a canceled run, which n8n must not see', ['canceled'], {}, "ended as 'CANCELED' (request req_1)"],
	])('names %s', async (_, statuses, options, message) => {
		expect((await wait({ statuses, options })).message).toBe(`Run 'run_1' ${message}`);
	});

	test.each([
		['automatic', "ID 'run_1'. Or retry this from the executions list, which goes on with the same run."],
		['none', "ID 'run_1'. Do not retry this: no idempotency key was sent, so another run would be started."],
	])('says what a retry does for a run that was started with the key mode %s', async (mode, words) => {
		const before = [statusResponse('queued', 0)];
		const options = { retryFor: 1, preventDuplicates: mode };
		const result = await wait({ operation: 'workflow.run', statuses: ['running'], before, options });
		expect(result.description).toContain(words);
	});

	test('keeps the ID of a started run in one segment of the path', async () => {
		const before = [itemResponse({ id: '../../me' })];
		const { urls } = await wait({ operation: 'workflow.run', statuses: ['done'], before });
		expect(urls).toEqual([`${API}/workflows/wf_1/run`, `${API}/runs/..%2F..%2Fme`]);
	});

	test.each([['..'], [''], [undefined], [5.5]])(
		'says that the service named a started run %j',
		async (id) => {
			const before = [itemResponse({ id })];
			const { message } = await wait({ operation: 'workflow.run', statuses: [], before });
			expect(message).toBe('A run was started, but the service did not name it (request req_1)');
		},
	);
});

describe('the output of a wait', () => {
	const before = [itemResponse({ id: 'run_1' }, { request_id: 'req_0' })];
	const started = { idempotency_key: 'key-1', run_request_id: 'req_0' };

	test('is the run, with the request that started it', async () => {
		const options = { idempotencyKey: 'key-1' };
		const { items } = await wait({ operation: 'workflow.run', before, statuses: ['done'], options });
		expect(items).toEqual([{ id: 'run_1', status: 'done', request_id: 'req_1', ...started }]);
	});

	test('is a failed run if no status counts as failed', async () => {
		const options = { finishedStatuses: 'failed', failedStatuses: '' };
		expect((await wait({ statuses: ['failed'], options })).items).toMatchObject([{ status: 'failed' }]);
	});

	test.each([
		['workflow.run', before, started],
		['run.get', [], {}],
	])('of %s is the results of all pages, with their run', async (operation, responses, extraFields) => {
		const { items, urls } = await wait({
			operation,
			before: responses,
			statuses: [' Done '],
			after: [pageResponse(['a'], 'c2'), pageResponse(['b'])],
			options: { idempotencyKey: 'key-1', returnResults: true },
		});
		const run = { run_id: 'run_1', run_status: 'Done', ...extraFields };
		expect(items).toEqual([
			{ id: 'a', ...run, request_id: 'req of a' },
			{ id: 'b', ...run, request_id: 'req of b' },
		]);
		expect(urls.at(-1)).toBe(`${API}/runs/run_1/results`);
	});

	test('without results is a hint', async () => {
		const options = { returnResults: true };
		const { items, hints } = await wait({ statuses: ['done'], after: [pageResponse([])], options });
		expect(items).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual([
			"Run 'run_1' ended as 'done' without results, so the next nodes get no items for it.",
		]);
	});
});

describe('the log of a wait', () => {
	test('contains no line break and no API key', async () => {
		const { log } = await wait({ statuses: [`wait\n${KEY}`, 'done'] });
		expect(log[0]).toBe("Prospector: run 'run_1' is 'wait [API key]' after 0 s, next look in 1 s");
	});

	test('repeats a status when the wait has lasted half as long again, and every five minutes', async () => {
		const { log } = await wait({ statuses: ['running'], options: { retryFor: 3600 } });
		const seconds = log.map((line) => {
			const [, minutes = '0', rest] = /after (?:(\d+) min )?(\d+) s/.exec(line) ?? [];
			return Number(minutes) * 60 + Number(rest);
		});
		expect(seconds).toEqual([
			...[0, 1, 3, 5, 9, 14, 21, 33, 50, 75, 135, 225, 345, 525, 795, 1095, 1395, 1695, 1995, 2295],
			...[2595, 2895, 3195, 3495, 3600],
		]);
		expect(log.at(-1)).toBe("Prospector: run 'run_1' is 'running' after 60 min 0 s, the wait is over");
	});
});
