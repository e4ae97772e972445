import { exportInto, startExport, type ExportBench } from './exportBench';

let bench: ExportBench;
beforeEach(async () => {
	bench = await startExport();
});
afterEach(async () => await bench.close());

const sorted = (ids: unknown[]) => [...ids].sort();
const idsOf = (items: Array<{ id?: unknown }>) => sorted(items.map(({ id }) => id));

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'every result of every run is exported once, whatever the order of lists: %s',
	async (listOrder) => {
		bench.sandbox.control.patchSettings({ listOrder });
		const { results } = bench.seed(35, 1, 20);
		const { exported } = exportInto(bench);
		const { error } = await bench.night();
		expect(error).toBeUndefined();
		expect(idsOf(exported)).toEqual(sorted(results));
	},
);

test('no node of the long execution touches the static data, whose older copy n8n would write back', () => {
	const { nodes, connections } = bench.workflow;
	const reached = new Set(['Every night at two']);
	for (const name of reached) {
		for (const to of connections[name]?.main.flat() ?? []) reached.add(to!.node);
	}
	expect([...reached]).toContain('Export one page');
	const code = nodes.filter(({ type, name }) => type === 'n8n-nodes-base.code' && reached.has(name));
	expect(code).toEqual([]);
});

test('unchanged, with its placeholder, it goes through all pages', async () => {
	bench.seed(35, 0, 10);
	const { error } = await bench.night();
	expect(error).toBeUndefined();
	expect(bench.reads()).toBe(4 + 1 + 1);
});

test('the next night exports only what is new, and reads nothing of the rest', async () => {
	bench.seed(15, 0);
	const { exported } = exportInto(bench);
	await bench.night();
	const reads = bench.reads();
	await bench.night();
	expect(bench.reads()).toBe(reads);
	const { results } = bench.seed(5);
	await bench.night();
	expect(exported).toHaveLength(20);
	expect(idsOf(exported.slice(15))).toEqual(sorted(results));
});

test('words for statuses do not matter; a run that has gone on since is exported again, whole', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing', 'served'], runStageMs: 60_000 });
	const { workflows } = bench.sandbox.control.seed({ workflows: [{ runs: [{ live: true, results: 12 }] }] });
	expect(workflows).toHaveLength(1);
	const { exported } = exportInto(bench);
	await bench.night();
	expect(exported).toEqual([]);
	bench.sandbox.control.advanceClock(60_000);
	await bench.night();
	expect(exported).toHaveLength(12);
	await bench.night();
	expect(exported).toHaveLength(12);
});

test('an export that fails goes on the next night with the page that failed', async () => {
	const { results } = bench.seed(40);
	bench.once();
	let down = true;
	const { exported } = exportInto(bench, (page) => {
		if (page === 3 && down) throw new Error('The sheet is full');
	});
	const { error, lastNode } = await bench.night();
	expect(error?.message).toMatch(/The sheet is full/);
	expect(lastNode).toBe('Export one page');
	expect(exported).toHaveLength(20);
	const reads = bench.reads();
	down = false;
	await bench.night();
	expect(idsOf(exported)).toEqual(sorted(results));
	expect(bench.reads()).toBe(reads + 2);
});

test('a page that fails in passing is tried again in the same night', async () => {
	const { results } = bench.seed(40);
	const { exported } = exportInto(bench, (page) => {
		if (page === 3) throw new Error('The sheet is busy');
	});
	const { error } = await bench.night();
	expect(error).toBeUndefined();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('when n8n is killed half-way, no page that was exported comes again', async () => {
	const { results } = bench.seed(40);
	let reached = () => {};
	const atPageThree = new Promise<void>((resolve) => (reached = resolve));
	const { exported } = exportInto(bench, async (page) => {
		if (page !== 3) return;
		reached();
		await new Promise(() => {});
	});
	void bench.night();
	await atPageThree;
	expect(exported).toHaveLength(20);
	await bench.night();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('other runs that come first do not make it forget the place', async () => {
	bench.seed(40);
	bench.once();
	const { exported } = exportInto(bench, (page) => {
		if (page === 3) throw new Error('Not now');
	});
	await bench.night();
	bench.sandbox.control.seed({ workflows: [{ runs: [{ results: 5 }] }] });
	await bench.night();
	expect(exported).toHaveLength(45);
});

test('an export step that puts out nothing, or something else, does not end it early', async () => {
	const { results } = bench.seed(25);
	const { exported } = exportInto(
		bench,
		() => {},
		(page) => (page.length === 10 ? [] : [{ written: page.length }]),
	);
	const { error } = await bench.night();
	expect(error).toBeUndefined();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('a place that the service no longer knows is given up after some nights', async () => {
	const { results } = bench.seed(40);
	bench.once();
	let down = true;
	const { exported } = exportInto(bench, (page) => {
		if (page === 3 && down) throw new Error('Not now');
	});
	await bench.night();
	down = false;
	// Its cursors name the order: another one makes them unknown.
	bench.sandbox.control.patchSettings({ listOrder: 'oldest' });
	const nights = [];
	for (let night = 0; night < 9; night++) nights.push(await bench.night());
	expect(nights.slice(0, 8).every(({ error }) => error)).toBe(true);
	expect(nights[8].error).toBeUndefined();
	expect(idsOf(exported.slice(20))).toEqual(sorted(results));
});
