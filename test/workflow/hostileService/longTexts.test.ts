import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { byId } from '../../nodes';
import { outcomeOf, startHostileBench, type HostileBench } from './bench';
import { json, list, one, respond, type Answer } from './service';

/** Message and description together. */
const MAX_LENGTH = 2000;
const LONG = 'x'.repeat(5_000_000);

let bench: HostileBench;
beforeAll(async () => (bench = await startHostileBench()));
afterAll(async () => await bench.close());

const waiting = { waitForCompletion: true, options: { maxWait: 1, requestTimeout: 10 } };
const waitForRun = { resource: 'run', operation: 'get', runId: byId('run_1'), ...waiting };
const startAndWait = { resource: 'workflow', operation: 'run', workflowId: byId('wf_1'), ...waiting };
const read = { resource: 'run', operation: 'get', runId: byId('run_1'), options: { maxWait: 0 } };
const readAll = { resource: 'workflow', operation: 'getAll', returnAll: true, options: { maxWait: 0 } };

const cases: Array<[string, IDataObject, Answer]> = [
	['the status of a run that is waited for', waitForRun, one({ id: 'run_1', status: LONG })],
	['the status of a started run', startAndWait, one({ id: 'run_1', status: LONG })],
	[
		'the status that ends a run badly',
		{ ...waitForRun, options: { ...waiting.options, failedStatuses: LONG } },
		one({ id: 'run_1', status: LONG }),
	],
	['the id of a started run', startAndWait, one({ id: LONG, status: 'queued' })],
	[
		'the request id of a run that is waited for',
		waitForRun,
		json({ data: { id: 'run_1', status: 'queued' }, request_id: LONG }),
	],
	['an error message', read, json({ error: { message: LONG } }, 500)],
	['a plain error', read, respond(500, LONG, [['content-type', 'text/plain']])],
	['JSON without any message', read, json({ [LONG]: LONG }, 400)],
	['the request id of an error', read, json({ error: { message: 'No', request_id: LONG } }, 400)],
	['something that is not JSON', read, respond(200, LONG)],
	['a cursor that repeats', readAll, list([{ id: 'a' }], LONG)],
];

describe.each(cases)('When %s has 5 MB', (_, parameters, answer) => {
	it('shows a message of at most 2 kB', async () => {
		const target = await bench.target(answer);
		const { hasEnded, words } = await outcomeOf(async () => await target.items(parameters), 20_000);
		expect(hasEnded).toBe(true);
		expect(words).not.toBe('');
		expect(words.length).toBeLessThanOrEqual(MAX_LENGTH);
	});

	it('emits a message of at most 2 kB when On Error is Continue', async () => {
		const target = await bench.target(answer);
		const { value } = await outcomeOf(
			async () => await target.items(parameters, [{}], { onError: 'continueRegularOutput' }),
			20_000,
		);
		const [{ json: item }] = value as INodeExecutionData[];
		expect(Object.keys(item)).toEqual(['error']);
		expect(String(item.error).length).toBeLessThanOrEqual(MAX_LENGTH);
	});
});

it.each([
	['a run', one({ id: 'run_1', status: 'completed' })],
	['nothing', json({ error: LONG }, 401)],
])('stores at most 200 characters of a request id: %s', async (_, answer) => {
	const id = 'r'.repeat(201);
	const target = await bench.target((socket, request) => {
		const write = socket.write.bind(socket);
		// The head is the first thing that is written.
		socket.write = ((text: string) => {
			socket.write = write;
			return write(text.replace('\r\n\r\n', `\r\nx-request-id: ${id}\r\n\r\n`));
		}) as typeof socket.write;
		answer(socket, request);
	});
	const { words } = await outcomeOf(async () => await target.items(read), 5000);
	expect(words).not.toContain(id);
});

it('lists entries with names of at most 2 kB in the picker', async () => {
	const target = await bench.target(list([{ id: 'wf_1', name: LONG, status: LONG, created_at: LONG }]));
	const { results } = await target.ask<{ results: Array<{ name: string }> }>('listSearch', 'searchWorkflows');
	for (const { name } of results) expect(name.length).toBeLessThanOrEqual(MAX_LENGTH);
});

it('answers a credential test with at most 2 kB', async () => {
	const target = await bench.target(json({ error: { message: LONG } }, 500));
	expect((await target.testCredential()).message.length).toBeLessThanOrEqual(MAX_LENGTH);
});
