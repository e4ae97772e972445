import { HOUR_MS, triggerScenario } from '../helpers/triggerScenario';

/** A Prospector workflow with a running run of two results, and an activated trigger with the event Run Finished. */
async function activeTrigger(options = {}) {
	const scenario = triggerScenario();
	const { time, addWorkflow, addRun, addResults, watch, poll, control } = scenario;
	const workflowId = addWorkflow();
	const run = addRun(workflowId, 'running');
	const results = addResults(run, 2);
	time.advance(1000);
	const trigger = watch('runFinished', { options });
	await trigger.activate();
	return {
		...{ ...scenario, trigger, workflowId, run, results },
		finish: (runId = run, word = 'completed') => void control.setRunStatus(runId, word),
		/** @returns the numbers of results that each poll emits */
		async poll(count = 3) {
			const polls = trigger.polls.length;
			await poll(trigger, count);
			const pollsOf = trigger.emitted.map((item) => item.poll - polls);
			return Array.from({ length: count }, (_, index) => pollsOf.filter((one) => one === index).length);
		},
	};
}

test('Run Finished emits all results of a finished run in one poll, and results that are added later in another poll', async () => {
	const { trigger, poll, finish, time, run, results, workflowId, addResults } = await activeTrigger();
	results.push(...addResults(run, 12));
	expect(await poll(5)).toEqual([0, 0, 0, 0, 0]);
	finish();
	results.push(...addResults(run));
	expect(await poll(3)).toEqual([15, 0, 0]);
	expect(trigger.ids.sort()).toEqual(results.sort());
	const names = { run_id: run, run_status: 'completed', workflow_id: workflowId };
	for (const { json } of trigger.emitted) expect(json).toMatchObject(names);
	addResults(run, 2);
	time.advance(HOUR_MS);
	expect(await poll(2)).toEqual([2, 0]);
	finish(run, 'running');
	expect(await poll(2)).toEqual([0, 0]);
	finish();
	expect(await poll(3)).toEqual([0, 0, 0]);
});

test('Run Finished emits at least one whole run per poll, if Max Items per Poll is exceeded', async () => {
	const { poll, finish, run, addRun, addResults, workflowId, time } = await activeTrigger({ maxItems: 4 });
	const runs = [run];
	for (const count of [3, 1, 9, 2]) {
		time.advance(1000);
		runs.push(addRun(workflowId, 'running'));
		addResults(runs.at(-1)!, count);
	}
	addResults(runs[1]);
	for (const id of runs) finish(id);
	expect(await poll(5)).toEqual([4, 9, 5, 0, 0]);
});

test('Run Finished reads 40 pages of results in one poll but fails on 60 pages until Max Requests per Poll is raised', async () => {
	const { trigger, poll, finish, run, addResults, time } = await activeTrigger({ maxRequests: 5 });
	addResults(run, 198);
	finish();
	expect(await poll(2)).toEqual([200, 0]);
	expect(trigger.polls.slice(1).map(({ requests }) => requests)).toEqual([42, 2]);
	addResults(run, 100);
	time.advance(HOUR_MS);
	await expect(poll(60)).rejects.toMatchObject({
		message: `The list of results of run '${run}' can't be read to the end, so items may be missing`,
		description: expect.stringContaining("Raise 'Page Size' and 'Max Requests per Poll'") as unknown,
	});
	expect(trigger.ids).toHaveLength(200);
	trigger.parameters.options.maxRequests = 10;
	expect((await poll(10)).filter(Boolean)).toEqual([100]);
});

test('Run Finished names the run within 90 min if the rate limit interrupts each attempt to read its results', async () => {
	const { poll, finish, run, addResults, control } = await activeTrigger();
	addResults(run, 40);
	finish();
	control.patchSettings({ limit: 4 });
	await expect(poll(90)).rejects.toThrow(`reading run '${run}'`);
});

test('Run Finished starts over and returns no earlier run if a person turns on Return Run', async () => {
	const { trigger, poll, finish, addRun, workflowId } = await activeTrigger();
	finish();
	expect(await poll()).toEqual([2, 0, 0]);
	Object.assign(trigger.parameters.options, { returnRun: true });
	expect(await poll()).toEqual([0, 0, 0]);
	const run = addRun(workflowId);
	expect(await poll()).toEqual([1, 0, 0]);
	expect(trigger.ids.at(-1)).toBe(run);
});
