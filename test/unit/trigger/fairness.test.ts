import { DAY, idsOf, sortedIds, triggerScenario } from '../helpers/triggerScenario';
import type { Order } from '../helpers/trigger/service';

/** Milliseconds per request when many users share the API key. A poll has time for 60 requests, far fewer than are due. */
const SLOW = 2000;
const RUNS = 150;

/** A trigger that watches many unfinished runs. All are due, but a poll can check only some of them. */
async function behind(event: string) {
	const { time, service, watch, startRuns, poll } = triggerScenario({ pageSize: 10 });
	const workflow = service.addWorkflow();
	const trigger = watch(event, { watch: 'one', workflowId: workflow.id });
	await trigger.activate();
	const runs = startRuns(workflow, RUNS, { status: 'running' });
	await poll(trigger, 15);
	time.now += DAY;
	service.onRequest = () => void (time.now += SLOW);
	trigger.emitted.length = 0;
	/** Polls until an item is emitted, and returns the number of polls. */
	async function pollsUntil(id: string, happen: (polls: number) => void) {
		let polls = 0;
		while (!idsOf(trigger.emitted).includes(id) && ++polls < 30) {
			happen(polls);
			await poll(trigger);
		}
		return polls;
	}
	return { service, workflow, trigger, runs, poll, pollsUntil };
}

test.each(['newResult', 'runStatusChanged'])(
	'%s: checks every run when more are due than one poll can read',
	async (event) => {
		const { service, trigger, runs, poll } = await behind(event);
		const results = runs.map((run) => service.addResult(run));
		for (const run of event === 'newResult' ? [] : runs) service.setStatus(run, 'completed');
		await poll(trigger, 12);
		expect(sortedIds(trigger.emitted)).toEqual(sortedIds(event === 'newResult' ? results : runs));
	},
);

test('New Result: does not postpone a run that changes constantly', async () => {
	const { service, workflow, runs, pollsUntil } = await behind('newResult');
	for (const run of runs) service.addResult(run);
	const busy = service.addRun(workflow, 'running');
	const { id } = service.addResult(busy);
	expect(await pollsUntil(id, (polls) => service.setStatus(busy, `step ${polls}`))).toBeLessThanOrEqual(8);
});

test('New Result: a run with new results at every check does not delay others', async () => {
	const { service, runs, pollsUntil } = await behind('newResult');
	const { id } = service.addResult(runs[RUNS - 1]);
	const addResults = () => runs.slice(0, 70).forEach((run) => service.addResult(run));
	expect(await pollsUntil(id, addResults)).toBeLessThanOrEqual(8);
});

describe.each<Order>(['newest', 'oldest', 'shuffled'])(
	'with 600 watched runs in a list with the order %s',
	(order) => {
		test.each(['newRun', 'newResult', 'runStatusChanged'])(
			'%s finds a new run at the next poll, while all others are due',
			async (event) => {
				const { time, service, watch, startRuns, poll } = triggerScenario({ order, pageSize: 50 });
				const workflow = service.addWorkflow();
				startRuns(workflow, 600, { status: 'running' });
				time.now += 1000;
				const trigger = watch(event);
				await trigger.activate();
				await poll(trigger, 3);
				expect(trigger.emitted).toEqual([]);
				time.now += DAY;
				const run = service.addRun(workflow, 'running');
				const result = service.addResult(run);
				await poll(trigger);
				expect(idsOf(trigger.emitted)).toEqual([event === 'newResult' ? result.id : run.id]);
			},
		);
	},
);
