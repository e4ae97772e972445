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

describe('the key of an execution', () => {
	test('is the one that every version derives for this write', async () => {
		const rest = { getWorkflow: () => ({ id: 'wf-n8n' }) };
		expect(await keyOf({ executionId: 'exec-1', rest })).toBe('n8n-2fbc2cb890ea202f67e5d50785b14ed6');
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

	test('is that of the request and not of the operation, which users can change before a retry', async () => {
		const [first, second] = await keysOf({ parameters: { operation: 'runAndGetResults', waitUpTo: 1 } });
		expect([first, second]).toEqual([await keyOf(), undefined]);
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

describe('the key of a retried execution', () => {
	const failing = { answers: [httpResponse(400, '')] };

	test('is the same with the same resume token, which is not stored', async () => {
		const { memory } = await run({ resumeUrl: TOKEN });
		expect(JSON.stringify(memory)).not.toContain('t0ken');
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
		expect(await keyOf({ memory })).toBe(await keyOf());
	});

	test('does not change while 1,000 rounds keep the stored history small', async () => {
		const memory: IDataObject = {};
		const keys = await loop(
			Array.from({ length: 1000 }, (_, i) => i),
			{ memory, resumeUrl: TOKEN },
		);
		expect(new Set(keys).size).toBe(1000);
		expect(JSON.stringify(memory).length).toBeLessThan(3000);
	});

	test('differs for two nodes with the same ID, as an imported n8n workflow may have them', async () => {
		const memory = {};
		const [first, second] = [{ ...NODE }, { ...NODE, name: 'Prospector1' }].map(
			async (node) => await keyOf({ memory, rest: { getNode: () => node } }),
		);
		expect(await second).not.toBe(await first);
	});
});

const missing = (items = '') =>
	`Duplicates could not be prevented${items}: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.`;

const REPEATED =
	"2 items have the same idempotency key, 'mine': the service does only the first of them. Include something from the item in 'Idempotency Key' under Options.";

test.each<[string, object, ExecutionOptions, unknown, string[]]>([
	['the key of the user', { preventDuplicates: 'key', idempotencyKey: ' mine ' }, {}, 'mine', [REPEATED]],
	[
		'the key of the user without an execution',
		{ preventDuplicates: 'key', idempotencyKey: 'mine' },
		NO_EXECUTION,
		'mine',
		[REPEATED],
	],
	['no key', { preventDuplicates: 'off', idempotencyKey: 'mine' }, NO_EXECUTION, null, []],
	[
		'the key of the execution, although another is left over',
		{ preventDuplicates: 'execution', idempotencyKey: 'mine' },
		{},
		expect.stringMatching(/^n8n-/),
		[],
	],
	['no key but a hint if n8n names no execution', {}, NO_EXECUTION, null, [missing(' for 2 items')]],
	[
		'no key but a hint if the ID of the execution is empty',
		{},
		{ rest: { getExecutionId: () => '' } },
		null,
		[missing(' for 2 items')],
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
	expect(log).toEqual(messages.includes(missing(' for 2 items')) ? [`Prospector: ${missing()}`] : []);
});

test('evaluates Prevent Duplicates and Idempotency Key for each item', async () => {
	const perItem = [
		{ preventDuplicates: 'key', idempotencyKey: 'a' },
		{ preventDuplicates: 'off', idempotencyKey: '' },
		{ preventDuplicates: 'execution', idempotencyKey: undefined },
		{ preventDuplicates: 'key', idempotencyKey: '' },
		{ preventDuplicates: 'none', idempotencyKey: 'b' },
	];
	const all: Record<string, unknown> = { resource: 'workflow', operation: 'run', workflowId: 'wf_1' };
	const { headers, items } = await run({
		input: perItem.map(() => ({})),
		answers: [itemResponse({ id: 'run_1' })],
		rest: {
			continueOnFail: () => true,
			getNode: () => ({ ...NODE, parameters: { options: { preventDuplicates: '={{ $json.a }}' } } }),
			getNodeParameter: (name: string, itemIndex: number, fallback: unknown) =>
				name === 'options' ? perItem[itemIndex] : (all[name] ?? fallback),
		},
	});
	expect(headers).toEqual([
		{ 'Idempotency-Key': 'a' },
		{},
		{ 'Idempotency-Key': expect.stringMatching(/^n8n-/) as unknown },
	]);
	expect(items.slice(3)).toEqual([
		{
			error:
				"'Idempotency Key' is empty [Item 3]. Enter text such as {{ $today.toISODate() }}, or set 'Prevent Duplicates' to Once per Execution.",
		},
		{
			error:
				"'Prevent Duplicates' has no option 'none' [Item 4]. An expression must give execution, key or off.",
		},
	]);
});
