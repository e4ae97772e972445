import fc from 'fast-check';
import type { ListOrder, SandboxSettings } from '../../sandbox/settings';
import { useTestSandbox, WORKFLOWS } from './testSandbox';

const sandbox = useTestSandbox();
const ORDERS: ListOrder[] = ['newest', 'oldest', 'shuffled'];
const idsOf = async (path: string) => (await sandbox.get(path)).map(({ id }: { id: string }) => id);

/** Resets the sandbox and returns an empty list. */
function emptyList(list: 'workflows' | 'runs' | 'results', listOrder: ListOrder) {
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

/** Reads all pages. Calls `betweenPages` after each page that has a next one. */
async function readPages(path: string, size: number, betweenPages?: () => unknown) {
	const pages: string[][] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const query = `?limit=${size}&cursor=${encodeURIComponent(cursor)}`;
		const { json } = await sandbox.call('GET', path + query);
		pages.push(json.data.map(({ id }: { id: string }) => id));
		cursor = json.pagination.next_cursor;
		expect(json.pagination.has_more).toBe(cursor !== null);
		if (cursor !== null) betweenPages?.();
	}
	return pages;
}

// Zero creates items with the same timestamp.
const waitsMs = fc.array(fc.constantFrom(0, 1000), { minLength: 1, maxLength: 8 });
const pageSize = fc.integer({ min: 1, max: 9 });

test.each(
	(['workflows', 'runs', 'results'] as const).flatMap((list) =>
		ORDERS.map((order) => [list, order] as const),
	),
)(
	'the list of %s contains each item once and in the order "%s" even if items are added between pages',
	async (list, listOrder) => {
		await fc.assert(
			fc.asyncProperty(waitsMs, pageSize, fc.array(fc.boolean()), async (waits, size, additions) => {
				const { path, add } = emptyList(list, listOrder);
				const added = waits.map((ms) => {
					sandbox.control.advanceClock(ms);
					return add();
				});
				const initial = await idsOf(path);
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

test('a list keeps its order between requests if the setting listOrder is "shuffled" but not if it is "random"', async () => {
	const readTwice = async (settings: Partial<SandboxSettings>) => {
		sandbox.control.reset();
		sandbox.control.patchSettings(settings);
		sandbox.control.seed({ workflows: 20 });
		return [await idsOf(WORKFLOWS), await idsOf(WORKFLOWS)];
	};
	const sorted = await readTwice({ listOrder: 'oldest' });
	const shuffled = await readTwice({ listOrder: 'shuffled' });
	expect(shuffled[0]).not.toEqual(sorted[0]);
	expect(shuffled[1]).toEqual(shuffled[0]);
	const random = await readTwice({ listOrder: 'random' });
	expect(random[1]).not.toEqual(random[0]);
	expect(random[1].sort()).toEqual(sorted[1].sort());
});

test.each<[object, SandboxSettings['lastCursor']]>([
	[{ next_cursor: null, has_more: false }, 'null'],
	[{ next_cursor: '', has_more: false }, 'empty'],
	[{ has_more: false }, 'absent'],
])(
	'the last page of a list has the pagination object %j if the setting lastCursor is "%s"',
	async (pagination, lastCursor) => {
		sandbox.control.patchSettings({ lastCursor });
		sandbox.control.seed({ workflows: 7 });
		expect((await sandbox.call('GET', WORKFLOWS)).json.pagination).toEqual(pagination);
		expect((await sandbox.call('GET', `${WORKFLOWS}?limit=6`)).json.pagination.has_more).toBe(true);
	},
);

/** Seeds a run with five results, and returns the path of its results, two per page. */
function fiveResults(settings: Partial<SandboxSettings>): string {
	sandbox.control.patchSettings({ defaultPageSize: 2, ...settings });
	const [run] = sandbox.control.seed({ workflows: [{ runs: [{ results: 5 }] }] }).runs;
	return `/prospector/runs/${run}/results`;
}
const statusOf = async (path: string) => (await sandbox.call('GET', path)).status;

test.each<[SandboxSettings['cursorKind'], number[], number]>([
	['position', [0, 1, 2, 3, 4], 1],
	['position', [0, 1, 2, 3, 4], -2],
	['offset', [0, 1, 1, 2, 2, 3, 3, 4], 1],
	['offset', [0, 1, 3, 4], -1],
	['itemId', [0, 1, 2, 3, 4], 1],
])(
	'reading five items with %s cursors returns the items at indexes %j if %i items are added at the start after each page',
	async (cursorKind, expected, change) => {
		const path = fiveResults({ cursorKind });
		const ids = await idsOf(`${path}?limit=5`);
		sandbox.control.patchSettings({ resultsChangePerPage: change });
		const pages = await readPages(path, 2, () => sandbox.control.advanceClock(1000));
		expect(pages.flat().map((id) => ids.indexOf(id))).toEqual(expected);
	},
);

test('the sandbox rejects a cursor if the cursor has expired or the item in the cursor was deleted', async () => {
	const path = fiveResults({ cursorTtlMs: 45_000, cursorKind: 'itemId', cursorRejection: 422 });
	const { data, pagination } = (await sandbox.call('GET', path)).json;
	const next = `${path}?cursor=${pagination.next_cursor}`;
	sandbox.control.advanceClock(45_000);
	expect(await statusOf(next)).toBe(200);
	sandbox.control.advanceClock(1);
	expect(await statusOf(next)).toBe(422);
	sandbox.control.patchSettings({ cursorTtlMs: null, cursorRejection: 410 });
	expect(await statusOf(next)).toBe(200);
	sandbox.control.deleteResult(data[1].id);
	expect(await statusOf(next)).toBe(410);
});

test.each<[string, number, Partial<SandboxSettings>]>([
	['', 50, {}],
	['?limit=1000', 100, {}],
	['?limit=9', 4, { defaultPageSize: 2, maxPageSize: 4 }],
	['', 1, { defaultPageSize: 2, maxPageSize: 1 }],
	['?limit=9', 2, { defaultPageSize: 2, ignorePageSize: true }],
	['?page_size=3&limit=1', 3, { limitParam: 'page_size' }],
])(
	'the query "%s" returns a page of %i items if the sandbox has the settings %j',
	async (query, size, settings) => {
		sandbox.control.patchSettings(settings);
		sandbox.control.seed({ workflows: 120 });
		expect(await sandbox.get(WORKFLOWS + query)).toHaveLength(size);
	},
);

const WRONG_CURSORS = ['hello', '{}', '["workflows","newest",1]', '["runs:x","newest",1,1,0,0]'];
test.each([
	...WRONG_CURSORS.map((text) => `cursor=${Buffer.from(text).toString('base64url')}`),
	...['0', '-1', '1.5', 'ten', '', '1&limit=2'].map((limit) => `limit=${limit}`),
])('the sandbox responds 400 if a list is requested with the query "%s"', async (query) => {
	expect(await statusOf(`${WORKFLOWS}?${query}`)).toBe(400);
});
