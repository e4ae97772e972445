import { DAY, idsOf, MINUTE, sortedIds, triggerScenario } from '../helpers/triggerScenario';
import type { FakeResource, ServiceOptions } from '../helpers/trigger/service';

/** A service with 30 runs of one Prospector workflow in pages of 5, and an activated trigger for new runs. */
async function watching(how: Partial<ServiceOptions>, options: object = {}) {
	const { service, time, watch, startRuns, poll, failRequests } = triggerScenario({
		cursors: 'offset',
		...how,
	});
	const workflow = service.addWorkflow();
	const existing = startRuns(workflow, 30);
	time.now += 1;
	const trigger = watch('newRun', { options });
	await trigger.activate();
	return {
		...{ time, service, trigger, existing, failRequests },
		start: (count: number, apart?: number) => startRuns(workflow, count, { apart }),
		poll: async (count?: number) => await poll(trigger, count),
		/** Calls a function before the response to the given request of the next polls. */
		before(request: number, happen: () => void) {
			let requests = 0;
			service.onRequest = () => void (++requests === request && happen());
		},
	};
}

test('emits a run once when a new run pushes it onto the next page', async () => {
	const { start, before, poll, trigger } = await watching({});
	const first = start(12);
	let late: FakeResource[] = [];
	before(3, () => (late = start(1)));
	await poll(2);
	expect(idsOf(trigger.emitted)).toEqual(idsOf([...first, ...late]));
});

test('the next poll emits a run that a deletion moved to a page that was already read', async () => {
	const { service, start, before, poll, trigger } = await watching({});
	const started = start(12);
	// The newest run is deleted before the second page is read, which moves the sixth to the first page.
	before(3, () => service.runs.pop());
	await poll();
	expect(trigger.emitted).toHaveLength(11);
	await poll();
	expect(sortedIds(trigger.emitted)).toEqual(sortedIds(started));
});

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'emits pending runs after a restart of n8n, and no others, when the list has the order %s',
	async (order) => {
		const { start, trigger, poll } = await watching({ order, cursors: 'keyset' }, { maxItems: 4 });
		const started = start(18);
		await poll(2);
		expect(trigger.emitted).toHaveLength(8);
		await trigger.activate();
		await poll(4);
		expect(idsOf(trigger.emitted)).toEqual(idsOf(started));
	},
);

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'emits all runs with the same timestamp, on several pages, when the list has the order %s',
	async (order) => {
		const { start, trigger, poll } = await watching({ order, cursors: 'keyset' });
		const started = start(8, 0);
		await poll(3);
		started.push(...start(9, 0));
		const same = started[0].created;
		for (const run of started) run.created = same;
		await poll(2);
		expect(sortedIds(trigger.emitted)).toEqual(sortedIds(started));
	},
);

test('reads the list from its start when the last page starts with another run', async () => {
	const { service, existing, start, trigger, poll } = await watching({ order: 'oldest' });
	// With offsets, the last page is now empty.
	for (const run of existing.slice(0, 8)) service.runs.splice(service.runs.indexOf(run), 1);
	const started = start(2);
	await poll();
	expect(idsOf(trigger.emitted)).toEqual(idsOf(started));
});

test('the next poll reads all runs of a Prospector workflow that was found in a failed poll', async () => {
	const { time, service, start, trigger, poll, failRequests } = await watching({ cursors: 'keyset' });
	time.now += 1000;
	const workflow = service.addWorkflow();
	time.now += 1000;
	const run = service.addRun(workflow, 'queued');
	const [other] = start(1);
	const endOutage = failRequests(422, workflow.id);
	service.requests = [];
	await poll();
	expect(service.requests).toHaveLength(3);
	endOutage();
	await poll(2);
	expect(sortedIds(trigger.emitted)).toEqual(sortedIds([run, other]));
});

test('a Prospector workflow that can never be read does not delay others', async () => {
	const { service, start, trigger, poll, failRequests } = await watching({ cursors: 'keyset' });
	failRequests(500, service.addWorkflow().id);
	const started: FakeResource[] = [];
	for (let polls = 0; polls < 5; polls++) {
		started.push(...start(1));
		await poll();
	}
	await poll();
	expect(idsOf(trigger.emitted)).toEqual(idsOf(started));
});

test('finds pending results of an old run again after a restart', async () => {
	const { time, service, watch } = triggerScenario();
	const run = service.addRun(service.addWorkflow(), 'completed');
	const results = Array.from({ length: 9 }, () => {
		time.now += 1000;
		return service.addResult(run);
	});
	time.now += 3 * DAY;
	const trigger = watch('newResult', { options: { includeExisting: true, maxItems: 4 } });
	for (let polls = 0; polls < 4; polls++) {
		await trigger.activate();
		time.now += MINUTE;
	}
	expect(idsOf(trigger.emitted)).toEqual(idsOf(results));
});

test("the baseline of a Prospector workflow that is added later is the next poll, even if that can't read it", async () => {
	const { service, watch, poll, failRequests } = triggerScenario();
	const [first, second] = [service.addWorkflow(), service.addWorkflow()];
	const workflowIds = [first.id];
	const trigger = watch('newResult', { watch: 'several', workflowIds });
	await trigger.activate();
	const run = service.addRun(second, 'running');
	service.addResult(run);
	workflowIds.push(second.id);
	const endOutage = failRequests(422, second.id);
	await expect(poll(trigger)).rejects.toThrow();
	const late = service.addResult(run);
	endOutage();
	await poll(trigger);
	expect(idsOf(trigger.emitted)).toEqual([late.id]);
});

test('does not infer a list order from a few runs that happen to be sorted', async () => {
	const { time, service, watch, poll } = triggerScenario({ order: 'shuffled', pageSize: 2 });
	const workflow = service.addWorkflow();
	// The IDs happen to be sorted by time so far.
	for (const id of ['run_d', 'run_c', 'run_b', 'run_a']) {
		time.now += 1000;
		service.addRun(workflow, 'queued', id);
	}
	time.now += 1;
	const trigger = watch('newRun');
	await trigger.activate();
	service.addRun(workflow, 'queued', 'run_z');
	await poll(trigger);
	expect(idsOf(trigger.emitted)).toEqual(['run_z']);
});
