import { MINUTE_MS, triggerScenario } from '../helpers/triggerScenario';

const SECOND_MS = 1000;
/** n8n 2.41 gives up an activation after this time, also when it restarts. */
const ACTIVATION_TIMEOUT_MS = 84 * SECOND_MS;

/** Prospector workflows with two runs of one result each. */
function workspaceScenario(workflowCount: number) {
	const scenario = triggerScenario();
	const { time, addWorkflow, addRun, addResults } = scenario;
	const workflows = Array.from({ length: workflowCount }, addWorkflow);
	for (const workflow of workflows) {
		for (const status of ['running', 'completed']) addResults(addRun(workflow, status));
		time.advance(SECOND_MS);
	}
	return {
		...scenario,
		workflows,
		/** Starts a run with a result, and returns the ID of the one that the trigger emits. */
		startRun(event: string, workflow = workflows[0]) {
			const run = addRun(workflow, 'running');
			const [result] = addResults(run);
			return event === 'newResult' ? result : run;
		},
		async duration(action: () => Promise<unknown>) {
			const startMs = time.nowMs;
			const message = await action().then(
				() => undefined,
				(thrown: Error) => thrown.message,
			);
			return { tookMs: time.nowMs - startMs, message };
		},
	};
}

test.each(['newRun', 'runStatusChanged', 'newResult'])(
	'%s: activates a large workspace before the deadline, and emits nothing that existed',
	async (event) => {
		const { workflows, watch, duration, startRun, poll, failRequests } = workspaceScenario(40);
		failRequests({ kind: 'slow', delayMs: 2 * SECOND_MS });
		const trigger = watch(event);
		const { tookMs, message } = await duration(async () => await trigger.activate());
		expect(message).toBeUndefined();
		expect(tookMs).toBeLessThan(ACTIVATION_TIMEOUT_MS);
		// The activation has not read every Prospector workflow yet.
		const expected = workflows.map((workflow) => startRun(event, workflow));
		await poll(trigger, 60);
		expect(trigger.ids.sort()).toEqual(expected.sort());
	},
);

test.each([
	['503', 503, []],
	['401, which is a failed execution', 401, ['The API key was not accepted']],
])('loses nothing when n8n restarts while the service responds with %s', async (_, status, messages) => {
	const { time, watch, duration, startRun, poll, failRequests } = workspaceScenario(3);
	const trigger = watch('newRun');
	await trigger.activate();
	time.advance(MINUTE_MS);
	const expected = startRun('newRun');
	const endOutage = failRequests(status);
	trigger.crash();
	const { tookMs, message } = await duration(async () => await trigger.activate());
	expect(message).toBeUndefined();
	expect(tookMs).toBeLessThan(ACTIVATION_TIMEOUT_MS);
	expect(trigger.failedExecutions.map((failed) => failed.message)).toEqual(messages);
	endOutage();
	await poll(trigger);
	expect(trigger.ids).toEqual([expected]);
});

test.each(['newRun', 'newResult'])(
	'%s: activates before the deadline when the rate limit is used up, and emits later changes',
	async (event) => {
		const { time, watch, duration, startRun, poll, failRequests } = workspaceScenario(2);
		const trigger = watch(event);
		const endOutage = failRequests(429);
		const { tookMs, message } = await duration(async () => await trigger.activate());
		expect(message).toBeUndefined();
		expect(tookMs).toBeLessThan(ACTIVATION_TIMEOUT_MS / 2);
		time.advance(10 * SECOND_MS);
		const expected = startRun(event);
		endOutage();
		await poll(trigger, 4);
		expect(trigger.ids).toEqual([expected]);
	},
);

test.each([
	['responds with 503', 503],
	['never responds', { kind: 'hang' as const }],
])(
	'each attempt of the first activation fails in time with a message when the service %s',
	async (_, failure) => {
		const { watch, duration, failRequests } = workspaceScenario(3);
		failRequests(failure);
		const trigger = watch('newRun');
		for (let attempt = 0; attempt < 3; attempt++) {
			const { tookMs, message } = await duration(async () => await trigger.activate());
			expect(message).toMatch(/^The service/);
			expect(tookMs).toBeLessThanOrEqual(45 * SECOND_MS);
		}
	},
);

test('a later poll ends after two minutes when the service never responds', async () => {
	const { watch, duration, failRequests } = workspaceScenario(1);
	const trigger = watch('newRun');
	await trigger.activate();
	failRequests({ kind: 'hang' });
	expect((await duration(async () => await trigger.tick())).tookMs).toBe(2 * MINUTE_MS);
});
