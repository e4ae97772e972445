import type { IDataObject } from 'n8n-workflow';
import { byTitle, inputFor, parametersFor } from './everyOperation';
import { byId, startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
afterAll(async () => await bench.close());
beforeEach(() => bench.prepare());

const SIMPLE: Record<string, string[]> = {
	config: ['id', 'request_id', 'states', 'timezone'],
	workflow: ['id', 'name', 'request_id', 'status'],
	run: ['created_at', 'id', 'request_id', 'status', 'workflow_id'],
	result: ['company_name', 'id', 'lead_id', 'request_id'],
};
const reading = byTitle.filter(([, { method, resource }]) => method === 'GET' && resource !== 'identity');
const keysOf = (json: IDataObject) => Object.keys(json).sort();

it.each(reading)('%s simplified puts out what the contract documents, and its request', async (_, row) => {
	const input = inputFor(bench, row, 2);
	const items = await bench.items(parametersFor(row, undefined, { simplify: true }), input);
	expect(items.length).toBeGreaterThan(0);
	for (const { json } of items) expect(keysOf(json)).toEqual(SIMPLE[row.resource]);
	const full = await bench.items(parametersFor(row), input);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(full.map(({ pairedItem }) => pairedItem));
});

it.each(byTitle)('%s puts out the fields that are asked for', async (_, row) => {
	const [input] = inputFor(bench, row, 1);
	const options = { outputFields: 'created_at, nowhere' };
	const ended = await bench.over(parametersFor(row, undefined, { options }), [input]);
	const [{ data, hints }] = ended.data.resultData.runData.Prospector;
	const keys = (data?.main[0] ?? []).map(({ json }) => keysOf(json));
	const own = [...(row.operation === 'delete' ? ['deleted'] : []), ...(row.keyed ? ['idempotency_key'] : [])];
	const expected = ['created_at', 'id', 'request_id', ...own].sort();
	// What an identity holds is not documented.
	for (const found of keys) expect(expected).toEqual(expect.arrayContaining(found));
	if (row.resource !== 'identity') expect(keys[0]).toEqual(expected);
	expect(hints).toEqual([
		expect.objectContaining({
			message: expect.stringMatching(/names what no item has: .*nowhere\. There are: id/),
		}),
	]);
});

it('Run simplified puts out results with the run that they came from', async () => {
	const { workflows } = bench.sandbox.control.seed({ workflows: 1 });
	const [{ json }] = await bench.items({
		resource: 'workflow',
		operation: 'run',
		workflowId: byId(workflows[0]),
		waitForCompletion: true,
		simplify: true,
		options: { returnResults: true },
	});
	expect(keysOf(json)).toEqual(
		[...SIMPLE.result, 'idempotency_key', 'run_id', 'run_request_id', 'run_status'].sort(),
	);
});

it('a failed item is left as it is, beside others that are simplified', async () => {
	const { runs } = bench.sandbox.control.seed({ workflows: [{ runs: [{}] }] });
	const items = await bench.items(
		{ resource: 'run', operation: 'get', runId: byId('={{ $json.id }}'), simplify: true },
		[{ id: 'nope' }, { id: runs[0] }],
		{ onError: 'continueRegularOutput' },
	);
	expect(items.map(({ json }) => keysOf(json))).toEqual([['error'], SIMPLE.run]);
});

it.each([
	[{ simplify: 'maybe' }, "'Simplify' is neither true nor false"],
	[{ options: { outputFields: { name: true } } }, "'Fields to Return' is not a list of words"],
])('%j is refused before a run is started', async (more, message) => {
	const { workflows } = bench.sandbox.control.seed({ workflows: 1 });
	const parameters = { resource: 'workflow', operation: 'run', workflowId: byId(workflows[0]) };
	expect(await bench.failure({ ...parameters, ...more })).toMatchObject({ message });
	expect(bench.sandbox.control.journal()).toEqual([]);
});
