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
const failing = { answers: [httpResponse(400, '')] };

test('the node derives the same idempotency key as its earlier versions for the same execution and item', async () => {
	const rest = { getWorkflow: () => ({ id: 'wf-n8n' }) };
	expect(await keyOf({ executionId: 'exec-1', rest })).toBe('n8n-2fbc2cb890ea202f67e5d50785b14ed6');
});

test('the idempotency key differs if the instance, execution, node, item or Prospector workflow differs', async () => {
	const others: ExecutionOptions[] = [
		{},
		{ parameters: { workflowId: 'wf_2' } },
		{ executionId: 'execution-2' },
		{ resumeUrl: TOKEN },
		{ resumeUrl: `${TOKEN}2` },
		{ rest: { getInstanceId: () => 'instance-2' } },
		{ rest: { getInstanceId: () => 'instance-1workflow', getWorkflow: () => ({ id: '-1' }) } },
		{ rest: { getWorkflow: () => ({ id: 'workflow-2' }) } },
		{ rest: { getWorkflow: () => ({}) } },
		{ rest: { getNode: () => ({ ...NODE, id: 'node-2' }) } },
	];
	const keys = await Promise.all([...others.map(keyOf), keysOf({ input: [{}, {}, {}] })]);
	const [first, ...items] = keys.at(-1) as string[];
	expect(first).toBe(keys[0]);
	const distinct = new Set([...keys.slice(0, -1), ...items]);
	expect(distinct.size).toBe(others.length + 2);
	for (const key of distinct) expect(key).toMatch(/^n8n-[0-9a-f]{32}$/);
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

test('a retry has the same idempotency key if its resume URL has the same token, which the node never stores', async () => {
	const { memory } = await run({ resumeUrl: TOKEN });
	expect(JSON.stringify(memory)).not.toContain('t0ken');
	const sameToken = 'https://n8n.example/x?a=1&signature=t0ken#x';
	expect(await keyOf({ resumeUrl: sameToken, executionId: '9' })).toBe(await keyOf({ resumeUrl: TOKEN }));
});

test.each([
	undefined,
	'',
	'x?signature=t',
	'http://127.0.0.1/x',
	'http://127.0.0.1/x?signature=',
	{ href: TOKEN },
])(
	'a retry has the idempotency key of the first execution if the resume URL is %j, which has no usable token',
	async (resumeUrl) => {
		const memory = {};
		const first = await keyOf({ executionId: '7' });
		for (const executionId of ['7', '8', '9']) {
			expect(await keyOf({ executionId, resumeUrl, memory, ...failing })).toBe(first);
		}
		expect(await keyOf({ executionId: '8', resumeUrl })).not.toBe(first);
	},
);

test('a loop has the same idempotency keys if n8n counts its iterations from 1 instead of 0', async () => {
	expect(await keysInLoop([1, 2, 3], { memory: {} })).toEqual(await keysInLoop([0, 1, 2], { memory: {} }));
});

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

test('a retry does not reuse the idempotency key of an earlier success if On Error is Continue', async () => {
	const options = { memory: {}, resumeUrl: TOKEN, rest: { continueOnFail: () => true } };
	const key = await keyOf(options);
	expect(await keyOf({ ...options, runIndex: 1, executionId: 'execution-2' })).not.toBe(key);
});

test('a tool call that is repeated with the same ID keeps its idempotency key even if an earlier tool call has failed', async () => {
	const tool = { memory: {}, resumeUrl: TOKEN, rest: AS_TOOL };
	await keyOf({ ...tool, input: [{ toolCallId: 'a' }], ...failing });
	const key = await keyOf({ ...tool, input: [{ toolCallId: 'b' }] });
	expect(await keyOf({ ...tool, input: [{ toolCallId: 'b' }], executionId: 'execution-2' })).toBe(key);
});

test('a retried execution reuses the idempotency key of a repeated tool call that failed, even if the new call has another ID', async () => {
	const tool = { memory: {}, resumeUrl: TOKEN, rest: AS_TOOL, input: [{ toolCallId: 'a' }] };
	const key = await keyOf(tool);
	await keyOf({ ...tool, ...failing });
	expect(await keyOf({ ...tool, input: [{ toolCallId: 'b' }], executionId: 'execution-2' })).toBe(key);
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
	'the node sends no idempotency key and logs this once if the execution ID is %p',
	async (executionId) => {
		const rest = { getExecutionId: () => executionId };
		const { headers, hints, log } = await run({ input: [{}, {}], rest });
		expect(headers).toEqual([{}, {}]);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('Duplicates could not be prevented') as unknown },
		]);
		expect(log).toEqual([expect.stringMatching(/^Prospector: Duplicates could not be prevented: /)]);
	},
);

test.each([
	["n8n's clock is 2 h ahead", '2025-12-31T22:00:00Z', '2025-12-31T22:00:01Z', false],
	["n8n's clock is 2 h behind", '2026-01-01T00:00:00Z', '2026-01-01T02:00:00Z', true],
	['the service sends no time', '2025-12-31T23:00:00Z', undefined, false],
	['the service sends no time', '2025-12-31T22:59:59Z', undefined, true],
])(
	'a hint says that a run is old only if it is over 1 h old (%s, created at %s, response at %s, hint: %j)',
	async (_, created_at, date, isOld) => {
		const answers = [httpResponse(200, { data: { id: 'run_1', created_at }, request_id: 'req_1' }, { date })];
		const { hints } = await run({ answers });
		const message = expect.stringContaining("Run 'run_1' was created at ") as unknown;
		expect(hints).toMatchObject(isOld ? [{ message }] : []);
	},
);

test('the hint about an old run counts the old runs of all input items', async () => {
	const answers = [1, 2].map((n) => itemResponse({ id: `run_${n}`, created_at: '2020-01-01T00:00:00Z' }));
	const { hints } = await run({ input: [{}, {}], answers });
	expect(hints[0].message).toContain(', and 1 more likewise: ');
});
