import { DAY, MINUTE, triggerScenario } from '../helpers/triggerScenario';
import type { Order } from '../helpers/trigger/service';

/** A service with runs of one Prospector workflow, and an activated trigger. */
async function watching(order: Order, runs: number, event = 'newRun') {
	const { time, service, watch, startRuns } = triggerScenario({ order, pageSize: 10 });
	const workflow = service.addWorkflow();
	startRuns(workflow, runs);
	const trigger = watch(event, { watch: 'one', workflowId: workflow.id });
	time.now += 1;
	await trigger.activate();
	/** Polls after a minute, and returns the number of requests. */
	const requests = async () => {
		time.now += MINUTE;
		service.requests = [];
		await trigger.tick();
		return service.requests.length;
	};
	return { time, service, trigger, start: (count: number) => startRuns(workflow, count), requests };
}

test.each<[Order, number, number, number[]]>([
	// A list of several pages is read once more, because deletions may have moved runs between pages.
	['newest', 1, 3, [3, 1, 1]],
	['oldest', 1, 4, [1, 1, 1]],
	['shuffled', 20, 23, [23, 23, 23]],
])(
	'reads only the pages that the order requires when the list has the %s first',
	async (order, quiet, news, after) => {
		const { start, requests, trigger } = await watching(order, 200);
		expect(await requests()).toBe(quiet);
		start(1);
		expect(await requests()).toBe(order === 'newest' ? 1 : quiet + 1);
		start(25);
		// With the oldest first, it starts at the page that begins before the newest timestamp.
		expect(await requests()).toBe(news);
		expect(trigger.emitted).toHaveLength(26);
		expect([await requests(), await requests(), await requests()]).toEqual(after);
	},
);

test.each<Order>(['newest', 'oldest'])(
	'reads the whole list once a day when it has the %s first, because its order may change',
	async (order) => {
		const { time, requests } = await watching(order, 200);
		expect(await requests()).toBe(1);
		time.now += DAY;
		expect(await requests()).toBe(20);
		expect(await requests()).toBe(1);
	},
);

test('reads the whole list and emits all runs when its order changes', async () => {
	const { service, start, requests, trigger } = await watching('newest', 200);
	service.options.order = 'oldest';
	start(3);
	expect(await requests()).toBe(21);
	expect(trigger.emitted).toHaveLength(3);
	expect(await requests()).toBe(1);
	service.options.order = 'shuffled';
	start(3);
	await requests();
	expect(trigger.emitted).toHaveLength(6);
});

test('reads the list from its start when the service rejects a cursor', async () => {
	const { service, start, requests, trigger } = await watching('oldest', 200);
	service.rejectCursor();
	start(2);
	expect(await requests()).toBe(22);
	expect(trigger.emitted).toHaveLength(2);
	expect(await requests()).toBe(1);
});

test('New Result: checks an unchanged run less and less often, and finally no more', async () => {
	const { time, service, start, trigger } = await watching('newest', 3, 'newResult');
	const [run] = start(1);
	for (let count = 0; count < 5; count++) service.addResult(run);
	const looks: number[] = [];
	const begin = time.now;
	while (time.now < begin + 2 * DAY) {
		time.now += 5 * MINUTE;
		service.requests = [];
		await trigger.tick();
		if (service.requests.some((path) => path.endsWith(`${run.id}/results`))) looks.push(time.now - begin);
	}
	expect(trigger.emitted).toHaveLength(5);
	expect(looks.length).toBeLessThan(15);
	expect(looks.at(-1)).toBeGreaterThan(DAY * 0.9);
	// A changed status makes the trigger check the run again.
	service.setStatus(run, 'corrected');
	service.addResult(run);
	await trigger.tick();
	expect(trigger.emitted).toHaveLength(6);
});
