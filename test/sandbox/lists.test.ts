import { closeAll, oneOfEach, startTestSandbox } from './support';
import type { Bench } from './support';

afterEach(closeAll);

const ORDERS = ['newest', 'oldest', 'shuffled'] as const;
const LISTS = ['workflows', 'runs', 'results'] as const;

/** Seven things in the list, made a second apart, but for two that share a time. */
function fill(bench: Bench, list: (typeof LISTS)[number]): { path: string; made: string[] } {
	const seed = bench.control.seed;
	const [workflow] = list === 'workflows' ? [] : seed({ workflows: 1 }).workflows;
	const [runId] = list === 'results' ? seed({ runs: [{ workflowId: workflow, results: 0 }] }).runs : [];
	const made: string[] = [];
	for (const wait of [0, 1000, 1000, 0, 1000, 1000, 1000]) {
		bench.pass(wait);
		if (list === 'workflows') made.push(...seed({ workflows: 1 }).workflows);
		if (list === 'runs') made.push(...seed({ runs: [{ workflowId: workflow, results: 0 }] }).runs);
		if (list === 'results') made.push(...seed({ results: [{ runId }] }).results);
	}
	const paths = {
		workflows: '/prospector/workflows',
		runs: `/prospector/workflows/${workflow}/runs`,
		results: `/prospector/runs/${runId}/results`,
	};
	return { path: paths[list], made };
}

async function walk(bench: Bench, path: string, limit: number, between?: (page: number) => unknown) {
	const pages: string[][] = [];
	let cursor: string | null = null;
	do {
		const query = `?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
		const { json } = await bench.call('GET', path + query);
		pages.push(json.data.map((item: { id: string }) => item.id));
		expect(json.pagination.has_more).toBe(json.pagination.next_cursor !== null);
		cursor = json.pagination.next_cursor;
		await between?.(pages.length);
	} while (cursor);
	return pages;
}

describe.each(LISTS)('%s', (list) => {
	describe.each(ORDERS)('%s', (listOrder) => {
		test.each([1, 2, 3, 6, 7, 8])('pages of %d hold everything once, in order', async (size) => {
			const bench = await startTestSandbox({ settings: { listOrder } });
			const { path, made } = fill(bench, list);
			const pages = await walk(bench, path, size);
			expect(pages.map((page) => page.length)).toEqual(
				Array.from({ length: Math.ceil(7 / size) }, (_, index) => Math.min(size, 7 - index * size)),
			);
			const all = pages.flat();
			expect([...all].sort()).toEqual([...made].sort());
			if (listOrder === 'oldest') expect(all).toEqual(made);
			if (listOrder === 'newest') expect(all).toEqual([...made].reverse());
			if (listOrder === 'shuffled') {
				expect(all).not.toEqual(made);
				expect(all).not.toEqual([...made].reverse());
				expect(await walk(bench, path, 7)).toEqual([all]);
			}
		});

		test('what is added between two pages loses and repeats nothing', async () => {
			const bench = await startTestSandbox({ settings: { listOrder } });
			const { path, made } = fill(bench, list);
			const run = /runs\/(.*)\/results/.exec(path)?.[1] ?? '';
			const workflowId = /workflows\/(.*)\/runs/.exec(path)?.[1];
			const pages = await walk(bench, path, 2, (page) => {
				if (page > 3) return;
				bench.pass(1000);
				if (list === 'workflows') bench.control.seed({ workflows: 1 });
				if (list === 'runs') bench.control.seed({ runs: [{ workflowId }] });
				if (list === 'results') bench.control.seed({ results: [{ runId: run }] });
			});
			const all = pages.flat();
			expect(new Set(all).size).toBe(all.length);
			expect(all).toEqual(expect.arrayContaining(made));
		});
	});
});

test.each(ORDERS)('deleting the item a cursor stands at loses nothing (%s)', async (listOrder) => {
	const bench = await startTestSandbox({ settings: { listOrder } });
	const { path, made } = fill(bench, 'workflows');
	let last = '';
	const first = (await bench.call('GET', `${path}?limit=3`)).json;
	last = first.data[2].id;
	await bench.call('DELETE', `${path}/${last}`);
	const rest = (await bench.call('GET', `${path}?limit=50&cursor=${first.pagination.next_cursor}`)).json;
	expect([...first.data, ...rest.data].map((item) => item.id).sort()).toEqual([...made].sort());
});

test.each([
	['null', { next_cursor: null, has_more: false }],
	['empty', { next_cursor: '', has_more: false }],
	['absent', { has_more: false }],
] as const)('lastCursor %s', async (lastCursor, pagination) => {
	const bench = await startTestSandbox({ settings: { lastCursor } });
	const { path } = fill(bench, 'workflows');
	expect((await bench.call('GET', path)).json.pagination).toEqual(pagination);
	expect((await bench.call('GET', `${path}?limit=6`)).json.pagination).toEqual({
		next_cursor: expect.stringMatching(/^[\w-]+$/),
		has_more: true,
	});
});

describe('page sizes', () => {
	const sizeOf = async (bench: Bench, query: string) =>
		(await bench.call('GET', `/prospector/workflows${query}`)).json.data.length;

	test('default 50, at most 100', async () => {
		const bench = await startTestSandbox();
		bench.control.seed({ workflows: 120 });
		expect(await sizeOf(bench, '')).toBe(50);
		expect(await sizeOf(bench, '?limit=99')).toBe(99);
		expect(await sizeOf(bench, '?limit=1000')).toBe(100);
	});

	test('both are settings', async () => {
		const bench = await startTestSandbox({ settings: { defaultPageSize: 2, maxPageSize: 4 } });
		bench.control.seed({ workflows: 10 });
		expect(await sizeOf(bench, '')).toBe(2);
		expect(await sizeOf(bench, '?limit=9')).toBe(4);
		bench.control.patchSettings({ maxPageSize: 1 });
		expect(await sizeOf(bench, '')).toBe(1);
	});

	test.each(['0', '-1', '1.5', 'ten', '', '1e3', '1&limit=2'])('limit=%s: 400', async (limit) => {
		const bench = await startTestSandbox();
		expect((await bench.call('GET', `/prospector/workflows?limit=${limit}`)).status).toBe(400);
	});
});

test('names of the parameters are settings; other names are ignored', async () => {
	const bench = await startTestSandbox({ settings: { cursorParam: 'page_token', limitParam: 'page_size' } });
	bench.control.seed({ workflows: 5 });
	const get = async (query: string) => (await bench.call('GET', `/prospector/workflows${query}`)).json;
	const first = await get('?page_size=3&limit=1&cursor=nonsense');
	expect(first.data).toHaveLength(3);
	expect((await get(`?page_size=3&page_token=${first.pagination.next_cursor}`)).data).toHaveLength(2);
});

describe('cursors the list never gave out: 400', () => {
	const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	test.each([
		['nonsense', '!!!'],
		['no JSON', Buffer.from('hello').toString('base64url')],
		['an object', encode({})],
		['too short', encode(['workflows', 'newest', 1])],
		['words for numbers', encode(['workflows', 'newest', 'a', 'b'])],
		['another order', encode(['workflows', 'oldest', 1, 1])],
		['twice', 'a&cursor=b'],
	])('%s', async (_what, cursor) => {
		const bench = await startTestSandbox();
		bench.control.seed({ workflows: 3 });
		expect((await bench.call('GET', `/prospector/workflows?cursor=${cursor}`)).status).toBe(400);
	});

	test('of another list', async () => {
		const bench = await startTestSandbox();
		const { run } = oneOfEach(bench);
		const { json } = await bench.call('GET', `/prospector/runs/${run}/results?limit=1`);
		const reply = await bench.call('GET', `/prospector/workflows?cursor=${json.pagination.next_cursor}`);
		expect(reply.status).toBe(400);
	});
});

test('an empty cursor is none, and an empty list has a last page', async () => {
	const bench = await startTestSandbox();
	const { json } = await bench.call('GET', '/prospector/workflows?cursor=');
	expect(json).toMatchObject({ data: [], pagination: { next_cursor: null, has_more: false } });
});
