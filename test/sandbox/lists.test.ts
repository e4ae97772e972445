import fc from 'fast-check';
import type { ListOrder, SandboxSettings } from '../../sandbox/settings';
import { useTestSandbox, WORKFLOWS } from './testSandbox';

const sandbox = useTestSandbox();
const ORDERS: ListOrder[] = ['newest', 'oldest', 'shuffled'];
const idsIn = (items: Array<{ id: string }>) => items.map(({ id }) => id);
const idsOf = async (path: string) => idsIn(await sandbox.get(path));

/** Resets the sandbox and returns an empty list. */
function emptyList(list: 'workflows' | 'runs' | 'results', listOrder: ListOrder) {
	const { reset, patchSettings, seed } = sandbox.control;
	reset();
	patchSettings({ listOrder, limit: 1_000_000 });
	if (list === 'workflows') return { path: WORKFLOWS, add: () => seed({ workflows: 1 }).workflows[0] };
	// The run and the results of the other workflow must not be listed.
	const [workflowId] = seed({ workflows: [{}, { runs: 1 }] }).workflows;
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
		pages.push(idsIn(json.data));
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
		const path = fiveResults({ cursorKind, cursorTtlMs: 1000 });
		const ids = await idsOf(`${path}?limit=5`);
		sandbox.control.patchSettings({ resultsChangePerPage: change });
		const pages = await readPages(path, 2, () => sandbox.control.advanceClock(1000));
		expect(pages.flat().map((id) => ids.indexOf(id))).toEqual(expected);
	},
);

test.each<[number, number[], SandboxSettings['cursorRejection']]>([
	[403, [], 403],
	[410, [], 410],
	[500, [], 500],
	[200, [], 'emptyPage'],
	[200, [], 'noCursor'],
	[200, [0, 1], 'firstPage'],
])(
	'a cursor that leads beyond cursorMaxItems, has expired or whose item was deleted gets the status %i and the items at the indexes %j if cursorRejection is %j',
	async (status, expected, cursorRejection) => {
		const path = fiveResults({ cursorRejection, cursorKind: 'itemId', cursorTtlMs: 1000 });
		const ids = await idsOf(`${path}?limit=5`);
		const { pagination } = (await sandbox.call('GET', path)).json;
		const next = `${path}?cursor=${pagination.next_cursor}`;
		const expectRejection = async (indexes = expected) => {
			const response = await sandbox.call('GET', next);
			const read = idsIn(response.json.data ?? []);
			expect([response.status, read.map((id) => ids.indexOf(id))]).toEqual([status, indexes]);
			if (status !== 200) return;
			const { has_more: hasMore, next_cursor: cursor } = response.json.pagination;
			expect(hasMore).toBe(expected.length > 0 || cursorRejection === 'noCursor');
			expect(cursor === undefined).toBe(cursorRejection === 'noCursor');
		};
		sandbox.control.patchSettings({ cursorMaxItems: 2 });
		await expectRejection();
		sandbox.control.patchSettings({ cursorMaxItems: 3 });
		sandbox.control.advanceClock(1000);
		expect(await idsOf(next)).toEqual(ids.slice(2, 4));
		sandbox.control.advanceClock(1);
		await expectRejection();
		sandbox.control.patchSettings({ cursorTtlMs: null });
		sandbox.control.deleteResult(ids[1]);
		await expectRejection(expected.map((index) => 2 * index));
	},
);

test.each<[SandboxSettings['pages'], number, string]>([
	['full', 2, '01 23 4'],
	['overlapping', 2, '01 12 23 34'],
	['overlapping', 3, '012 234'],
	['overlapping', 1, '0 1 2 3 4'],
	['emptyBetween', 2, '01  23  4'],
	['emptyBetween', 5, '01234'],
])(
	'with the setting pages "%s", reading five items, %i per page, returns pages with the items at indexes "%s"',
	async (pages, size, expected) => {
		for (const cursorKind of ['position', 'offset', 'itemId'] as const) {
			const path = fiveResults({ cursorKind, pages: 'full' });
			const ids = await idsOf(`${path}?limit=5`);
			sandbox.control.patchSettings({ pages });
			const read = await readPages(path, size);
			expect(read.map((page) => page.map((id) => ids.indexOf(id)).join('')).join(' ')).toBe(expected);
		}
	},
);

test('pages have varying sizes up to the page size, the same at each read, if the setting pages is "varying"', async () => {
	sandbox.control.patchSettings({ pages: 'varying' });
	sandbox.control.seed({ workflows: 60 });
	const pages = await readPages(WORKFLOWS, 4);
	expect(new Set(pages.slice(0, -1).map(({ length }) => length))).toEqual(new Set([1, 2, 3, 4]));
	expect(new Set(pages.flat()).size).toBe(60);
	expect(pages.flat()).toHaveLength(60);
	expect(await readPages(WORKFLOWS, 4)).toEqual(pages);
});

test('a stale replica omits items that became visible within the last replicaLagMs', async () => {
	sandbox.control.seed({ workflows: [{ id: 'old' }] });
	sandbox.control.advanceClock(60_000);
	sandbox.control.seed({ workflows: [{ id: 'new' }] });
	sandbox.control.patchSettings({ staleProbability: 1, replicaLagMs: 60_000 });
	expect(await idsOf(WORKFLOWS)).toEqual(['old']);
	sandbox.control.advanceClock(60_000);
	expect(await idsOf(WORKFLOWS)).toEqual(['new', 'old']);
});

test('a stale replica sends the share of list responses that staleProbability says, and the same ones again after a reset', async () => {
	const countStale = async () => {
		sandbox.control.reset();
		sandbox.control.patchSettings({ staleProbability: 0.3, replicaLagMs: 1000 });
		sandbox.control.seed({ workflows: 1 });
		const lengths: number[] = [];
		for (let count = 0; count < 100; count++) lengths.push((await sandbox.get(WORKFLOWS)).length);
		return lengths;
	};
	const lengths = await countStale();
	const stale = lengths.filter((length) => length === 0).length;
	expect(stale).toBeGreaterThan(15);
	expect(stale).toBeLessThan(45);
	expect(await countStale()).toEqual(lengths);
});

test('the list of Prospector workflows omits those in hiddenWorkflows, which can be read by ID', async () => {
	sandbox.control.seed({ workflows: [{ id: 'hidden' }, { id: 'shown' }] });
	sandbox.control.patchSettings({ hiddenWorkflows: ['hidden'] });
	expect(await idsOf(WORKFLOWS)).toEqual(['shown']);
	expect(await statusOf(`${WORKFLOWS}/hidden`)).toBe(200);
	expect(await statusOf(`${WORKFLOWS}/hidden/runs`)).toBe(200);
});

test.each<[string, number, Partial<SandboxSettings>]>([
	['', 50, {}],
	['?limit=1000', 100, {}],
	['?limit=9', 4, { defaultPageSize: 2, maxPageSize: 4 }],
	['', 1, { defaultPageSize: 2, maxPageSize: 1 }],
	['?limit=9', 2, { defaultPageSize: 2, ignorePageSize: true }],
])(
	'the query "%s" returns a page of %i items if the sandbox has the settings %j',
	async (query, size, settings) => {
		sandbox.control.patchSettings(settings);
		sandbox.control.seed({ workflows: 120 });
		expect(await sandbox.get(WORKFLOWS + query)).toHaveLength(size);
	},
);

const WRONG_CURSORS = [
	'hello',
	'{}',
	'{"list":["workflows","newest"],"rank":["1"]}',
	'{"list":["runs:x","newest"],"rank":[1,1]}',
];
test.each([
	...WRONG_CURSORS.map((text) => `cursor=${Buffer.from(text).toString('base64url')}`),
	...['0', '-1', '1.5', 'ten', '', '1&limit=2'].map((limit) => `limit=${limit}`),
])('the sandbox responds 400 if a list is requested with the query "%s"', async (query) => {
	expect(await statusOf(`${WORKFLOWS}?${query}`)).toBe(400);
});
