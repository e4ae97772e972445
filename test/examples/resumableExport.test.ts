import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startExport } from './exportEnvironment';

let environment: Awaited<ReturnType<typeof startExport>>;
beforeEach(async () => {
	environment = await startExport();
});
afterEach(async () => await environment.close());

const sorted = (ids: unknown[]) => [...ids].sort();
const idsOf = (items: Array<{ id?: unknown }>) => sorted(items.map(({ id }) => id));

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'exports every result of every run once if lists are sorted: %s',
	async (listOrder) => {
		environment.sandbox.control.patchSettings({ listOrder });
		const { results } = environment.seed(35, 1, 20);
		const exported = environment.exportInto();
		const { error } = await environment.night();
		expect(error).toBeUndefined();
		expect(idsOf(exported)).toEqual(sorted(results));
	},
);

test('touches static data only in sub-executions, because n8n would overwrite it at the end of the long one', () => {
	const { nodes, connections } = environment.workflow;
	const reached = new Set(['Every night at two']);
	for (const name of reached) {
		for (const to of connections[name]?.main.flat() ?? []) reached.add(to!.node);
	}
	expect([...reached]).toContain('Export one page');
	const code = nodes.filter(({ type, name }) => type === 'n8n-nodes-base.code' && reached.has(name));
	expect(code).toEqual([]);
});

test('exports only new results the next night, and reads no others', async () => {
	environment.seed(15, 0);
	const exported = environment.exportInto();
	await environment.night();
	const reads = environment.reads();
	await environment.night();
	expect(environment.reads()).toBe(reads);
	const { results } = environment.seed(5);
	await environment.night();
	expect(exported).toHaveLength(20);
	expect(idsOf(exported.slice(15))).toEqual(sorted(results));
});

test('exports a run again if it has changed, whatever its statuses are called', async () => {
	const { control } = environment.sandbox;
	control.patchSettings({ runStatuses: ['brewing', 'served'], runStageMs: 60_000 });
	control.seed({ workflows: [{ runs: [{ live: true, results: 12 }] }] });
	const exported = environment.exportInto();
	await environment.night();
	expect(exported).toEqual([]);
	control.advanceClock(60_000);
	for (let night = 0; night < 2; night++) {
		await environment.night();
		expect(exported).toHaveLength(12);
	}
});

test('continues with the page that failed the next night', async () => {
	const { results } = environment.seed(40);
	environment.disableRetries();
	let isDown = true;
	const exported = environment.exportInto((page) => {
		if (page === 3 && isDown) throw new Error('The disk is full');
	});
	const { error, lastNode } = await environment.night();
	expect(error?.message).toMatch(/The disk is full/);
	expect(lastNode).toBe('Export one page');
	expect(exported).toHaveLength(20);
	const reads = environment.reads();
	isDown = false;
	// A run that now comes first in the list does not change the page to continue with.
	const added = environment.seed(5).results;
	await environment.night();
	expect(idsOf(exported)).toEqual(sorted([...results, ...added]));
	expect(environment.reads()).toBe(reads + 3);
});

test('retries a page in the same night', async () => {
	const { results } = environment.seed(40);
	const exported = environment.exportInto((page) => {
		if (page === 3) throw new Error('The database is busy');
	});
	const { error } = await environment.night();
	expect(error).toBeUndefined();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('exports no page again after n8n was killed', async () => {
	const { results } = environment.seed(40);
	let reachPage = () => {};
	const pageReached = new Promise<void>((resolve) => (reachPage = resolve));
	const exported = environment.exportInto(async (page) => {
		if (page !== 3) return;
		reachPage();
		await new Promise(() => {});
	});
	void environment.night();
	await pageReached;
	expect(exported).toHaveLength(20);
	await environment.night();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('does not end early if the export step returns nothing, or other items', async () => {
	const { results } = environment.seed(25);
	const exported = environment.exportInto(
		() => {},
		(page) => (page.length === 10 ? [] : [{ written: page.length }]),
	);
	const { error } = await environment.night();
	expect(error).toBeUndefined();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('starts a run over after eight nights if the service no longer knows the cursor', async () => {
	const { results } = environment.seed(40);
	environment.disableRetries();
	let isDown = true;
	const exported = environment.exportInto((page) => {
		if (page === 3 && isDown) throw new Error('Not now');
	});
	await environment.night();
	isDown = false;
	// A cursor contains the order of the list.
	environment.sandbox.control.patchSettings({ listOrder: 'oldest' });
	const nights = [];
	for (let night = 0; night < 9; night++) nights.push(await environment.night());
	expect(nights.slice(0, 8).every(({ error }) => error)).toBe(true);
	expect(nights[8].error).toBeUndefined();
	expect(idsOf(exported.slice(20))).toEqual(sorted(results));
});

test('needs no more memory for the last of 12 pages than for the first', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const { control } = environment.sandbox;
	control.patchSettings({ defaultPageSize: 5 });
	const [runId] = environment.seed(0).runs;
	// 1 MB per page.
	const companyName = Buffer.alloc(200_000, 'x').toString();
	control.seed({ results: Array.from({ length: 60 }, () => ({ runId, companyName })) });
	const exported = environment.exportInto();
	const heap: number[] = [];
	const { ended, error } = await environment.night((node, event) => {
		if (node !== 'Export one page' || event === 'start') return;
		exported.length = 0;
		collectGarbage();
		heap.push(process.memoryUsage().heapUsed);
	});
	expect(error).toBeUndefined();
	// n8n saves this: a few small items per page.
	expect(JSON.stringify(ended.data).length).toBeLessThan(12 * 5000);
	expect(heap).toHaveLength(12);
	// The smallest of four, because responses in flight count too.
	const [first, last] = [heap.slice(0, 4), heap.slice(8)].map((pages) => Math.min(...pages));
	expect(last - first).toBeLessThan(3 * 2 ** 20);
});
