import { ActiveTrigger, VirtualTime } from '../helpers/trigger/activeTrigger';
import { Service, type Order, type FakeResource } from '../helpers/trigger/service';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** So long takes a request where many share the API key: 60 requests fit into a poll, far fewer than are due. */
const SLOW = 2000;
const RUNS = 150;

let time: VirtualTime;
beforeEach(() => void (time = new VirtualTime()));

const ids = (things: Array<{ id?: unknown }>) => things.map(({ id }) => String(id)).sort();

/** A trigger that watches many unfinished runs, all due, and can look at a part of them per poll. */
async function behind(event: string) {
	const service = new Service({ order: 'newest', cursors: 'keyset', pageSize: 10, now: () => time.now });
	const workflow = service.addWorkflow();
	const trigger = new ActiveTrigger(time, service, {
		event,
		watch: 'one',
		workflowId: workflow.id,
		options: {},
	});
	await trigger.activate();
	const runs: FakeResource[] = [];
	for (let count = 0; count < RUNS; count++) {
		time.now += 1000;
		runs.push(service.addRun(workflow, 'running'));
	}
	for (let polls = 0; polls < 15; polls++) await poll();
	time.now += DAY;
	service.onRequest = () => void (time.now += SLOW);
	trigger.emitted.length = 0;
	async function poll() {
		time.now += MINUTE;
		await trigger.tick();
	}
	return { service, workflow, trigger, runs, poll };
}

test('New Result: checks every run when more are due than one poll can read', async () => {
	const { service, trigger, runs, poll } = await behind('newResult');
	const results = runs.map((run) => service.addResult(run));
	for (let polls = 0; polls < 12; polls++) await poll();
	expect(ids(trigger.emitted)).toEqual(ids(results));
});

test('New Result: does not postpone a run that changes constantly', async () => {
	const { service, workflow, trigger, runs, poll } = await behind('newResult');
	for (const run of runs) service.addResult(run);
	const busy = service.addRun(workflow, 'running');
	const result = service.addResult(busy);
	let polls = 0;
	while (!ids(trigger.emitted).includes(result.id) && ++polls < 30) {
		service.setStatus(busy, `step ${polls}`);
		await poll();
	}
	expect(polls).toBeLessThanOrEqual(8);
});

test('New Result: a run with new results at every check does not delay others', async () => {
	const { service, trigger, runs, poll } = await behind('newResult');
	const last = service.addResult(runs[RUNS - 1]);
	const busy = runs.slice(0, 70);
	let polls = 0;
	while (!ids(trigger.emitted).includes(last.id) && ++polls < 30) {
		for (const run of busy) service.addResult(run);
		await poll();
	}
	expect(polls).toBeLessThanOrEqual(8);
});

test('Run Status Changed: checks every run when more are due than one poll can read', async () => {
	const { service, trigger, runs, poll } = await behind('runStatusChanged');
	for (const run of runs) service.setStatus(run, 'completed');
	for (let polls = 0; polls < 12; polls++) await poll();
	expect(ids(trigger.emitted)).toEqual(ids(runs));
});

describe.each<Order>(['newest', 'oldest', 'shuffled'])(
	'with 600 watched runs in a list with the order %s',
	(order) => {
		test.each(['newRun', 'newResult', 'runStatusChanged'])(
			'%s finds a new run at the next poll, while all others are due',
			async (event) => {
				const service = new Service({ order, cursors: 'keyset', pageSize: 50, now: () => time.now });
				const workflow = service.addWorkflow();
				for (let count = 0; count < 600; count++) {
					time.now += 1000;
					service.addRun(workflow, 'running');
				}
				time.now += 1000;
				const trigger = new ActiveTrigger(time, service, { event, watch: 'all', options: {} });
				await trigger.activate();
				for (let polls = 0; polls < 3; polls++) {
					time.now += MINUTE;
					await trigger.tick();
				}
				expect(trigger.emitted).toEqual([]);
				time.now += DAY;
				const run = service.addRun(workflow, 'running');
				const result = service.addResult(run);
				time.now += MINUTE;
				await trigger.tick();
				expect(ids(trigger.emitted)).toEqual([event === 'newResult' ? result.id : run.id]);
			},
		);
	},
);
