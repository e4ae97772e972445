import { CREDENTIAL_DATA } from '../helpers/support';
import { MINUTE, sortedIds, triggerScenario } from '../helpers/triggerScenario';

const SECOND = 1000;

/** n8n 2.41 gives up an activation after this time, also when it restarts; milliseconds. */
const ACTIVATION_TIMEOUT = 84 * SECOND;

const WEB_PAGE = "'Base URL' answered with a web page, not with Prospector data";

const EVENTS = ['newRun', 'runStatusChanged', 'newResult'];

/** A service with slow responses, and Prospector workflows with two runs of one result each. */
function slowScenario(workflows: number, perRequest = 0) {
	const scenario = triggerScenario();
	const { service, time } = scenario;
	for (let count = 0; count < workflows; count++) {
		const workflow = service.addWorkflow();
		for (const run of [service.addRun(workflow, 'running'), service.addRun(workflow, 'completed')]) {
			service.addResult(run);
			time.now += SECOND;
		}
	}
	service.onRequest = () => void (time.now += perRequest);
	return {
		...scenario,
		/** Starts a run with a result, and returns the one that the trigger emits. */
		startRun(event: string, workflow = service.workflows[0]) {
			const run = service.addRun(workflow, 'running');
			const result = service.addResult(run);
			return event === 'newResult' ? result : run;
		},
		async duration(action: () => Promise<unknown>) {
			const begin = time.now;
			const failure = await action().then(
				() => undefined,
				(thrown: Error) => thrown.message,
			);
			return { took: time.now - begin, failure };
		},
	};
}

test.each(EVENTS)(
	'%s: activates a large workspace before the deadline, and emits nothing that existed',
	async (event) => {
		const { service, watch, duration, startRun, poll } = slowScenario(40, 2 * SECOND);
		const trigger = watch(event);
		const { took, failure } = await duration(trigger.activate);
		expect(failure).toBeUndefined();
		expect(took).toBeLessThan(ACTIVATION_TIMEOUT);
		// The activation has not read every Prospector workflow yet.
		const expected = service.workflows.map((workflow) => startRun(event, workflow));
		await poll(trigger, 60);
		expect(sortedIds(trigger.emitted)).toEqual(sortedIds(expected));
	},
);

test.each(EVENTS)('%s: loses nothing when n8n restarts during an outage of the service', async (event) => {
	const { time, watch, duration, startRun, poll, failRequests } = slowScenario(3);
	const trigger = watch(event);
	await trigger.activate();
	time.now += MINUTE;
	const expected = startRun(event);
	const endOutage = failRequests(503);
	const { took, failure } = await duration(trigger.activate);
	expect(failure).toBeUndefined();
	expect(took).toBeLessThan(ACTIVATION_TIMEOUT);
	endOutage();
	await poll(trigger);
	expect(trigger.emitted).toMatchObject([{ id: expected.id }]);
});

test.each(['newRun', 'newResult'])(
	'%s: activates before the deadline when the rate limit is used up, and emits later changes',
	async (event) => {
		const { time, watch, duration, startRun, poll, failRequests } = slowScenario(2);
		const trigger = watch(event);
		const endOutage = failRequests(429);
		const { took, failure } = await duration(trigger.activate);
		expect(failure).toBeUndefined();
		expect(took).toBeLessThan(ACTIVATION_TIMEOUT / 2);
		time.now += 10 * SECOND;
		const expected = startRun(event);
		endOutage();
		await poll(trigger, 4);
		expect(trigger.emitted).toMatchObject([{ id: expected.id }]);
	},
);

test('each attempt of the first activation fails in time with a message when the service does not respond', async () => {
	const { watch, duration, failRequests } = slowScenario(3);
	failRequests(503);
	const trigger = watch('newRun');
	const memory = {};
	for (let attempt = 0; attempt < 3; attempt++) {
		const { took, failure } = await duration(async () => await trigger.retryActivation(memory));
		expect(failure).toMatch(/^The service/);
		expect(took).toBeLessThan(ACTIVATION_TIMEOUT / 2);
	}
});

test('an activation ends before its deadline when the service asks to wait longer', async () => {
	const { service, watch, poll } = slowScenario(1);
	const trigger = watch('newRun');
	const answer = service.answer.bind(service);
	const timeouts: Array<number | undefined> = [];
	service.answer = async (options) => {
		timeouts.push(options.timeout);
		return await answer(options);
	};
	await trigger.activate();
	expect(Math.max(...timeouts.map((timeout) => timeout ?? Infinity))).toBeLessThanOrEqual(45 * SECOND);
	timeouts.length = 0;
	await poll(trigger);
	expect(timeouts[0]).toBe(60 * SECOND);
	trigger.credential = { ...CREDENTIAL_DATA, showAdvanced: true, requestTimeout: 7 };
	timeouts.length = 0;
	await poll(trigger);
	expect(timeouts[0]).toBe(7 * SECOND);
});

test('logs a maintenance page, and reports it after an hour', async () => {
	const { service, watch, duration, poll } = slowScenario(1);
	const trigger = watch('newRun');
	await trigger.activate();
	service.startOutage('webPage', () => {});
	const failures: unknown[] = [];
	for (let minute = 0; minute < 70; minute++) {
		failures.push((await duration(async () => await poll(trigger))).failure);
	}
	expect(failures.filter(Boolean)).toEqual([WEB_PAGE]);
	expect(trigger.log.at(-1)).toBe(`Prospector in 'workflow': ${WEB_PAGE}. The next poll catches up`);
});

test('a key that was revoked while n8n was down becomes a failed execution when n8n starts', async () => {
	const { time, watch, duration, failRequests } = slowScenario(1);
	const trigger = watch('newRun');
	await trigger.activate();
	failRequests(401);
	expect((await duration(trigger.activate)).failure).toBeUndefined();
	expect(trigger.emittedErrors.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The API key was not accepted$/),
	]);
	time.now += 60 * MINUTE;
	await expect(trigger.tick()).rejects.toMatchObject({
		message: expect.stringMatching(/^The API key was not accepted$/),
		description: expect.stringMatching(/^[^.]*\. .*Nothing is lost: the next poll catches up\.$/),
	});
});

test('New Result: a later poll reads a run that the activation had no time for', async () => {
	const { time, service, watch, poll } = triggerScenario({ order: 'shuffled' });
	const run = service.addRun(service.addWorkflow(), 'completed');
	const trigger = watch('newResult');
	await trigger.activate();
	for (let count = 0; count < 200; count++) service.addResult(run);
	await poll(trigger, 3);
	expect(trigger.emitted).toHaveLength(200);
	// After this time, the trigger would no longer watch the run if it had read it.
	time.now += 25 * 60 * MINUTE;
	service.addResult(run);
	service.onRequest = () => void (time.now += 2 * SECOND);
	const begin = time.now;
	await trigger.activate();
	expect(time.now - begin).toBeLessThan(ACTIVATION_TIMEOUT);
	await poll(trigger, 3);
	expect(trigger.emitted).toHaveLength(201);
});
