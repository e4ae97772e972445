import type { ListOrder } from '../../../sandbox/settings';
import { DAY_MS, MINUTE_MS, triggerScenario } from '../helpers/triggerScenario';

/** A service with runs of one Prospector workflow, and an activated trigger. */
async function activeTrigger(listOrder: ListOrder, runCount: number) {
	const scenario = triggerScenario({ listOrder, defaultPageSize: 10, cursorTtlMs: DAY_MS });
	const { time, addWorkflow, addRuns, watch, poll } = scenario;
	const workflow = addWorkflow();
	addRuns(workflow, runCount);
	const trigger = watch('newRun', { watch: 'one', workflowId: workflow });
	time.advance(1);
	await trigger.activate();
	return {
		...scenario,
		trigger,
		start: (count: number) => addRuns(workflow, count),
		/** Polls after a minute, and returns the number of requests. */
		async countRequests() {
			await poll(trigger);
			return trigger.polls.at(-1)!.requests;
		},
	};
}

test.each<[ListOrder, number, number, number[]]>([
	// A list of several pages is read once more, because deletions may have moved runs between pages.
	['newest', 1, 3, [3, 1, 1]],
	['oldest', 1, 4, [1, 1, 1]],
	['shuffled', 20, 23, [23, 23, 23]],
])(
	'reads only the pages that the order requires, and once a day all, when the list has the %s first',
	async (order, quiet, news, after) => {
		const { time, start, countRequests, trigger } = await activeTrigger(order, 200);
		expect(await countRequests()).toBe(quiet);
		start(1);
		expect(await countRequests()).toBe(order === 'newest' ? 1 : quiet + 1);
		start(25);
		// With the oldest first, it starts at the page that begins before the newest timestamp.
		expect(await countRequests()).toBe(news);
		expect(trigger.emitted).toHaveLength(26);
		expect([await countRequests(), await countRequests(), await countRequests()]).toEqual(after);
		// The order may change.
		time.advance(DAY_MS);
		expect(await countRequests()).toBe(23);
	},
);

test('reads the whole list and emits all runs when its order changes', async () => {
	const { control, start, countRequests, trigger } = await activeTrigger('newest', 200);
	control.patchSettings({ listOrder: 'oldest' });
	start(3);
	expect(await countRequests()).toBe(21);
	expect(trigger.emitted).toHaveLength(3);
	expect(await countRequests()).toBe(1);
	control.patchSettings({ listOrder: 'shuffled' });
	start(3);
	await countRequests();
	expect(trigger.emitted).toHaveLength(6);
});

test('reads a list of 61 pages every few polls, with at most 30 requests on average, when cursors expire within a minute', async () => {
	const { time, control, start, trigger } = await activeTrigger('shuffled', 600);
	control.patchSettings({ cursorTtlMs: MINUTE_MS / 2 });
	const started: string[] = [];
	for (let polls = 0; polls < 40; polls++) {
		started.push(...start(polls % 5 === 0 ? 1 : 0));
		time.advance(MINUTE_MS);
		await trigger.tick();
	}
	const later = trigger.polls.slice(1);
	expect(trigger.ids.sort()).toEqual(started.sort());
	expect(later.reduce((sum, { requests }) => sum + requests, 0) / later.length).toBeLessThanOrEqual(30);
	expect(later.filter(({ requests }) => requests > 60)).toHaveLength(10);
});

test("the baseline of a Prospector workflow that is chosen later is the next poll, even if that can't read it", async () => {
	const { addWorkflow, addRun, addResults, watch, poll, failRequests } = triggerScenario();
	const [first, second] = [addWorkflow(), addWorkflow()];
	const workflowIds = [first];
	const trigger = watch('newResult', { watch: 'several', workflowIds });
	await trigger.activate();
	const run = addRun(second, 'running');
	addResults(run);
	workflowIds.push(second);
	const endOutage = failRequests(422, second);
	await expect(poll(trigger)).rejects.toThrow();
	const late = addResults(run);
	endOutage();
	await poll(trigger);
	expect(trigger.ids).toEqual(late);
});
