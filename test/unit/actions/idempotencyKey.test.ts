import type { IDataObject } from 'n8n-workflow';
import { executeNode, httpResponse, itemResponse, NODE, type ExecutionOptions } from '../helpers/support';

const TOKEN = 'http://127.0.0.1/webhook-waiting/7?signature=t0ken';
const NO_EXECUTION = { rest: { getExecutionId: () => undefined } };

/** Runs a Prospector workflow, and returns what was sent and what n8n shows. */
async function run({ parameters, ...rest }: ExecutionOptions = {}) {
	return await executeNode({
		operation: 'workflow.run',
		parameters: { workflowId: 'wf_1', ...parameters },
		...rest,
	});
}

const keysOf = async (options?: ExecutionOptions) =>
	(await run(options)).headers.map((headers) => (headers as Record<string, string>)['Idempotency-Key']);
const keyOf = async (options?: ExecutionOptions) => (await keysOf(options))[0];

describe('the automatic key', () => {
	test('is the one that every version has derived for this write', async () => {
		const rest = { getWorkflow: () => ({ id: 'wf-n8n' }) };
		expect(await keyOf({ executionId: 'exec-1', rest })).toBe('n8n-5e60d529a5b60c9a8b5b337c25090010');
	});

	test('differs if any part of the write differs', async () => {
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

	test('contains the name of a node without an ID', async () => {
		const [byName, byId] = await Promise.all(
			[{ id: '' }, { id: 'Prospector' }].map(
				async (node) => await keyOf({ rest: { getNode: () => ({ ...NODE, ...node }) } }),
			),
		);
		expect(byName).toBe(byId);
	});

	test('is the same for another payload', async () => {
		const keys = ['a', 'b'].map(
			async (name) =>
				(await executeNode({ operation: 'workflow.create', parameters: { fields: { name } } })).headers[0],
		);
		expect(await keys[0]).toEqual(await keys[1]);
	});
});

describe('the automatic key of a retry', () => {
	const failing = { answers: [httpResponse(400, '')] };

	test('is the same with the same resume token, which is not stored', async () => {
		const { memory } = await run({ resumeUrl: TOKEN });
		expect(memory).toEqual({
			prospectorFirstRun: { execution: 'execution-1', index: 0 },
			prospectorRunsEnded: 1,
		});
		const urls = [TOKEN, 'https://n8n.example/x?a=1&signature=t0ken#x'];
		const keys = urls.map(async (resumeUrl, i) => await keyOf({ resumeUrl, executionId: `${i}` }));
		expect(await keys[0]).toBe(await keys[1]);
	});

	test.each([
		undefined,
		'',
		'x?signature=t',
		'http://127.0.0.1/x',
		'http://127.0.0.1/x?signature=',
		{ href: TOKEN },
	])('is that of the first execution without a resume token (resume URL %j)', async (resumeUrl) => {
		const memory = {};
		const first = await keyOf({ executionId: '7' });
		for (const executionId of ['7', '8', '9']) {
			expect(await keyOf({ executionId, resumeUrl, memory, ...failing })).toBe(first);
		}
		expect(await keyOf({ executionId: '8', resumeUrl })).not.toBe(first);
	});

	test('works if n8n shows nothing about the execution', async () => {
		expect(await keyOf({ rest: { getWorkflowDataProxy: () => ({ $runIndex: 0 }) } })).toBe(await keyOf());
	});

	/** The key of each run of the node, in one execution. */
	async function loop(runIndexes: number[], options: ExecutionOptions) {
		const keys: string[] = [];
		for (const runIndex of runIndexes) keys.push(await keyOf({ ...options, runIndex }));
		return keys;
	}

	test('differs in each round of a loop, also if n8n does not count from 0', async () => {
		const keys = await loop([0, 1, 2], { memory: {} });
		expect(new Set(keys).size).toBe(3);
		expect(await loop([1, 2, 3], { memory: {} })).toEqual(keys);
	});

	test.each([
		['the failed node', 2, 2],
		['a killed process', 2, 4],
		['a killed process in the first round', 0, 3],
	])('is the same in a later round after %s', async (_, roundsEnded, runIndex) => {
		const memory = {};
		await loop(
			Array.from({ length: roundsEnded }, (__, i) => i),
			{ memory, resumeUrl: TOKEN },
		);
		const failed = await keyOf({ memory, resumeUrl: TOKEN, runIndex: roundsEnded, ...failing });
		const retry = { memory, resumeUrl: TOKEN, executionId: 'execution-2' };
		expect(await keyOf({ ...retry, runIndex, ...failing })).toBe(failed);
		expect(await loop([runIndex, runIndex + 1], retry)).toEqual([failed, expect.not.stringMatching(failed)]);
	});

	test('does not depend on operations without a key', async () => {
		const memory: IDataObject = {};
		await executeNode({ operation: 'workflow.get', parameters: { workflowId: 'wf_1' }, memory });
		expect(memory).toEqual({});
	});
});

const IGNORED = "since 'Prevent Duplicates' is Automatic. Set it to Custom to use the key.";
const MISSING =
	'since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Prevent Duplicates to Custom and give a key.';

test.each<[string, object, ExecutionOptions, unknown, string[]]>([
	['the given key', { idempotencyKey: ' mine ' }, {}, 'mine', []],
	['the given key without an execution', { idempotencyKey: 'mine' }, NO_EXECUTION, 'mine', []],
	['no key', { preventDuplicates: 'off', idempotencyKey: 'mine' }, NO_EXECUTION, null, []],
	[
		'the automatic key and a hint if a given one is ignored',
		{ preventDuplicates: 'execution', idempotencyKey: 'mine' },
		{},
		expect.stringMatching(/^n8n-/),
		[`The given 'Idempotency Key' was not used for 2 items, ${IGNORED}`],
	],
	[
		'no key but a hint if n8n names no execution',
		{},
		NO_EXECUTION,
		null,
		[`No idempotency key was sent for 2 items, ${MISSING}`],
	],
	[
		'no key but a hint if the ID of the execution is empty',
		{},
		{ rest: { getExecutionId: () => '' } },
		null,
		[`No idempotency key was sent for 2 items, ${MISSING}`],
	],
])('sends and returns %s', async (_, options, execution, key, messages) => {
	const { items, headers, hints, log } = await run({
		parameters: { options },
		input: [{}, {}],
		answers: [itemResponse({ id: 'run_1', idempotency_key: 'of the service' })],
		...execution,
	});
	expect(headers).toEqual(Array(2).fill(key === null ? {} : { 'Idempotency-Key': key }));
	expect(items).toEqual(Array(2).fill({ id: 'run_1', idempotency_key: key, request_id: 'req_1' }));
	expect(hints.map(({ message }) => message)).toEqual(messages);
	expect(log).toEqual(
		messages.some((message) => message.startsWith('No'))
			? [`Prospector: No idempotency key was sent, ${MISSING}`]
			: [],
	);
});
