import type { IDataObject } from 'n8n-workflow';
import type { ListOrder } from '../../sandbox/settings';
import { ask, everyOperation, find, inputFor, parametersFor } from './everyOperation';
import { startEnvironment, type Environment } from './support';

const PAGE = 4;
const FOUND = 10;

let bench: Environment;
let run: string;
beforeAll(async () => {
	bench = await startEnvironment({ defaultPageSize: PAGE });
	const { workflows } = bench.sandbox.control.seed({ workflows: PAGE + 1 });
	const { runs } = bench.sandbox.control.seed({ runs: [{ workflowId: workflows[0], results: FOUND }] });
	[run] = runs;
});
afterEach(() => bench.sandbox.control.patchSettings({ listOrder: 'newest', lastCursor: 'null' }));
afterAll(async () => await bench.close());

const results = find('Result › getAll');
const journal = () => bench.sandbox.control.journal();
const ids = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.id);
const parameters = (rest: IDataObject) => parametersFor(results, run, { returnAll: false, ...rest });

const orders: ListOrder[] = ['newest', 'oldest', 'shuffled'];
const lists = everyOperation.filter(({ list }) => list);

it.each(orders.flatMap((order) => lists.map((row) => [order, row.title, row] as const)))(
	'Return All gives every item of a list in %s order: %s',
	async (listOrder, _, row) => {
		const [{ id: workflow }] = inputFor(bench, find('Run › getAll'), 1);
		bench.sandbox.control.seed({ runs: Array.from({ length: 9 }, () => ({ workflowId: workflow })) });
		const id = row.id === 'runId' ? run : workflow;
		bench.sandbox.control.patchSettings({ listOrder });
		bench.prepare();
		const items = await bench.items(parametersFor(row, id));
		const requests = journal();
		const { data } = await ask(bench, `${row.path.replace('ID', id)}?limit=100`);

		expect(data.length).toBeGreaterThan(2 * PAGE);
		expect(ids(items)).toEqual(data.map((resource) => resource.id));
		expect(requests).toHaveLength(Math.ceil(data.length / PAGE));
		// Each item names the request of its own page.
		const origin = items.map((_item, i) => requests[Math.floor(i / PAGE)].requestId);
		expect(items.map(({ json }) => json.request_id)).toEqual(origin);
	},
);

it.each([
	// limit, page size asked for → items, requests
	[1, undefined, 1, 1],
	[PAGE, undefined, PAGE, 1],
	[PAGE + 1, undefined, PAGE + 1, 2],
	[2 * PAGE, undefined, 2 * PAGE, 2],
	[FOUND, undefined, FOUND, 3],
	[FOUND + 1, undefined, FOUND, 3],
	[6, 3, 6, 2],
	[6, 100, 6, 1],
])(
	'A limit of %s with a page size of %s gives %i items with %i requests',
	async (limit, pageSize, ...expected) => {
		bench.prepare();
		const items = await bench.items(parameters({ limit, options: pageSize ? { pageSize } : {} }));
		expect([items.length, journal().length]).toEqual(expected);
		for (const { query } of journal()) expect(query.limit).toBe(pageSize?.toString());
		expect(ids(items)).toEqual(
			(await ask(bench, `/prospector/runs/${run}/results?limit=100`)).data
				.slice(0, limit)
				.map(({ id }) => id),
		);
	},
);

it('A list without Return All and Limit stops at 50', async () => {
	const { runs } = bench.sandbox.control.seed({ workflows: [{ runs: [{ results: 60 }] }] });
	const { resource, operation, runId } = parametersFor(results, runs[0]);
	expect(await bench.items({ resource, operation, runId })).toHaveLength(50);
});

it('Start Cursor begins where an earlier page ended', async () => {
	const path = `/prospector/runs/${run}/results`;
	const first = (await ask(bench, path)) as unknown as { pagination: { next_cursor: string } };
	const startCursor = first.pagination.next_cursor;
	bench.prepare();
	const items = await bench.items(parameters({ returnAll: true, options: { startCursor } }));
	expect(journal()[0].query).toEqual({ cursor: startCursor });
	const all = (await ask(bench, `${path}?limit=100`)).data;
	expect(ids(items)).toEqual(all.slice(PAGE).map(({ id }) => id));
});

it.each(['null', 'empty', 'absent'] as const)(
	'A last page whose next cursor is %s ends the list',
	async (lastCursor) => {
		bench.sandbox.control.patchSettings({ lastCursor });
		bench.prepare();
		expect(await bench.items(parameters({ returnAll: true }))).toHaveLength(FOUND);
		expect(journal()).toHaveLength(3);
	},
);

it('An empty list gives no items and no failure', async () => {
	const { runs } = bench.sandbox.control.seed({ workflows: [{ runs: [{ results: 0 }] }] });
	bench.prepare();
	expect(await bench.items(parametersFor(results, runs[0]))).toEqual([]);
	expect(journal()).toHaveLength(1);
});

it.each([
	[{ limit: 0 }, "'Limit' must be a whole number"],
	[{ limit: -1 }, "'Limit' must be a whole number"],
	[{ limit: '={{ "many" }}' }, "'Limit' must be a whole number"],
	[{ limit: 2.5 }, "'Limit' must be a whole number"],
	[{ options: { pageSize: 0 } }, "'Page Size' must be a whole number"],
	[{ options: { startCursor: '={{ ({ next: 1 }) }}' } }, "'Start Cursor' is not a cursor"],
])('%j is refused before anything is sent', async (rest, message) => {
	bench.prepare();
	expect((await bench.failure(parameters(rest))).message).toContain(message);
	expect(journal()).toEqual([]);
});
