/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { Readable } from 'node:stream';
import type { ICredentialTestFunctions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import type { Dependencies } from '../../nodes/Prospector/transport/dependencies';
import { longestTurn } from '../longestTurn';
import { minimumOfTen, slowdown } from '../processorTime';
import { ActiveTrigger, VirtualTime } from '../simulator/activeTrigger';
import { fakeDependencies } from './helpers/fakeClock';
import { AS_TOOL, CREDENTIAL_DATA, fakeEditor, fakeExecution, listResponse } from './helpers/support';

// Up to ten measurements.
jest.setTimeout(180_000);

const MB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

const repeat = (count: number, toText: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => toText(index)).join();
const list = (count: number, toFields: (index: number) => string) =>
	`{"data":[${repeat(count, (i) => `{"id":"item_${i}",${toFields(i)}}`)}],"pagination":{"has_more":false},"request_id":"req_1"}`;
const times = '"created_at":"2026-03-01T08:00:00Z","updated_at":"2026-03-01T08:00:00Z"';

const LEADS = '4 MB of 18,900 leads';
const EDITOR_LEADS = '1 MB of 4,700 leads';
const RESOURCE = 'a resource of 1 MB';

const leadFields = (i: number) =>
	`"object":"lead",${times},"lead_id":"lead_${i}","company_name":"Company ${i}","city":"Graz","note":"${'x'.repeat(25)}"`;

/** Bodies of responses. */
const CONTENTS: Record<string, () => string> = {
	[LEADS]: () => list(18_900, leadFields),
	[EDITOR_LEADS]: () => list(4_700, leadFields),
	[RESOURCE]: () => {
		const fields = repeat(9_900, (j) => `"field_${j}":"${'x'.repeat(85)}"`);
		return `{"data":{"id":"wf_1",${fields}},"request_id":"req_1"}`;
	},
	'100,000 items': () => list(100_000, () => '"a":0'),
	'210 items with 900 fields each': () =>
		list(210, (i) => repeat(900, (j) => `"f_${i}_${j}":"some value ${j}"`)),
	'items with 10,000 fields': () => list(8, (i) => repeat(9_900, (j) => `"f_${i}_${j}":${j}`)),
	'texts of 1 MB': () => list(30, () => `"name":"${'x'.repeat(MB - 100)}"`),
	'names that are slow to normalize': () => list(60, () => `"name":"${'\u0301\u0316'.repeat(100_000)}"`),
	'values on 900 levels': () => list(500, () => `"a":${'['.repeat(900)}${']'.repeat(900)}`),
	'numbers that become text': () => list(20_000, (i) => `"n":1e400,"m":${'9'.repeat(16)},"i":${i}`),
	'a text of 31 MB': () => list(1, () => `"name":"${'x'.repeat(31 * MB)}"`),
	'780,000 items': () => list(780_000, () => '"a":0'),
	'an object with 87,000 fields': () => list(1, () => repeat(87_000, (j) => `"field_${j}":"${j}"`)),
	'8 MB of brackets': () => '['.repeat(8 * MB),
	'8 MB of commas': () => `[${','.repeat(8 * MB)}`,
};

/** Delivers bytes as a socket does: in chunks, each in a turn of its own. */
const streamOf = (bytes: Buffer) =>
	Readable.from(
		(async function* () {
			for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
				await new Promise((resolve) => setImmediate(resolve));
				yield bytes.subarray(start, start + CHUNK_BYTES);
			}
		})(),
	);

/** Returns the longest turn in milliseconds: the minimum of up to ten measurements. */
const longestOf = async (limitMs: number, task: (dependencies: Dependencies) => Promise<unknown>) =>
	await minimumOfTen(async () => {
		const longestMs = await longestTurn(async (turns) => await task({ ...fakeDependencies(), turns }));
		// On a busy machine, other threads of the processor slow the main thread down.
		return longestMs / (await slowdown());
	}, limitMs);

const streamResponse = (body: string | Buffer) => ({
	...{ statusCode: 200, headers: {}, body: streamOf(Buffer.from(body)) },
});

type Answer = (request: IHttpRequestOptions) => unknown;
type Task = (answer: Answer, dependencies: Dependencies) => Promise<unknown>;

const execute =
	(operation: string, parameters: IDataObject, rest?: object): Task =>
	async (answer, dependencies) => {
		const [resource, name] = operation.split('.');
		const all = { resource, operation: name, returnAll: true, options: { retryFor: 0 }, ...parameters };
		const { context } = fakeExecution({ parameters: all, answers: [answer], rest });
		return await new Prospector(dependencies).execute.call(context);
	};

const callEditor =
	(call: (methods: Prospector['methods'], context: never) => Promise<unknown>): Task =>
	async (answer, dependencies) =>
		await call(new Prospector(dependencies).methods, fakeEditor([answer], {}).context as never);

const filters = { sort: { creationTime: 'newestFirst' }, options: { status: 'done, completed' } };

const TASKS: Record<string, Task> = {
	'Get Many': execute('result.getAll', { runId: 'run_1', simplify: true }),
	'Get Many of all fields': execute('result.getAll', { runId: 'run_1' }),
	'Get Many with Sort and Status': execute('run.getAll', { workflowId: 'wf_1', ...filters }),
	'Return One Page': execute('workflow.getAll', { options: { returnOnePage: true } }),
	'a tool': execute('result.getAll', { runId: 'run_1', output: 'raw' }, AS_TOOL),
	Get: execute('workflow.get', { workflowId: 'wf_1' }),
	Update: execute('workflow.update', { workflowId: 'wf_1', enterValues: 'json', jsonBody: '{}' }),
	'the search of Prospector workflows': callEditor(
		async ({ listSearch }, context) => await listSearch.searchWorkflows.call(context, 'company'),
	),
	'the search of runs': callEditor(
		async ({ listSearch }, context) => await listSearch.searchRuns.call(context),
	),
	'the mapper': callEditor(
		async ({ resourceMapping }, context) => await resourceMapping.getWorkflowFields.call(context),
	),
	'the credential test': async (answer, dependencies) => {
		const context = { helpers: { request: answer } } as unknown as ICredentialTestFunctions;
		const { prospectorApiTest } = new Prospector(dependencies).methods.credentialTest;
		return await prospectorApiTest.call(context, { data: CREDENTIAL_DATA } as never);
	},
	'a poll': async (answer, { turns }) => {
		const time = new VirtualTime();
		time.dependencies.turns = turns;
		const send = async (request: IHttpRequestOptions) =>
			request.url.endsWith('/runs') ? answer(request) : listResponse([{ id: 'wf_1' }]);
		const trigger = new ActiveTrigger(time, send as never, {
			...{ event: 'newRun', watch: 'all' },
			options: { includeExisting: true, maxItems: 10_000, maxRequests: 100 } as never,
		});
		return await trigger.activate();
	},
};

/** What each task reads at most. */
const LARGEST = new Map([
	...['Get', 'Update', 'the credential test'].map((task): [string, string] => [task, RESOURCE]),
	...Object.keys(TASKS)
		.filter((task) => /search|mapper/.test(task))
		.map((task): [string, string] => [task, EDITOR_LEADS]),
]);

const pairs =
	process.env.TURN_PAIRS === 'all'
		? Object.keys(TASKS).flatMap((task) => Object.keys(CONTENTS).map((content) => [task, content]))
		: [
				...Object.keys(TASKS).map((task) => [task, LARGEST.get(task) ?? LEADS]),
				...Object.keys(CONTENTS).map((content) => ['Get Many', content]),
				...['texts of 1 MB', 'names that are slow to normalize'].map((content) => ['a tool', content]),
			];

test.each(pairs)('%s never blocks n8n for more than 50 ms when it receives %s', async (task, content) => {
	const body = Buffer.from(CONTENTS[content]());
	const answer: Answer = () => streamResponse(body);
	const limitMs = content === LEADS ? 30 : 50;
	let result: unknown;
	const execution = async (dependencies: Dependencies) =>
		(result = await TASKS[task](answer, dependencies).catch(({ message }: Error) => message));
	expect(await longestOf(limitMs, execution)).toBeLessThan(limitMs);
	// Otherwise, it has not worked at all.
	if (content === (LARGEST.get(task) ?? LEADS)) expect(result).not.toEqual(expect.any(String));
});

test.each([
	['200 KB of letters that are slow to normalize', JSON.stringify({ name: '\u0301\u0316'.repeat(50_000) })],
	[
		'1 MB of objects with different fields',
		`{"a":[${repeat(80_000, (i) => `{"k${i}":0}`).slice(0, MB - 100)}]}`,
	],
	['1 MB of nested lists', `{"a":[${repeat(500, () => '['.repeat(900) + ']'.repeat(900))}]}`],
])(
	'Create never blocks n8n for more than 50 ms when JSON has %s, and the service returns it',
	async (_, jsonBody) => {
		const answer: Answer = ({ body }) =>
			streamResponse(`{"data":{"id":"wf_1",${String(body).slice(1)},"request_id":"req_1"}`);
		const task = execute('workflow.create', { enterValues: 'json', jsonBody });
		const execution = async (dependencies: Dependencies) => await task(answer, dependencies).catch(() => {});
		expect(await longestOf(50, execution)).toBeLessThan(50);
	},
);

test('five items that are read at the same time never block n8n for more than 50 ms', async () => {
	const body = Buffer.from(CONTENTS[LEADS]());
	const answer: Answer = () => streamResponse(body);
	const { context } = fakeExecution({
		parameters: { resource: 'result', operation: 'getAll', runId: 'run_1', returnAll: true },
		input: Array(5).fill({}),
		answers: [answer],
	});
	const execution = async (dependencies: Dependencies) =>
		await new Prospector(dependencies).execute.call(context);
	expect(await longestOf(50, execution)).toBeLessThan(50);
});
