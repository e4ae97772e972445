import { MINUTE_MS, triggerScenario } from '../helpers/triggerScenario';

/** A service in which a run is started at the second request, while the first poll is running. */
function firstPollScenario(watched: string) {
	const { time, addWorkflow, addRun, watch, poll, beforeRequest, failRequests } = triggerScenario();
	const workflow = addWorkflow();
	addRun(workflow);
	time.advance(MINUTE_MS);
	const started: string[] = [];
	failRequests({ kind: 'slow', delayMs: 1000 });
	beforeRequest(2, () => started.push(addRun(workflow, 'running')));
	const parameters = { watch: watched, workflowIds: [workflow] };
	return { trigger: watch('newRun', parameters, 'durableCursors'), time, started, poll };
}

describe.each(['all', 'several'])('the first poll of %s workflows', (watched) => {
	test('the next poll finds its items again when n8n discards them', async () => {
		const { trigger, started, poll } = firstPollScenario(watched);
		await trigger.abandon();
		expect(started).toHaveLength(1);
		await poll(trigger);
		expect(trigger.ids).toEqual(started);
	});

	test('no other poll emits its items while n8n may still be saving them', async () => {
		const { trigger, started, poll } = firstPollScenario(watched);
		const before = trigger.saved;
		await trigger.tick();
		const after = trigger.saved;
		trigger.saved = before;
		await trigger.tick();
		trigger.saved = after;
		await poll(trigger);
		expect(trigger.ids).toEqual(started);
	});

	test('the next poll finds the items when it starts before the end of the first', async () => {
		const { trigger, time, started, poll } = firstPollScenario(watched);
		const first = trigger.abandon().catch(() => {});
		while (started.length === 0) await new Promise(setImmediate);
		time.advance(10_000);
		await trigger.tick();
		await first;
		await poll(trigger);
		expect(trigger.ids).toEqual(started);
	});
});

test('a run is new when it was created in the millisecond of the first poll, but not before', async () => {
	const { time, addWorkflow, addRun, watch } = triggerScenario();
	const workflow = addWorkflow();
	addRun(workflow, 'running');
	time.advance(1);
	const run = addRun(workflow, 'running');
	const trigger = watch('newRun');
	await trigger.activate();
	expect(trigger.ids).toEqual([run]);
});
