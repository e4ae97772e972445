import fc from 'fast-check';
import { FakeClock, fakeDependencies } from '../helpers/fakeClock';
import {
	API,
	AS_TOOL,
	executeNode,
	httpResponse,
	itemResponse,
	listResponse,
	pageResponse,
} from '../helpers/support';
import type { HttpResponse } from '../../../nodes/Prospector/api/response';

const RUN_URL = `${API}/runs/run_1`;
const START = 'workflow.runAndGetResults';
const NOT_FOUND = httpResponse(404, '');
const TIMEOUT = Object.assign(new Error(), { code: 'ECONNABORTED' });

interface Wait {
	/** Returned by the status checks; the last response of all repeats. */
	statuses: unknown[];
	operation?: 'run.get' | typeof START;
	/** Seconds. */
	waitUpTo?: number;
	/** Responses after those of the status checks. */
	after?: Array<HttpResponse | Error>;
	/** Milliseconds that each response takes. */
	responseMs?: number;
	random?: number;
	clock?: FakeClock;
	credential?: object;
	parameters?: object;
	rest?: object;
}

/** Waits for a run in virtual time, by default for ten seconds. */
async function waitForRun({ statuses, operation = 'run.get', ...wait }: Wait) {
	const { waitUpTo = 10, after = [], responseMs = 0, random = 0.5, parameters, ...execution } = wait;
	const { clock = new FakeClock({ autoAdvance: true }), ...rest } = execution;
	const check = (status: unknown, i: number) =>
		itemResponse({ id: 'run_1', status }, { request_id: `req_${i + 1}` });
	const start = [itemResponse({ id: 'run_1', status: 'queued' })];
	const isStarted = operation === START;
	const result = await executeNode({
		operation,
		parameters: {
			...(isStarted ? { workflowId: 'wf_1' } : { runId: 'run_1', waitForCompletion: true }),
			waitUpTo,
			...parameters,
		},
		answers: [...(isStarted ? start : []), ...statuses.map(check), ...after].map(
			(answer) =>
				({ timeout = 0 }) => {
					clock.skip(Math.min(responseMs, timeout));
					if (responseMs > timeout) throw TIMEOUT;
					if (answer instanceof Error) throw answer;
					return answer;
				},
		),
		dependencies: fakeDependencies(clock, () => random),
		...rest,
	});
	const checks = result.requests.filter(({ url }) => url === RUN_URL);
	return { ...result, checks, sleeps: clock.sleeps, elapsed: clock.now() };
}

test('the node checks a run every two to three seconds at first, until the run has finished', async () => {
	const { sleeps, items } = await waitForRun({
		statuses: ['queued', 'queued', 'running', undefined, 'done'],
	});
	const finished = { id: 'run_1', status: 'done', run_outcome: 'finished', request_id: 'req_5' };
	expect([items, sleeps]).toEqual([[finished], [2250, 2250, 2250, 2250]]);
});

test('the node pauses between status checks for at least 2 s, at most 30 s, and at most a tenth of the time waited from 25 s on', async () => {
	await fc.assert(
		fc.asyncProperty(fc.double({ min: 0, max: 0.999, noNaN: true }), async (random) => {
			const { sleeps } = await waitForRun({ statuses: ['running'], waitUpTo: 3600, random });
			let elapsedMs = 0;
			// The last one ends with the wait.
			for (const sleepMs of sleeps.slice(0, -1)) {
				expect(sleepMs).toBeGreaterThanOrEqual(2000);
				expect(sleepMs).toBeLessThanOrEqual(30_000);
				expect(sleepMs).toBeLessThanOrEqual(Math.max(2500, Math.ceil(elapsedMs / 10)));
				elapsedMs += sleepMs;
			}
			expect(Math.max(...sleeps)).toBeGreaterThanOrEqual(24_000);
		}),
		{ numRuns: 5 },
	);
});

test.each([
	[1, '1 s'],
	[90, '1 min 30 s'],
	[undefined, '1 h'],
])(
	'the node checks the run a last time at the deadline of the wait when Wait Up To is %p (%s)',
	async (waitUpTo, duration) => {
		const { sleeps, checks, message } = await waitForRun({
			statuses: ['running'],
			parameters: { waitUpTo },
		});
		expect(sleeps.reduce((a, b) => a + b)).toBe((waitUpTo ?? 3600) * 1000);
		expect(checks).toHaveLength(sleeps.length + 1);
		expect(message).toBe(`Run 'run_1' was still 'running' after ${duration} (request req_1)`);
	},
);

test('the timeout of a status check is at most the remaining wait time, but never less than 1 s', async () => {
	const credential = { showAdvanced: true, requestTimeout: 4 };
	const { checks } = await waitForRun({ statuses: ['running'], waitUpTo: 6, responseMs: 1500, credential });
	expect(checks.map(({ timeout }) => timeout)).toEqual([4000, 2250, 1000]);
});

test('the node retries a status check until the deadline of the wait even if Retry For is 0', async () => {
	const { elapsed, checks } = await waitForRun({ statuses: ['running'], after: [httpResponse(503, '')] });
	expect(checks.length).toBeGreaterThan(3);
	expect(elapsed).toBeGreaterThan(2000);
	expect(elapsed).toBeLessThanOrEqual(10_000);
});

test.each<[string, Omit<Wait, 'statuses'>, unknown[], number, number]>([
	['is not found in the first 30 s', {}, [], 15, 30_000],
	['is not found before the end of Wait Up To', { operation: START, waitUpTo: 10 }, [], 6, 10_000],
	['disappears in the first 30 s after its start', { operation: START }, ['running'], 15, 30_000],
])('the wait for a run fails if the run %s', async (_, wait, statuses, count, minMs) => {
	const { message, checks, elapsed } = await waitForRun({
		...{ waitUpTo: 3600, statuses, after: [NOT_FOUND] },
		...wait,
	});
	expect(message).toMatch(/un 'run_1' was not found$/);
	expect(checks.length).toBeLessThanOrEqual(count);
	expect([elapsed >= minMs, elapsed <= minMs * 2]).toEqual([true, true]);
});

test.each<[string, string, HttpResponse[]]>([
	['a status check', 'running', []],
	['results', 'done', [pageResponse([])]],
])(
	'the message says that the run continues if the execution is canceled during the wait for %s',
	async (_, status, after) => {
		const controller = new AbortController();
		const clock = new FakeClock();
		const rest = { getExecutionCancelSignal: () => controller.signal };
		const parameters = { returnResults: true };
		const result = waitForRun({ statuses: [status], after, clock, rest, parameters });
		await clock.advance(500);
		expect(clock.sleeping()).toBe(1);
		controller.abort();
		expect(await result).toMatchObject({
			message: "The execution was canceled while waiting for run 'run_1'",
			description: "The run continues. Get its results later with Result › Get Many, run ID 'run_1'.",
		});
	},
);

test('a tool answers within Wait Up To, and with the results of a finished run if they are readable soon', async () => {
	const anyWait = fc.constantFrom(undefined, 1, 7, 49);
	const anyTool = [fc.constantFrom('run.get', START), anyWait, fc.nat(1000)] as const;
	await fc.assert(
		fc.asyncProperty(...anyTool, async (operation, waitUpTo, responseMs) => {
			const parameters = { waitUpTo, returnResults: true };
			const tool = { operation, responseMs, parameters, rest: AS_TOOL } as const;
			const open = await waitForRun({ ...tool, statuses: ['running'] });
			expect(open.items).toMatchObject([{ run_outcome: 'open' }]);
			expect(open.elapsed).toBeLessThanOrEqual(Math.max((waitUpTo ?? 50) * 1000, 3 * responseMs));
			const after = [[], ['a'], ['a']].map((ids) => pageResponse(ids));
			expect((await waitForRun({ ...tool, statuses: ['done'], after })).items).toMatchObject([{ id: 'a' }]);
		}),
		{ numRuns: 20 },
	);
});

test('the answer of a tool about an open run says how to continue, whatever fields are selected', async () => {
	const parameters = { output: 'selectedFields', fieldsToReturn: 'name' };
	const { items } = await waitForRun({ parameters, waitUpTo: 1, statuses: ['running'], rest: AS_TOOL });
	expect(items[0].note).toContain('To wait for it again, call this tool again with the same ID.');
});

test('a tool either answers that the results of a run are not readable yet, or says where those after its answer begin, however slow the service is', async () => {
	const texts = (count: number) =>
		Array.from({ length: count }, (_, i) => ({ id: `${i}`, text: 'a'.repeat(1000) }));
	const anyRead = fc
		.constantFrom(0, 1, 60)
		.map((count) => ({ count, has_more: count === 60, next_cursor: 'c2' }));
	await fc.assert(
		fc.asyncProperty(
			fc.array(anyRead, { minLength: 6, maxLength: 6 }),
			fc.nat(20_000),
			async (reads, responseMs) => {
				const after = reads.map(({ count, ...pagination }) => listResponse(texts(count), pagination));
				const parameters = { waitUpTo: 50, returnResults: true };
				const wait = { statuses: ['done'], parameters, after, responseMs, rest: AS_TOOL };
				const { items, message, requests } = await waitForRun(wait);
				expect(message).toBeUndefined();
				// A shorter time would only end in a message.
				for (const [index, { timeout }] of requests.entries()) {
					expect(timeout).toBeGreaterThanOrEqual(1000);
					expect(timeout).toBeLessThanOrEqual(Math.max(50_000 - index * responseMs, 1000));
				}
				const last = reads[requests.length - 2];
				const results = items.filter(({ id }) => id !== undefined);
				const isNoteAlone = results.length === 0 && items.length <= 1 && items[0]?.next_cursor === undefined;
				const isPart = last.has_more && results.length > 0 && items.at(-1)?.returned === results.length;
				expect(isNoteAlone || isPart || results.length === last.count).toBe(true);
			},
		),
		{ numRuns: 300 },
	);
});

test('the node returns the last results that it has read, adds one hint unless two reads agree or the first one is certain, and fails only if all six are refused', async () => {
	// A status, or the results. With a slash, they are on two pages, of which the first has changed when it is read again.
	const anyRead = fc.constantFrom(404, 409, '', 'a', 'b', 'a b', 'a/a b');
	const toResponses = (read: number | string) => {
		if (typeof read === 'number') return [httpResponse(read, '')];
		const pages = read.split('/').map((ids) => ids.split(' ').filter(Boolean));
		const responses = pages.map((ids, i) => pageResponse(ids, i < pages.length - 1 ? 'c2' : undefined));
		return pages.length > 1 ? [...responses, pageResponse(['x'])] : responses;
	};
	await fc.assert(
		fc.asyncProperty(fc.array(anyRead, { minLength: 6, maxLength: 6 }), async (reads) => {
			const { items, message, hints, requests } = await waitForRun({
				...{ statuses: ['done'], parameters: { returnResults: true } },
				after: reads.flatMap(toResponses),
			});
			const isFirstPage = ({ url, qs, timeout }: (typeof requests)[number]) =>
				url.endsWith('/results') && !qs?.cursor && timeout !== 5000;
			const sent = reads.slice(0, requests.filter(isFirstPage).length);
			const lists = sent.filter((read) => typeof read === 'string');
			if (lists.length === 0) return expect([typeof message, sent.length]).toEqual(['string', 6]);
			const [last, before] = lists.map((list) => list.replace('a/', '')).reverse();
			expect(items.map(({ id }) => id).join(' ')).toBe(last);
			const isFirst = last !== '' && sent.length === 1;
			const isCertain = isFirst ? !sent[0].toString().includes('/') : last !== '' && last === before;
			if (!isCertain && !isFirst) expect(sent).toHaveLength(6);
			const hint = `Run 'run_1' (done) ${last === '' ? 'found nothing' : 'had results that changed'}`;
			const [firstHint, ...others] = hints.filter((one) => !one.message.includes('Always Output Data'));
			expect(firstHint?.message.includes(hint)).toBe(isCertain ? undefined : true);
			expect(others).toEqual([]);
		}),
	);
});

test('the wait for the runs of many items ends with Wait Up To and a second for each last check, however slow the service is', async () => {
	const anyService = {
		count: fc.integer({ min: 1, max: 40 }),
		responseMs: fc.constantFrom(100, 3000, 10_000, Infinity),
		waitUpTo: fc.constantFrom(1, 7, 60, 300),
		maxConcurrentRequests: fc.integer({ min: 1, max: 5 }),
	};
	await fc.assert(
		fc.asyncProperty(
			fc.record(anyService),
			async ({ count, responseMs, waitUpTo, maxConcurrentRequests }) => {
				const clock = new FakeClock({ autoAdvance: true });
				const { items } = await executeNode({
					operation: 'run.get',
					input: Array(count).fill({}),
					parameters: { waitForCompletion: true, waitUpTo, options: { maxConcurrentRequests } },
					parametersOf: (item) => ({ runId: `run_${item}` }),
					answers: [
						async ({ url, timeout = 0 }) => {
							await clock.sleep(Math.min(responseMs, timeout));
							if (timeout < responseMs) throw TIMEOUT;
							return itemResponse({ id: url.split('/').at(-1), status: 'running' });
						},
					],
					dependencies: fakeDependencies(clock),
					rest: { continueOnFail: () => true },
				});
				expect(items.map(({ error }) => typeof error)).toEqual(Array(count).fill('string'));
				const lastChecks = Math.ceil(count / maxConcurrentRequests);
				expect(clock.now()).toBeLessThanOrEqual((waitUpTo + lastChecks + 1) * 1000);
			},
		),
		{ numRuns: 30 },
	);
});

test.each([
	['node', 'a slow service answers no further check', 10, TIMEOUT],
	['tool', 'a slow service answers no further check', 10, TIMEOUT],
	['node', 'the rate limit permits no check at the deadline', 2, httpResponse(429, '')],
	['tool', 'the rate limit permits no check at the deadline', 3, httpResponse(429, '')],
] as const)('a %s names the last status that it has seen if %s', async (caller, _, waitUpTo, answer) => {
	const rest = caller === 'tool' ? AS_TOOL : {};
	const { message, items } = await waitForRun({ statuses: ['running'], waitUpTo, after: [answer], rest });
	expect(message ?? items[0].note).toContain(
		caller === 'tool' ? "Run 'run_1' is 'running'" : `still 'running' after ${waitUpTo} s (request req_1)`,
	);
});

test('the message says to raise Wait Up To if the rate limit permits no further check before its end', async () => {
	const { description, elapsed } = await waitForRun({
		...{ statuses: ['running'], waitUpTo: 60, after: [httpResponse(429, '', { 'retry-after': '90' })] },
		parameters: { options: { retryFor: 300 } },
	});
	expect(description).toContain(
		"The next request can be sent in 1 min 30 s. Raise 'Wait Up To (Seconds)', or",
	);
	expect(elapsed).toBeLessThan(10_000);
});
