import type { IDataObject, INode } from 'n8n-workflow';
import type { ListOrder } from '../../sandbox/settings';
import { ask, find, inputFor, parametersFor } from './everyOperation';
import { ifMore } from './fixtures';
import { byId, node, startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
beforeEach(() => {
	bench.prepare();
	bench.sandbox.control.patchSettings({ defaultPageSize: 3, listOrder: 'newest' });
});
afterAll(async () => await bench.close());

const control = () => bench.sandbox.control;
const journal = () => control().journal();
const newRun = (results: number) => control().seed({ workflows: [{ runs: [{ results }] }] }).runs[0];
const idsIn = async (run: string) =>
	(await ask(bench, `/prospector/runs/${run}/results?limit=100`)).data.map(({ id }) => String(id));

/** Read one page → If more → back to Read, as a person builds it. */
async function readInLoop(run: string, { onRound, ...extra }: LoopOptions = {}) {
	bench.nodeTypes.add('test.ifMore', ifMore(onRound));
	const read = bench.prospector(
		{
			resource: 'result',
			operation: 'getAll',
			runId: byId(run),
			options: { returnOnePage: true, startCursor: '={{ $json.next_cursor }}' },
		},
		// A page has many items, and is followed by one.
		{ name: 'Read', executeOnce: true, ...extra },
	);
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const ended = await bench.run({
		nodes: [read, node('If More', 'test.ifMore', {})],
		connections: { Read: { main: [to('If More')] }, 'If More': { main: [to('Read'), []] } },
	});
	if (ended.data.resultData.error) throw ended.data.resultData.error;
	const pages = ended.data.resultData.runData.Read.map((round) => round.data?.main[0] ?? []);
	return { pages, items: pages.flat(), ids: pages.flat().map(({ json }) => String(json.id)), ended };
}

type LoopOptions = Partial<INode> & { onRound?: (round: number) => void };

describe('A loop over the pages of a list', () => {
	const orders: ListOrder[] = ['newest', 'oldest', 'shuffled'];
	it.each(
		orders.flatMap((order) => [
			[order, 3, 1, 1],
			[order, 3, 2, 1],
			[order, 3, 3, 1],
			[order, 3, 4, 2],
			[order, 3, 9, 3],
			[order, 1, 4, 4],
		]) as Array<[ListOrder, number, number, number]>,
	)(
		'reads it whole: %s order, pages of %i, %i results',
		async (listOrder, defaultPageSize, found, rounds) => {
			control().patchSettings({ listOrder, defaultPageSize });
			const run = newRun(found);
			const truth = await idsIn(run);
			bench.prepare();
			const { pages, ids } = await readInLoop(run);
			expect(ids).toEqual(truth);
			expect(pages).toHaveLength(rounds);
			// The last page says that it is the last, and each of the others where it goes on.
			const cursors = pages.map((items) => [...new Set(items.map(({ json }) => json.next_cursor))]);
			expect(cursors.every((ofPage) => ofPage.length === 1)).toBe(true);
			expect(cursors.flat().map((cursor) => cursor === null)).toEqual(
				Array.from({ length: rounds }, (_, i) => i === rounds - 1),
			);
			// And it costs a request per page, after the one look at the run.
			expect(journal().map(({ operation }) => operation)).toEqual([
				'getRun',
				...pages.map(() => 'listResults'),
			]);
		},
	);

	it.each(orders)('gains no repetition and no gap while results arrive: %s order', async (listOrder) => {
		control().patchSettings({ listOrder });
		const run = newRun(8);
		const before = await idsIn(run);
		const arrived: string[] = [];
		const { ids } = await readInLoop(run, {
			onRound: (round) => {
				if (round < 4) arrived.push(...control().seed({ results: [{ runId: run, count: 2 }] }).results);
			},
		});
		expect(new Set(ids).size).toBe(ids.length);
		expect(before.filter((id) => !ids.includes(id))).toEqual([]);
		// What arrived is there too where the list has it behind the page that was read.
		if (listOrder === 'oldest') expect(ids).toEqual([...before, ...arrived]);
		expect(ids.filter((id) => ![...before, ...arrived].includes(id))).toEqual([]);
	});

	it('ends where there is nothing to read', async () => {
		const { pages, items } = await readInLoop(newRun(0));
		expect(pages).toHaveLength(1);
		expect(items).toEqual([]);
	});

	it('ends after an empty last page, and comes out at its end with Always Output Data', async () => {
		const emptyEnd = () =>
			bench.prepare({
				kind: 'notEnvelope',
				match: { operation: 'listResults' },
				skip: 1,
				body: { data: [], pagination: { has_more: false, next_cursor: null }, request_id: 'req_end' },
			});
		const run = newRun(4);
		emptyEnd();
		const { pages } = await readInLoop(run);
		expect(pages.map((items) => items.length)).toEqual([3, 0]);
		emptyEnd();
		const { ended } = await readInLoop(run, { alwaysOutputData: true });
		const last = ended.data.resultData.runData['If More'].at(-1)?.data?.main;
		expect(last?.[1]?.map(({ json }) => json)).toEqual([{}]);
	});

	it('does not end at an empty page before others', async () => {
		const run = newRun(4);
		const { data } = await ask(bench, `/prospector/runs/${run}/results`);
		bench.prepare({
			kind: 'notEnvelope',
			match: { operation: 'listResults' },
			body: {
				data: [],
				pagination: { has_more: true, next_cursor: await secondCursor(run) },
				request_id: 'x',
			},
		});
		const { pages } = await readInLoop(run);
		// The three of the first page were not shown by this service; what follows is.
		expect(data).toHaveLength(3);
		expect(pages.map((items) => items.length)).toEqual([1]);
	});
});

/** Where the second page begins. */
async function secondCursor(run: string): Promise<string> {
	const first = (await ask(bench, `/prospector/runs/${run}/results`)) as unknown as {
		pagination: { next_cursor: string };
	};
	return first.pagination.next_cursor;
}

const lists = ['Result › getAll', 'Run › getAll', 'Workflow › getAll'];
const onePage = (title: string, id: string, options: IDataObject = {}, rest: IDataObject = {}) =>
	parametersFor(find(title), id, { returnAll: false, ...rest, options: { returnOnePage: true, ...options } });

it.each(lists)('%s returns one page, whatever Return All and Limit say', async (title) => {
	const row = find(title);
	const [{ id }] = inputFor(bench, row, 5);
	const whole = row.id === 'runId' ? newRun(7) : id;
	if (row.calls === 'listRuns') control().seed({ runs: Array(6).fill({ workflowId: id }) as object[] });
	for (const rest of [{ limit: 1 }, { returnAll: true }, {}]) {
		bench.prepare();
		const items = await bench.items(onePage(title, whole, {}, rest));
		expect(items).toHaveLength(3);
		expect(journal()).toHaveLength(1);
		for (const { json } of items) {
			expect(json).toMatchObject({ next_cursor: expect.any(String), request_id: journal()[0].requestId });
		}
	}
});

it('Page Size says how long the page is', async () => {
	const items = await bench.items(onePage('Result › getAll', newRun(7), { pageSize: 5 }));
	expect(items).toHaveLength(5);
	expect(journal()[0].query).toEqual({ limit: '5' });
});

it.each([
	['no cursor', null, 'The service says that the list goes on, but not where (request req_odd)'],
	['its own cursor', 'same', 'The list leads back to a page that was already read (request req_odd)'],
])('A page that goes on with %s ends with a message', async (_, next_cursor, message) => {
	const pagination = { has_more: true, next_cursor };
	bench.prepare({
		kind: 'notEnvelope',
		body: { data: [{ id: 'res_x' }], pagination, request_id: 'req_odd' },
	});
	const error = await bench.failure(onePage('Result › getAll', 'run_x', { startCursor: 'same' }));
	expect(error.message).toBe(message);
	expect(journal()).toHaveLength(1);
});

it.each(['={{ $json.next_cursor }}', '={{ null }}', '={{ undefined }}', '={{ "" }}', ''])(
	'A Start Cursor of %s begins at the start where there is none yet',
	async (startCursor) => {
		await bench.items(onePage('Result › getAll', newRun(1), { startCursor }));
		expect(journal()[0].query).toEqual({});
	},
);

it.each(['={{ ({ cursor: "a" }) }}', '={{ 7 }}', '={{ ["a"] }}'])(
	'A Start Cursor of %s is refused before anything is sent',
	async (startCursor) => {
		const error = await bench.failure(onePage('Result › getAll', 'run_x', { startCursor }));
		expect(error.message).toBe("'Start Cursor' is not a cursor");
		expect(journal()).toEqual([]);
	},
);
