import fc from 'fast-check';
import type { CursorKind, ListOrder, SandboxSettings } from '../../sandbox/settings';
import { seedOneOfEach, useTestSandbox } from './testSandbox';

const sandbox = useTestSandbox();

const ORDERS: ListOrder[] = ['newest', 'oldest', 'shuffled'];
const LISTS = ['workflows', 'runs', 'results'] as const;
const WORKFLOWS = '/prospector/workflows';

/** Resets the sandbox and returns an empty list. */
function emptyList(list: (typeof LISTS)[number], listOrder: ListOrder) {
	const { reset, patchSettings, seed } = sandbox.control;
	reset();
	patchSettings({ listOrder, limit: 1_000_000 });
	if (list === 'workflows') return { path: WORKFLOWS, add: () => seed({ workflows: 1 }).workflows[0] };
	const [workflowId] = seed({ workflows: 1 }).workflows;
	const addRun = () => seed({ runs: [{ workflowId, results: 0 }] }).runs[0];
	if (list === 'runs') return { path: `${WORKFLOWS}/${workflowId}/runs`, add: addRun };
	const runId = addRun();
	const add = () => seed({ results: [{ runId }] }).results[0];
	return { path: `/prospector/runs/${runId}/results`, add };
}

/** Reads all pages. `betweenPages` receives the last ID of each page that has a next one. */
async function readPages(path: string, size: number, betweenPages?: (lastId: string) => unknown) {
	const pages: string[][] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const query = `?limit=${size}&cursor=${encodeURIComponent(cursor)}`;
		const { json } = await sandbox.call('GET', path + query);
		pages.push(json.data.map(({ id }: { id: string }) => id));
		cursor = json.pagination.next_cursor;
		expect(json.pagination.has_more).toBe(cursor !== null);
		if (cursor !== null) await betweenPages?.(pages.at(-1)?.at(-1) ?? '');
	}
	return pages;
}

// Zero creates items with the same timestamp.
const waitsMs = fc.array(fc.constantFrom(0, 1000), { minLength: 1, maxLength: 8 });
const pageSize = fc.integer({ min: 1, max: 9 });

describe.each(LISTS)('list of %s', (list) => {
	test.each(ORDERS)(
		'contains each item once and in the order "%s", even if items are added',
		async (listOrder) => {
			await fc.assert(
				fc.asyncProperty(waitsMs, pageSize, fc.array(fc.boolean()), async (waits, size, additions) => {
					const { path, add } = emptyList(list, listOrder);
					const added = waits.map((ms) => {
						sandbox.control.advanceClock(ms);
						return add();
					});
					const [initial, ...more] = await readPages(path, 9);
					expect(more).toEqual([]);
					if (listOrder === 'oldest') expect(initial).toEqual(added);
					if (listOrder === 'newest') expect(initial).toEqual([...added].reverse());
					if (listOrder === 'shuffled') expect([...initial].sort()).toEqual([...added].sort());

					const pages = await readPages(path, size, () => {
						sandbox.control.advanceClock(1000);
						if (additions.pop()) add();
					});
					for (const page of pages.slice(0, -1)) expect(page).toHaveLength(size);
					expect(pages.at(-1)).not.toEqual([]);
					const all = pages.flat();
					expect(new Set(all).size).toBe(all.length);
					expect(all.filter((id) => added.includes(id))).toEqual(initial);
				}),
				{ numRuns: 20 },
			);
		},
	);

	test('differs between all three orders', async () => {
		const lists: string[] = [];
		for (const listOrder of ORDERS) {
			const { path, add } = emptyList(list, listOrder);
			for (let count = 0; count < 7; count++) add();
			lists.push(String(await readPages(path, 7)));
		}
		expect(new Set(lists).size).toBe(3);
	});
});

test.each(ORDERS)('a cursor in the order "%s" stays valid when its item is deleted', async (listOrder) => {
	await fc.assert(
		fc.asyncProperty(waitsMs, pageSize, async (waits, size) => {
			const { path, add } = emptyList('workflows', listOrder);
			const added = waits.map(add);
			const deleteItem = async (id: string) => await sandbox.call('DELETE', `${path}/${id}`);
			const all = (await readPages(path, size, deleteItem)).flat();
			expect([...all].sort()).toEqual([...added].sort());
		}),
		{ numRuns: 10 },
	);
});

test.each([
	['null', { next_cursor: null, has_more: false }],
	['empty', { next_cursor: '', has_more: false }],
	['absent', { has_more: false }],
] as const)('the last page has the cursor that lastCursor "%s" requires', async (lastCursor, pagination) => {
	sandbox.control.patchSettings({ lastCursor });
	expect((await sandbox.call('GET', WORKFLOWS)).json).toMatchObject({ data: [] });
	sandbox.control.seed({ workflows: 7 });
	expect((await sandbox.call('GET', WORKFLOWS)).json.pagination).toEqual(pagination);
	expect((await sandbox.call('GET', `${WORKFLOWS}?limit=6`)).json.pagination).toEqual({
		next_cursor: expect.stringMatching(/^[\w-]+$/),
		has_more: true,
	});
});

describe('cursors', () => {
	/** Seeds a run with five results, and returns the path of its results, two per page. */
	function fiveResults(settings: Partial<SandboxSettings>): string {
		sandbox.control.patchSettings({ listOrder: 'newest', defaultPageSize: 2, ...settings });
		const [run] = sandbox.control.seed({ workflows: [{ runs: [{ results: 5 }] }] }).runs;
		return `/prospector/runs/${run}/results`;
	}
	const next = async (path: string) => {
		const { pagination } = (await sandbox.call('GET', path)).json;
		return `${path}?cursor=${pagination.next_cursor}`;
	};

	test.each<[CursorKind, number, number[]]>([
		['position', 1, [0, 1, 2, 3, 4]],
		['offset', 1, [0, 1, 1, 2, 2, 3, 3, 4]],
		['offset', -1, [0, 1, 3, 4]],
		['itemId', 1, [0, 1, 2, 3, 4]],
	])(
		'of kind "%s" list these when the list changes by %i per page: %j',
		async (cursorKind, change, expected) => {
			const path = fiveResults({ cursorKind });
			const ids = (await sandbox.get(`${path}?limit=5`)).map(({ id }: { id: string }) => id);
			sandbox.control.patchSettings({ resultsChangePerPage: change });
			const pages = await readPages(path, 2, () => sandbox.control.advanceClock(1000));
			expect(pages.flat().map((id) => ids.indexOf(id))).toEqual(expected);
		},
	);

	test('of kind "itemId" are rejected when their item is gone', async () => {
		const path = fiveResults({ cursorKind: 'itemId', resultsChangePerPage: -2, cursorRejection: 410 });
		expect((await sandbox.call('GET', await next(path))).status).toBe(410);
	});

	test('are rejected after cursorTtlMs', async () => {
		const path = await next(fiveResults({ cursorTtlMs: 45_000, cursorRejection: 422 }));
		sandbox.control.advanceClock(45_000);
		expect((await sandbox.call('GET', path)).status).toBe(200);
		sandbox.control.advanceClock(1);
		expect((await sandbox.call('GET', path)).status).toBe(422);
	});
});

describe('page size', () => {
	const sizeOf = async (query: string) => (await sandbox.get(WORKFLOWS + query)).length;

	test('is 50 by default and at most 100', async () => {
		sandbox.control.seed({ workflows: 120 });
		expect([await sizeOf(''), await sizeOf('?limit=99'), await sizeOf('?limit=1000')]).toEqual([50, 99, 100]);
	});

	test('follows the settings', async () => {
		sandbox.control.seed({ workflows: 10 });
		sandbox.control.patchSettings({ defaultPageSize: 2, maxPageSize: 4 });
		expect([await sizeOf(''), await sizeOf('?limit=9')]).toEqual([2, 4]);
		sandbox.control.patchSettings({ maxPageSize: 1 });
		expect(await sizeOf('')).toBe(1);
	});

	test('is the default one with ignorePageSize', async () => {
		sandbox.control.seed({ workflows: 10 });
		sandbox.control.patchSettings({ defaultPageSize: 2, ignorePageSize: true });
		expect([await sizeOf(''), await sizeOf('?limit=9')]).toEqual([2, 2]);
	});

	test.each(['0', '-1', '1.5', 'ten', '', '1e3', '1&limit=2'])(
		'is rejected with 400 if it is "%s"',
		async (limit) => {
			expect((await sandbox.call('GET', `${WORKFLOWS}?limit=${limit}`)).status).toBe(400);
		},
	);
});

test('the settings name the query parameters, and other parameters are ignored', async () => {
	sandbox.control.patchSettings({ cursorParam: 'page_token', limitParam: 'page_size' });
	sandbox.control.seed({ workflows: 5 });
	const get = async (query: string) => (await sandbox.call('GET', WORKFLOWS + query)).json;
	const first = await get('?page_size=3&limit=1&cursor=nonsense');
	expect(first.data).toHaveLength(3);
	expect((await get(`?page_size=3&page_token=${first.pagination.next_cursor}`)).data).toHaveLength(2);
});

describe('cursor', () => {
	const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	test.each([
		['is nonsense', '!!!'],
		['is not JSON', Buffer.from('hello').toString('base64url')],
		['is an object', encode({})],
		['is too short', encode(['workflows', 'newest', 1])],
		['contains strings instead of numbers', encode(['workflows', 'newest', 'a', 'b'])],
		['has another order', encode(['workflows', 'oldest', 1, 1])],
		['is sent twice', 'a&cursor=b'],
	])('is rejected with 400 if it %s', async (_, cursor) => {
		sandbox.control.seed({ workflows: 3 });
		expect((await sandbox.call('GET', `${WORKFLOWS}?cursor=${cursor}`)).status).toBe(400);
	});

	test('is rejected with 400 by another list', async () => {
		const { run } = seedOneOfEach(sandbox);
		const { json } = await sandbox.call('GET', `/prospector/runs/${run}/results?limit=1`);
		const { status } = await sandbox.call('GET', `${WORKFLOWS}?cursor=${json.pagination.next_cursor}`);
		expect(status).toBe(400);
	});
});
