import type { IDataObject } from 'n8n-workflow';
import { ask, byTitle, find, inputFor, parametersFor, type Row } from './everyOperation';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
afterAll(async () => await bench.close());

/** What an operation must put out, learned from the service itself; of Create and Run, from their answer's id. */
async function expected(row: Row, id: string, items: IDataObject[]) {
	if (row.keyed) {
		const made = row.operation === 'run' ? '/prospector/runs/' : '/prospector/workflows/';
		return [(await ask(bench, made + String(items[0]?.id))).data];
	}
	const path = row.path.replace('ID', id);
	return [(await ask(bench, path)).data].flat();
}

const extra = (row: Row): IDataObject => ({
	...(row.keyed && { idempotency_key: expect.stringMatching(/^n8n-[0-9a-f]{32}$/) }),
	...(row.operation === 'delete' && { deleted: true, updated_at: expect.any(String) }),
});

const execute = async (row: Row, input: IDataObject) => await bench.items(parametersFor(row), [input]);

it.each(byTitle)(
	"%s puts out the resource's own fields and the request that brought them",
	async (_, row) => {
		const [input] = inputFor(bench, row, 1);
		const before = row.operation === 'delete' ? await expected(row, input.id, []) : undefined;
		bench.prepare();
		const items = await execute(row, input);
		const [{ requestId }] = bench.sandbox.control.journal();
		const resources =
			before ??
			(await expected(
				row,
				input.id,
				items.map(({ json }) => json),
			));

		expect(resources.length).toBeGreaterThan(0);
		expect(items).toEqual(
			resources.map((resource) => ({
				json: { ...resource, ...extra(row), request_id: requestId },
				pairedItem: { item: 0 },
			})),
		);
	},
);

it.each(byTitle)('%s sends one request, with nothing in it but what the contract lists', async (_, row) => {
	const [input] = inputFor(bench, row, 1);
	bench.prepare();
	await execute(row, input);

	expect(bench.sandbox.control.journal()).toEqual([
		expect.objectContaining({
			method: row.method,
			path: `/api/public/v1${row.path.replace('ID', input.id)}`,
			operation: row.calls,
			query: {},
			keyName: 'full',
			body: row.body ? { name: 'Name 1' } : null,
			contentType: row.body ? 'application/json' : null,
			idempotencyKey: row.keyed ? expect.stringMatching(/^n8n-[0-9a-f]{32}$/) : null,
			status: 200,
		}),
	]);
});

it.each(byTitle)('%s handles every input item with its own values, in order', async (_, row) => {
	const input = inputFor(bench, row, 3);
	bench.prepare();
	const items = await bench.items(parametersFor(row), input);
	const journal = bench.sandbox.control.journal();

	const paths = input.map(({ id }) => `/api/public/v1${row.path.replace('ID', id)}`);
	expect(journal.map(({ path }) => path)).toEqual(paths);
	if (row.body) expect(journal.map(({ body }) => body)).toEqual(input.map(({ name }) => ({ name })));
	if (row.keyed) expect(new Set(journal.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);

	// An item names the request that brought it, and the requests stand in the order of the input.
	const order = journal.map(({ requestId }) => requestId);
	const origins = items.map(({ json }) => order.indexOf(json.request_id as string));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(origins.map((item) => ({ item })));
	expect([...new Set(origins)]).toEqual([0, 1, 2]);
	expect(origins).toEqual([...origins].sort());
});

it('Limit and Page Size may differ between the input items of a list', async () => {
	const parameters = parametersFor(find('Workflow › getAll'), '', {
		returnAll: false,
		limit: '={{ $json.limit }}',
		options: { pageSize: '={{ $json.size }}' },
	});
	bench.prepare();
	const input = [
		{ limit: 1, size: 5 },
		{ limit: 3, size: 2 },
	];
	const items = await bench.items(parameters, input);

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 1, 1].map((item) => ({ item })));
	expect(bench.sandbox.control.journal().map(({ query }) => query.limit)).toEqual(['5', '2', '2']);
});

it.each(byTitle)(
	'%s puts a field called error out as error_details, on the regular branch',
	async (_, row) => {
		const failed = { error: { code: 'out_of_credits' } };
		const extraFields = { config: failed, workflow: failed, run: failed, result: failed, me: failed };
		const [input] = inputFor(bench, row, 1);
		bench.sandbox.control.patchSettings({ extraFields });
		const ended = await bench.over(parametersFor(row), [input], { onError: 'continueErrorOutput' });
		bench.sandbox.control.patchSettings({ extraFields: {} });

		const [regular, onError] = ended.data.resultData.runData.Prospector[0].data?.main ?? [];
		expect(onError).toEqual([]);
		expect(regular?.length).toBeGreaterThan(0);
		for (const { json } of regular ?? []) {
			expect(json).toMatchObject({ error_details: { code: 'out_of_credits' } });
			expect(json).not.toHaveProperty('error');
		}
	},
);
