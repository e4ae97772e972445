import { playIdlePoll } from '../simulator/steps';
import { findViolations } from '../simulator/oracle';
import { DEFAULTS, type HistorySettings, type TriggerEvent } from '../simulator/settings';
import { World } from '../simulator/world';

// Also enough on a busy machine.
jest.setTimeout(300_000);

async function start(event: TriggerEvent, settings: Partial<HistorySettings>): Promise<World> {
	const world = new World({ ...DEFAULTS, defaultPageSize: 1000, maxItems: 10_000, ...settings });
	await world.start(event);
	return world;
}

async function poll(world: World, count: number): Promise<void> {
	for (let polls = 0; polls < count; polls++) await playIdlePoll(world);
}

/** Adds runs with two results each. */
function addRuns(world: World, count: number): void {
	for (let number = 0; number < count; number++) world.addResults(world.addRun(number, 1, {})!, 2, {});
}

/** Expects that the trigger may have lost something, and has reported it. */
function expectReportedLosses(world: World): void {
	expect(world.trigger.failedExecutions.length).toBeGreaterThan(0);
	const kinds = new Set(findViolations(world).map(({ kind }) => kind));
	for (const kind of ['repeated', 'wrong', 'state', 'crashed'] as const) expect(kinds).not.toContain(kind);
}

test('the trigger misses no result and stores less than 1 MB when it watches 4,000 runs with two results each', async () => {
	const world = await start('newResult', { maxRequests: 1000 });
	addRuns(world, 4000);
	await poll(world, 8);
	for (const run of world.ledger.runs.slice(0, 100)) {
		world.addResults(run, 1, {});
		world.setStatus(run, 2);
	}
	await poll(world, 3);
	expect(findViolations(world)).toEqual([]);
	expect(world.trigger.emitted).toHaveLength(8100);
	expect(world.trigger.failedExecutions).toEqual([]);
});

test('the trigger reports that it forgets some runs but emits no result twice when it watches 10,000 runs', async () => {
	const world = await start('newResult', { maxRequests: 1000 });
	addRuns(world, 10_000);
	await poll(world, 15);
	expectReportedLosses(world);
});

test('the trigger emits no run twice and reports the omitted runs when 27,000 runs have no timestamps', async () => {
	const world = await start('newRun', { timeFormat: 'missing', maxRequests: 100 });
	for (let count = 0; count < 3; count++) {
		for (let number = 0; number < 9000; number++) world.addRun(count, 1, {});
		await poll(world, 1);
	}
	await poll(world, 2);
	expect(world.trigger.emitted.length).toBeGreaterThan(15_000);
	expectReportedLosses(world);
});
