import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import type { NodeError } from '../../../nodes/Prospector/messages/nodeErrors';
import { Readable } from 'node:stream'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { FakeClock, fakeDependencies } from '../helpers/fakeClock';
import {
	type Answer,
	AS_TOOL,
	executeNode,
	httpResponse,
	itemResponse,
	KEY,
	type ExecutionOptions,
} from '../helpers/support';

/** Executes an operation, and again in a retry of the execution with other responses, and returns both results. */
async function executeTwice(operation: string, first: ExecutionOptions, retry: ExecutionOptions) {
	const parameters = { workflowId: 'wf_1', enterValues: 'json', jsonBody: '{}' };
	const memory = {};
	const asRetry = { executionId: 'execution-2', rest: { ...retry.rest, getMode: () => 'retry' } };
	return [
		await executeNode({ operation, parameters, memory, ...first }),
		await executeNode({ operation, parameters, memory, ...retry, ...asRetry }),
	] as const;
}

const created = itemResponse({ id: 'wf_1' });
const both = { input: [{}, {}] };
const half = { ...both, answers: [created, httpResponse(503, '')] };
test.each([
	['workflow.run', { answers: [itemResponse({})] }, {}],
	['workflow.run', { answers: [itemResponse({ id: 'run_1', workflow_id: 'wf_2' })] }, {}],
	['workflow.create', { answers: [itemResponse({ id: ' ' })] }, {}],
	['workflow.update', { answers: [itemResponse({ id: 'wf_2' })] }, {}],
	['workflow.delete', { answers: [itemResponse({ id: 'wf_2' })] }, {}],
	['workflow.run', half, { ...both, credential: { baseUrl: 'https://other.example' } }],
	['workflow.delete', half, { ...both, credential: { apiKey: `${KEY}2` } }],
])(
	'a retry of %s sends the request again with the same idempotency key if the first response was wrong, or if the credential names another service now (%j, then %j)',
	async (operation, first, retry) => {
		const [before, after] = await executeTwice(operation, first, { answers: [created], ...retry });
		expect(after.message).toBeUndefined();
		expect(after.headers).toEqual(before.headers);
	},
);

const refused = httpResponse(403, '');
const missing = httpResponse(404, '', { 'x-request-id': 'req_9' });
test.each([
	['delete', 'succeeds', 'was refused', { answers: [refused] }, {}],
	['delete', 'succeeds', 'had no clear outcome', { answers: [httpResponse(503, '')] }, { rest: AS_TOOL }],
	['delete', 'fails', 'did not find it', { answers: [missing] }, {}],
	['delete', 'fails', 'was refused, but an AI agent repeats it', { answers: [refused] }, { rest: AS_TOOL }],
	['update', 'fails', 'had no clear outcome', { answers: [httpResponse(503, '')] }, {}],
])(
	'a retry of %s %s if the Prospector workflow is missing and the first attempt %s',
	async (operation, outcome, _, first, retry) => {
		const isDone = outcome === 'succeeds';
		const [, { message, hints, items }] = await executeTwice(`workflow.${operation}`, first, {
			answers: [missing],
			...retry,
		});
		expect(message === undefined).toBe(isDone);
		expect(items).toEqual(isDone ? [{ id: 'wf_1', deleted: true, request_id: 'req_9' }] : []);
		expect(hints.length).toBe(isDone ? 1 : 0);
	},
);

const anyAttempts = (maxItems: number) =>
	fc.array(
		fc.record({
			names: fc.array(fc.constantFrom('A', 'B'), { minLength: 1, maxLength: maxItems }),
			status: fc.constantFrom(200, 400, 503),
			/** With 503, whether the service has processed the request. */
			isProcessed: fc.boolean(),
			isRetry: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 8 },
	);

test.each([1, 2])(
	'the service has the values of the last update that succeeded, and what has succeeded is not sent again, however often the values change (at most %i per attempt)',
	async (maxItems) => {
		const check = async (
			attempts: Array<{ names: string[]; status: number; isProcessed: boolean; isRetry: boolean }>,
		) => {
			const memory = {};
			let stored: unknown;
			let succeeded: string | undefined;
			let executionId = 1;
			for (const { names, status, isProcessed, isRetry } of attempts) {
				if (isRetry) executionId++;
				const update = ({ body }: IHttpRequestOptions) => {
					if (status === 200 || (status === 503 && isProcessed)) stored = body;
					return status === 200 ? created : httpResponse(status, '');
				};
				const { urls, error } = await executeNode({
					...{ operation: 'workflow.update', memory, executionId: String(executionId) },
					// The last item always fails, so that n8n repeats the others.
					input: [...names, 'wf_2'].map(() => ({})),
					parametersOf: (item) => ({
						...{ workflowId: item < names.length ? 'wf_1' : 'wf_2', enterValues: 'json' },
						jsonBody: JSON.stringify({ name: names[item] }),
					}),
					answers: [(request) => (request.url.endsWith('wf_1') ? update(request) : refused)],
				});
				const sentCount = urls.filter((url) => url.endsWith('wf_1')).length;
				const name = names.at(-1);
				if (maxItems === 1) expect(sentCount).toBe(name === succeeded ? 0 : 1);
				if (sentCount > 0) succeeded = status === 200 ? name : undefined;
				const hasSucceeded = (error as NodeError).context.itemIndex === names.length;
				if (maxItems === 1) expect(hasSucceeded).toBe(succeeded === name);
				if (hasSucceeded) expect(stored).toBe(JSON.stringify({ name }));
			}
		};
		await fc.assert(fc.asyncProperty(anyAttempts(maxItems), check), { numRuns: 50 });
	},
);

test('a canceled retry says that it was canceled even if its first item, which succeeded before, needs no request', async () => {
	const rest = { getExecutionCancelSignal: () => AbortSignal.abort() };
	const [, { message, requests }] = await executeTwice('workflow.create', half, { ...both, rest });
	expect(message).toBe('The execution was canceled before the request was sent [item 1]');
	expect(requests).toEqual([]);
});

test('the stored execution has at most 1 MB of responses, and a retry creates only what was refused', async () => {
	const input = Array.from({ length: 60 }, (_, n) => ({ n }));
	const ids = { id: 'run_1', workflow_id: 'wf_1' };
	const { body } = itemResponse({ ...ids, text: 'x'.repeat(20_000) });
	// Like n8n's HTTP helper. Only the bytes of a stream are counted.
	const large = () => httpResponse(200, Readable.from([Buffer.from(JSON.stringify(body))]));
	const answers = [...input.slice(1).map(() => large), refused];
	const memory = {};
	const storedLengths: number[] = [];
	const measure = () => (storedLengths.push(JSON.stringify(memory).length), itemResponse(ids));
	const [first, retry] = await executeTwice(
		'workflow.create',
		{ memory, input, answers },
		{ memory, input, answers: [measure] },
	);
	expect(first.requests).toHaveLength(60);
	expect(storedLengths[0]).toBeGreaterThan(900_000);
	expect(storedLengths[0]).toBeLessThan(1_050_000);
	expect(retry.requests).toHaveLength(1);
	expect(retry.items).toMatchObject(input.map(() => ids));
});

test('a conflict names the idempotency key of the user', async () => {
	const { message } = await executeNode({
		operation: 'workflow.create',
		parameters: { options: { retryFor: 0, preventDuplicates: 'key', idempotencyKey: 'k' } },
		answers: [httpResponse(409, '')],
	});
	expect(message).toBe("Idempotency Key 'k' is already in use");
});

const HOUR_MS = 3_600_000;
const BEGIN_MS = 13_000;

test('a hint says that a run existed before the request if it did and this execution can not have started it, however long the request was tried again', async () => {
	const anyTime = fc.record({
		outageMs: fc.constantFrom(0, 5000, 2 * HOUR_MS),
		/** How long before the request the run was created. */
		ageMs: fc.constantFrom(-5000, 0, 2000, 2001, HOUR_MS, HOUR_MS + 1, 24 * HOUR_MS),
		/** How far the service's clock is ahead of n8n's. */
		aheadMs: fc.constantFrom(-24 * HOUR_MS, -5000, 0, 5000, 24 * HOUR_MS),
		/** A retry, or a lost attempt with the same key, can have started the run. */
		before: fc.constantFrom('nothing', 'nothing', 'a lost attempt', 'a retry'),
	});
	await fc.assert(
		fc.asyncProperty(
			...[anyTime, fc.constantFrom('execution', 'key', 'off'), fc.boolean()],
			async ({ outageMs, ageMs, aheadMs, before }, preventDuplicates, hasDate) => {
				const isUserKey = preventDuplicates === 'key';
				const clock = new FakeClock({ autoAdvance: true });
				// No whole minute, but a whole second, as in a `Date` header.
				clock.skip(BEGIN_MS);
				const serviceNow = () => clock.wallClock.now() + aheadMs;
				const created_at = new Date(serviceNow() - ageMs).toISOString();
				const answer = () => {
					if (clock.now() < BEGIN_MS + outageMs) return httpResponse(503, '', { 'retry-after': '600' });
					const headers = hasDate ? { date: new Date(serviceNow()).toUTCString() } : {};
					return { ...itemResponse({ id: 'run_1', created_at }), headers };
				};
				const execution = {
					...{ operation: 'workflow.run', memory: {}, dependencies: fakeDependencies(clock) },
					rest: { getMode: () => (before === 'a retry' ? 'retry' : 'trigger') },
				};
				const run = async (answer: Answer, retryFor: number) => {
					const options = { retryFor, preventDuplicates, idempotencyKey: 'k' };
					const parameters = { workflowId: 'wf_1', options };
					return await executeNode({ ...execution, parameters, answers: [answer] });
				};
				if (before === 'a lost attempt') await run(httpResponse(500, ''), 0);
				const { hints } = await run(answer, 10_800);
				const knownAgeMs = hasDate ? ageMs : ageMs - aheadMs;
				const hasSameKey = before === 'a lost attempt' && preventDuplicates !== 'off';
				const isOwn = before === 'a retry' || hasSameKey;
				const isOld = !isOwn && knownAgeMs > (hasDate && isUserKey ? 2000 : HOUR_MS);
				const oldHints = hints.filter(({ message }) => message.includes('before this request'));
				const advice = isUserKey ? "change 'Idempotency Key'" : 'Check in the workspace';
				expect(oldHints.map(({ message }) => message.includes(advice))).toEqual(isOld ? [true] : []);
			},
		),
		{ numRuns: 400 },
	);
});

test.each([
	['2026-01-01T10:00Z', 'key', 0],
	['2026-01-01 10:00', 'key', 0],
	['2026-01-01T09:59Z', 'key', 1],
	['2026-01-01', 'execution', 0],
	['2025-12-31', 'execution', 1],
])(
	'a run that was created at "%s" (Prevent Duplicates: %s), and returned at 10:00:45, gets %i hints that it existed, because its time may be rounded',
	async (created_at, preventDuplicates, count) => {
		const clock = new FakeClock({ autoAdvance: true });
		clock.skip(10 * HOUR_MS + 45_000);
		const headers = { date: new Date(clock.wallClock.now()).toUTCString() };
		const { hints } = await executeNode({
			...{ operation: 'workflow.run', dependencies: fakeDependencies(clock) },
			parameters: { workflowId: 'wf_1', options: { preventDuplicates, idempotencyKey: 'k' } },
			answers: [{ ...itemResponse({ id: 'run_1', created_at }), headers }],
		});
		expect(hints.filter(({ message }) => message.includes('before this request'))).toHaveLength(count);
	},
);

test.each(['workflow.run', 'workflow.runAndGetResults'])(
	'the log names each run that %s has started if the execution is stopped or fails before all runs are started',
	async (operation) => {
		for (const isStopped of [true, false]) {
			const controller = new AbortController();
			let starts = 0;
			const answer = ({ method, url }: IHttpRequestOptions) => {
				if (method !== 'POST') return itemResponse({ id: url.split('/').at(-1) });
				if (++starts < 3)
					return itemResponse({ id: `run_${starts} ${KEY}` }, { request_id: `req_${starts}` });
				if (isStopped) controller.abort();
				return httpResponse(isStopped ? 503 : 400, '');
			};
			const { log } = await executeNode({
				...{ operation, input: [{}, {}, {}, {}], answers: [answer] },
				parametersOf: (item) => ({ workflowId: `wf_${item}` }),
				rest: { getExecutionCancelSignal: () => controller.signal },
			});
			expect(log).toEqual(
				[1, 2].map((n) => `Prospector: run 'run_${n} [API key]' was started (request req_${n})`),
			);
		}
	},
);

test.each([
	['workflow.run', 'The run was started'],
	['workflow.runAndGetResults', 'The run was started'],
	['workflow.create', 'The Prospector workflow was created'],
])('the operation %s fails when the response has no ID', async (operation, done) => {
	const answers = [
		({ method }: IHttpRequestOptions) => itemResponse(method === 'POST' ? {} : { id: 'wf_1' }),
	];
	const { message } = await executeNode({ operation, parameters: { workflowId: 'wf_1' }, answers });
	expect(message).toBe(`${done}, but the service returned no ID (request req_1)`);
});
