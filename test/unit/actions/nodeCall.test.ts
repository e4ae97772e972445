import type { IDataObject } from 'n8n-workflow';
import {
	AS_TOOL,
	executeNode,
	httpResponse,
	itemResponse,
	NODE,
	type ExecutionOptions,
} from '../helpers/support';

const TOKEN = 'http://127.0.0.1/webhook-waiting/7?signature=t0ken';

/** Runs a Prospector workflow. */
const run = async ({ parameters, ...rest }: ExecutionOptions = {}) =>
	await executeNode({
		operation: 'workflow.run',
		parameters: { workflowId: 'wf_1', ...parameters },
		...rest,
	});
const keysOf = async (options?: ExecutionOptions) =>
	(await run(options)).headers.map((headers) => (headers as Record<string, string>)['Idempotency-Key']);
const keyOf = async (options?: ExecutionOptions) => (await keysOf(options))[0];
/** Returns the key of each run of the node in one execution. */
async function keysInLoop(runIndexes: number[], options: ExecutionOptions) {
	const keys: string[] = [];
	for (const runIndex of runIndexes) keys.push(await keyOf({ ...options, runIndex }));
	return keys;
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
/** The service may have started the run. */
const failing = { answers: [httpResponse(503, '')] };

test('the node derives the same idempotency key as its earlier versions for the same execution and item', async () => {
	const rest = { getWorkflow: () => ({ id: 'wf-n8n' }) };
	expect(await keyOf({ executionId: 'exec-1', rest })).toBe('n8n-00545efcf80b8b02c6bb733b1cfd36d8');
});

test('the idempotency key is derived from the name of the node if the node has no ID', async () => {
	const keyOfNode = async (node: object) => await keyOf({ rest: { getNode: () => ({ ...NODE, ...node }) } });
	expect(await keyOfNode({ id: '' })).toBe(await keyOfNode({ id: 'Prospector' }));
	const rest = { getNode: () => ({ ...NODE, id: '', name: 'Other' }) };
	const memory = {};
	await keyOf({ memory, rest: { getNode: () => ({ ...NODE, id: '' }) } });
	expect(await keyOf({ memory, rest })).toBe(await keyOf({ rest }));
});

test('the idempotency key stays the same if only the request body differs', async () => {
	const keyOfName = async (name: string) =>
		(await executeNode({ operation: 'workflow.create', parameters: { fields: { name } } })).headers[0];
	expect(await keyOfName('a')).toEqual(await keyOfName('b'));
});

test.each([
	['stays the same', 'the same values', 'a'],
	['changes', 'other values', 'b'],
])(
	'the idempotency key of a write that was refused in a retry %s if the next retry has %s',
	async (outcome, _, name) => {
		const retry = { memory: {}, resumeUrl: TOKEN, rest: { getMode: () => 'retry' } };
		const options = { ...retry, operation: 'workflow.create', answers: [httpResponse(400, '')] };
		const headersWith = async (fields: object, executionId: string) =>
			JSON.stringify((await executeNode({ ...options, executionId, parameters: { fields } })).headers);
		const refused = await headersWith({ name: 'a' }, '2');
		expect((await headersWith({ name }, '3')) === refused).toBe(outcome === 'stays the same');
	},
);

test('a retry has the same idempotency key if its resume URL has the same token, which the node never stores', async () => {
	const { memory } = await run({ resumeUrl: TOKEN });
	expect(JSON.stringify(memory)).not.toContain('t0ken');
	const sameToken = 'https://n8n.example/x?a=1&signature=t0ken#x';
	expect(await keyOf({ resumeUrl: sameToken, executionId: '9' })).toBe(await keyOf({ resumeUrl: TOKEN }));
});

const PLAIN_URL = 'http://127.0.0.1/x';
test.each([undefined, '', 'x?signature=t', PLAIN_URL, `${PLAIN_URL}?signature=`, { href: TOKEN }])(
	'a retry has the idempotency key of the first execution, and another one after a refusal, if the resume URL (%j) has no usable token',
	async (resumeUrl) => {
		const first = await keyOf({ executionId: '7' });
		/** Returns the keys of an execution and its retries, of which each gets one of the statuses. */
		async function keysAfter(statuses: number[]) {
			const memory = {};
			const keys: string[] = [];
			for (const [index, status] of statuses.entries()) {
				const rest = { getMode: () => (index === 0 ? 'trigger' : 'retry') };
				const executionId = String(index + 7);
				const answers = [httpResponse(status, '')];
				keys.push(await keyOf({ executionId, resumeUrl, memory, answers, rest }));
			}
			return keys;
		}
		expect(await keysAfter([409, 429, 400, 400])).toEqual([first, first, first, first]);
		const [refused, next, ...later] = await keysAfter([400, 400, 503, 400]);
		expect([refused, ...later]).toEqual([first, next, next]);
		expect([next, await keyOf({ executionId: '8', resumeUrl })]).not.toContain(first);
	},
);

test.each([
	['the node has failed', 2, 2],
	['the process was killed', 2, 4],
	['the process was killed in the first iteration', 0, 3],
])(
	'a retry reuses the idempotency key of the failed loop iteration when %s',
	async (_, roundsEnded, runIndex) => {
		const memory = {};
		await keysInLoop(upTo(roundsEnded), { memory, resumeUrl: TOKEN });
		const failed = await keyOf({ memory, resumeUrl: TOKEN, runIndex: roundsEnded, ...failing });
		const retry = { memory, resumeUrl: TOKEN, executionId: 'execution-2' };
		expect(await keyOf({ ...retry, runIndex, ...failing })).toBe(failed);
		// An AI agent continues after a call that fails.
		expect(await keyOf({ ...retry, runIndex: runIndex + 2, ...failing })).not.toBe(failed);
		const [again, next] = await keysInLoop([runIndex, runIndex + 1], retry);
		expect([again === failed, next === failed]).toEqual([true, false]);
	},
);

test('a tool call reuses the idempotency key of a failed call with the same ID, and in a retried execution that of a failed call with any ID, even after a kill', async () => {
	for (const toolCallId of ['a', 'b']) {
		const tool = { memory: {}, resumeUrl: TOKEN, rest: AS_TOOL, input: [{ toolCallId: 'a' }] };
		const failed = await keyOf({ ...tool, ...failing });
		expect(await keyOf(tool)).toBe(failed);
		expect(await keyOf({ ...tool, memory: {}, input: [{ toolCallId }], executionId: '2' })).toBe(failed);
		const next = await keyOf({ ...tool, ...failing });
		const retried = { ...tool, input: [{ toolCallId }], executionId: 'execution-2' };
		expect(await keyOf(retried)).toBe(next);
		expect(await keyOf(retried)).not.toBe(next);
	}
	const withoutId = { memory: {}, resumeUrl: TOKEN, rest: AS_TOOL };
	expect(await keyOf({ ...withoutId, ...failing })).not.toBe(await keyOf(withoutId));
});

test('retried tool calls reuse the idempotency keys of the failed calls if another call has succeeded, in whatever order the model calls the tool', async () => {
	const tool = { memory: {}, resumeUrl: TOKEN, rest: AS_TOOL };
	const callFor = async (workflowId: string, runIndex: number, rest: ExecutionOptions) =>
		await keyOf({ ...tool, ...rest, runIndex, parameters: { workflowId } });
	const lost = [await callFor('wf_1', 0, failing), await callFor('wf_2', 1, failing)];
	await callFor('wf_3', 2, {});
	const retry = { executionId: 'execution-2' };
	const again = [await callFor('wf_2', 0, retry), await callFor('wf_1', 1, retry)];
	expect(again.reverse()).toEqual(lost);
});

test.each([
	['was lost', failing.answers],
	['got a response without an ID', [itemResponse({})]],
])(
	'the idempotency key stays the same after an attempt that %s even if the service refuses the next attempt',
	async (_, answers) => {
		const attempt = { memory: {}, resumeUrl: TOKEN };
		const unclear = await keyOf({ ...attempt, answers });
		const refused = await keyOf({ ...attempt, answers: [httpResponse(403, '')] });
		const retried = await keyOf({ ...attempt, executionId: 'execution-2' });
		expect([refused, retried]).toEqual([unclear, unclear]);
	},
);

test('a retry sends only what was not done even if its items have the keys of the user in another order', async () => {
	const attempt = async (keys: string[], options: ExecutionOptions) =>
		await keysOf({
			...{ input: keys.map(() => ({})), ...options },
			parametersOf: (i) => ({ options: { retryFor: 0, preventDuplicates: 'key', idempotencyKey: keys[i] } }),
		});
	const memory = {};
	await attempt(['a', 'b'], { memory, answers: [itemResponse({ id: 'run_1' }), httpResponse(503, '')] });
	expect(await attempt(['b', 'a'], { memory, executionId: 'execution-2' })).toEqual(['b']);
});

const create = async (count: number, options: ExecutionOptions) =>
	await executeNode({ operation: 'workflow.create', input: Array(count).fill({}), ...options });
const created = itemResponse({ id: 'wf_1' });

test('a later iteration of a loop creates its own Prospector workflow if a retry has fewer items than before', async () => {
	const memory = {};
	const first = await create(3, { memory, answers: [created, created, httpResponse(503, '')] });
	const retry = { memory, executionId: 'execution-2', rest: { getMode: () => 'retry' } };
	expect((await create(1, retry)).requests).toEqual([]);
	const { headers } = await create(1, { ...retry, runIndex: 1 });
	expect(headers).toHaveLength(1);
	expect(first.headers).not.toContainEqual(headers[0]);
});

test('a later iteration of a loop creates its own Prospector workflow if a retry continues the loop after another node has failed', async () => {
	const loop = { memory: {}, resumeUrl: TOKEN, answers: [created] };
	const first = await create(1, loop);
	const later = await create(1, { ...loop, executionId: 'execution-2', runIndex: 1 });
	expect(later.headers).not.toEqual(first.headers);
});

test('no run is started twice or reported as an existing one if n8n runs the node again an hour after an item has failed and On Error is Continue', async () => {
	const execution = { memory: {}, input: [{}, {}], rest: { continueOnFail: () => true } };
	const old = itemResponse({ id: 'run_1', created_at: '2025-12-31T22:00:00Z' });
	const [, lost] = await keysOf({ ...execution, answers: [old, ...failing.answers] });
	const { headers, hints } = await run(execution);
	expect([headers, hints]).toEqual([[{ 'Idempotency-Key': lost }], []]);
});

test('a tool call keeps its idempotency key if n8n repeats it after a failed item and On Error is Continue', async () => {
	const call = { memory: {}, input: [{ toolCallId: 'a' }], rest: { ...AS_TOOL, continueOnFail: () => true } };
	const lost = await keyOf({ ...call, ...failing });
	expect(await keyOf(call)).toBe(lost);
	expect(await keyOf(call)).not.toBe(lost);
});

test('the idempotency key does not change if an operation without an idempotency key ran before', async () => {
	const memory: IDataObject = {};
	await executeNode({ operation: 'workflow.get', parameters: { workflowId: 'wf_1' }, memory });
	expect(await keyOf({ memory })).toBe(await keyOf());
});

test('a loop of 1,000 iterations has 1,000 distinct idempotency keys and stores less than 3 kB', async () => {
	const memory: IDataObject = {};
	const keys = await keysInLoop(upTo(1000), { memory, resumeUrl: TOKEN });
	expect(new Set(keys).size).toBe(1000);
	expect(JSON.stringify(memory).length).toBeLessThan(3000);
});

test('two nodes have different idempotency keys even if both have the same node ID', async () => {
	const memory = {};
	const keyOfNode = async (node: object) => await keyOf({ memory, rest: { getNode: () => node } });
	expect(await keyOfNode(NODE)).not.toBe(await keyOfNode({ ...NODE, name: 'Prospector1' }));
});

test.each([undefined, ''])(
	'the node sends no idempotency key, and says so in one hint, if the execution ID is %p',
	async (executionId) => {
		const rest = { getExecutionId: () => executionId };
		const answers = ['run_1', 'run_2'].map((id) => itemResponse({ id }));
		const { headers, hints, items } = await run({ input: [{}, {}], rest, answers });
		expect(headers).toEqual([{}, {}]);
		expect(items.map(({ idempotency_key }) => idempotency_key)).toEqual([null, null]);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('Duplicates could not be prevented') as unknown },
		]);
	},
);

test('the first tool call of a retried execution gets the keys of the oldest call whose creations were lost', async () => {
	const execution = { memory: {}, resumeUrl: TOKEN, rest: AS_TOOL, ...failing };
	const parameters = { enterValues: 'json', jsonBody: '{}' };
	const create = async (executionId: string, toolCallId: string) => {
		const call = { executionId, input: [{ toolCallId }], parameters };
		const { headers } = await executeNode({ operation: 'workflow.create', ...execution, ...call });
		return (headers[0] as Record<string, string>)['Idempotency-Key'];
	};
	const keys: string[] = [];
	for (const index of upTo(3)) keys.push(await create('1', `call_${index}`));
	expect(new Set(keys).size).toBe(3);
	expect(await create('2', 'call_a')).toBe(keys[0]);
});
