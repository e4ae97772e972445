import { DAY_MS, HOUR_MS, MINUTE_MS } from '../simulator/activeTrigger';
import { playIdlePoll } from '../simulator/steps';
import type { RunEntry } from '../simulator/ledger';
import { findViolations } from '../simulator/oracle';
import { DEFAULTS, type HistorySettings, type TriggerEvent } from '../simulator/settings';
import { World } from '../simulator/world';

// Also enough on a busy machine.
jest.setTimeout(300_000);

async function start(event: TriggerEvent, settings: Partial<HistorySettings>): Promise<World> {
	const world = new World({ ...DEFAULTS, defaultPageSize: 1000, ...settings });
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

const kindsOf = (world: World) => findViolations(world).map(({ kind }) => kind);

const failedExecutions = ({ trigger }: World) =>
	trigger.polls.flatMap(({ errors, failure }) => (failure === undefined ? errors : [...errors, failure]));

/** Returns the number of polls from the first that could emit a run to the one that did; Infinity if none did. */
function delaysInPolls({ trigger }: World, runs: RunEntry[]): number[] {
	const pollOf = new Map(trigger.emitted.map((item) => [item.json.id, item.poll]));
	return runs.map(({ id, visiblePoll }) => (pollOf.get(id as string) ?? Infinity) - visiblePoll);
}

test('the trigger misses no result and stores less than 1 MB when it watches 4,000 runs with two results each', async () => {
	const world = await start('newResult', { maxRequests: 1000, maxItems: 10_000 });
	addRuns(world, 4000);
	await poll(world, 8);
	for (const run of world.ledger.runs.slice(0, 100)) {
		world.addResults(run, 1, {});
		world.setStatus(run, 2);
	}
	await poll(world, 3);
	expect(kindsOf(world)).toEqual([]);
	expect(world.trigger.emitted).toHaveLength(8100);
	expect(failedExecutions(world)).toEqual([]);
});

test('the trigger reports that it forgets some runs but emits no result twice when it watches 10,000 runs', async () => {
	const world = await start('newResult', { maxRequests: 1000, maxItems: 10_000 });
	addRuns(world, 10_000);
	await poll(world, 15);
	expect(failedExecutions(world).length).toBeGreaterThan(0);
	const kinds = new Set(kindsOf(world));
	for (const kind of ['repeated', 'wrong', 'state', 'crashed'] as const) expect(kinds).not.toContain(kind);
});

test('the trigger emits no run twice and reports the omitted runs when 27,000 runs have no timestamps', async () => {
	const world = await start('newRun', { timeFormat: 'missing', maxRequests: 100, maxItems: 10_000 });
	for (let count = 0; count < 3; count++) {
		for (let number = 0; number < 9000; number++) world.addRun(count, 1, {});
		await poll(world, 1);
	}
	await poll(world, 2);
	expect(world.trigger.emitted.length).toBeGreaterThan(15_000);
	expect(failedExecutions(world).length).toBeGreaterThan(0);
	const kinds = new Set(kindsOf(world));
	for (const kind of ['repeated', 'wrong', 'state', 'crashed'] as const) expect(kinds).not.toContain(kind);
});

test('the trigger finds a new run within 10 min even if 120 Prospector workflows were deleted on each of the last five days', async () => {
	const world = await start('newRun', { deletedRuns: 'listed', workflows: 10, defaultPageSize: 50 });
	const { ledger, simulator, time } = world;
	for (let number = 0; number < 600; number++) {
		await playIdlePoll(world);
		time.advance(11 * MINUTE_MS);
		const oldest = ledger.workflows[number];
		simulator.control.deleteWorkflow(oldest.key);
		oldest.deletedAtMs = time.nowMs;
		world.addWorkflow();
		world.addRun(9, 2, {});
	}
	const runs: RunEntry[] = [];
	for (let count = 0; count < 20; count++) {
		runs.push(world.addRun(count, 1, {})!);
		await playIdlePoll(world);
		time.advance(4 * MINUTE_MS);
	}
	await poll(world, 3);
	expect(time.nowMs - world.activatedAtMs).toBeGreaterThan(5 * DAY_MS);
	// Two polls take ten minutes.
	expect(Math.max(...delaysInPolls(world, runs))).toBeLessThan(2);
});

test('the trigger finds the runs of 20 active Prospector workflows within two polls, within three if it lists all 1,000, and runs of 980 others within 1 h', async () => {
	const world = await start('newRun', { workflows: 1000, defaultPageSize: 50 });
	const request = jest.spyOn(world.simulator, 'request');
	const active: RunEntry[] = [];
	const others: RunEntry[] = [];
	/** Indexes of the polls that send 20 of their 30 requests for the list of Prospector workflows. */
	const listingPolls: number[] = [];
	for (let minute = 0; minute < 180; minute++) {
		if (minute < 120) {
			for (let number = minute % 5; number < 20; number += 5) active.push(world.addRun(number * 50, 1, {})!);
			if (minute % 10 === 0) others.push(world.addRun(minute * 4 + 7, 1, {})!);
		}
		await poll(world, 1);
		if (request.mock.calls.some(([{ url }]) => url.endsWith('/workflows'))) listingPolls.push(minute + 1);
		request.mockClear();
	}
	// An active one is known as such after its first runs.
	const later = active.filter(({ addedAtMs }) => addedAtMs > world.activatedAtMs + HOUR_MS);
	const delays = delaysInPolls(world, later);
	// Every second request is for the most urgent list: 15 of a poll, so two polls read all 20 active ones. Beside the list
	// of Prospector workflows there are five, so the next poll reads the others.
	const latePolls = later.filter((_, index) => delays[index] >= 2).map(({ visiblePoll }) => visiblePoll + 1);
	expect(listingPolls).toEqual(expect.arrayContaining(latePolls));
	expect(Math.max(...delays)).toBeLessThan(3);
	// In between, each of the 980 others is read, by at least 33 polls.
	expect(listingPolls.length).toBeLessThanOrEqual(180 / 33 + 1);
	expect(Math.max(...delaysInPolls(world, others))).toBeLessThan(60);
});
