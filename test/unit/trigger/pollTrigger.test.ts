import { findOrAddMemory, type TriggerMemory } from '../../../nodes/Prospector/trigger/pollTrigger';
import type { ActiveTrigger, Scheduler } from '../../simulator/activeTrigger';
import { CREDENTIAL_DATA } from '../helpers/support';
import { DAY_MS, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';

/** Milliseconds after which n8n 2.41 gives up an activation, also when it restarts. */
const MAX_ACTIVATION_MS = 84_000;

/** 40 Prospector workflows with a run that existed before the activation, and an inactive trigger. */
function workspaceScenario(event: string, scheduler?: Scheduler) {
	const scenario = triggerScenario();
	const { time, addWorkflow, addRun, addResults, watch } = scenario;
	const workflows = Array.from({ length: 40 }, addWorkflow);
	for (const workflow of workflows) addResults(addRun(workflow, 'running'));
	time.advance(1000);
	const trigger = watch(event, {}, scheduler);
	return {
		...scenario,
		workflows,
		trigger,
		/** Starts a run with a result, and returns the ID of what the trigger emits. */
		startRun(workflow = workflows[0]) {
			const run = addRun(workflow, 'running');
			const [result] = addResults(run);
			return event === 'newResult' ? result : run;
		},
		/** @returns the milliseconds that an activation or a poll takes */
		async measure(poll: () => Promise<unknown>) {
			const startMs = time.nowMs;
			await poll();
			return time.nowMs - startMs;
		},
	};
}

test.each<[string, string, RequestFailure]>([
	['newResult', 'each response takes 2 s', { kind: 'slow', delayMs: 2000 }],
	['runStatusChanged', 'each response takes 2 s', { kind: 'slow', delayMs: 2000 }],
	['newRun', 'the rate limit is used up', 429],
])('a trigger for %s activates within 84 s and emits only new items if %s', async (event, _, failure) => {
	const { trigger, workflows, measure, startRun, poll, failRequests, time } = workspaceScenario(event);
	const repair = failRequests(failure);
	expect(await measure(async () => await trigger.activate())).toBeLessThan(MAX_ACTIVATION_MS);
	time.advance(10_000);
	const expected = workflows.map(startRun);
	if (failure === 429) repair();
	await poll(trigger, 40);
	expect(trigger.ids.sort()).toEqual(expected.sort());
});

test.each<[number, string[]]>([
	[503, []],
	[401, ['The API key was not accepted']],
])('a restart takes less than 84 s and loses no item if requests get %d', async (failure, reported) => {
	const { trigger, measure, startRun, poll, failRequests } = workspaceScenario('newRun');
	await trigger.activate();
	await poll(trigger, 3);
	const run = startRun();
	const repair = failRequests(failure);
	trigger.crash();
	expect(await measure(async () => await trigger.activate())).toBeLessThan(MAX_ACTIVATION_MS);
	expect(trigger.failedExecutions.map(({ message }) => message)).toEqual(reported);
	repair();
	await poll(trigger, 4);
	expect(trigger.ids).toEqual([run]);
});

test.each<[Scheduler, number | undefined, number, number]>([
	['classic', undefined, 36, 120],
	['classic', 300_000, 36, 120],
	['durableCursors', 36_000, 36, 36],
	['durable', undefined, 36, 36],
])(
	'an activation (scheduler: %s, poll budget in ms: %j) fails within %d s, and a poll ends after %d s, if the service never responds',
	async (scheduler, pollBudgetMs, maxSeconds, seconds) => {
		const { trigger, measure, failRequests } = workspaceScenario('newRun', scheduler);
		trigger.pollBudgetMs = pollBudgetMs;
		const repair = failRequests({ kind: 'hang' });
		for (let attempt = 0; attempt < 2; attempt++) {
			const activation = async () => await expect(trigger.activate()).rejects.toThrow(/^The service/);
			expect(await measure(activation)).toBeLessThanOrEqual(maxSeconds * 1000);
		}
		repair();
		for (let activations = 0; activations < 2; activations++) await trigger.activate();
		failRequests({ kind: 'hang' });
		expect(await measure(async () => await trigger.tick())).toBe(seconds * 1000);
	},
);

test('each of three triggers emits a run even if two share a process and an n8n workflow, and two have the same node ID in two n8n workflows', async () => {
	const { trigger, time, startRun, watch, poll } = workspaceScenario('newRun', 'durable');
	const others = [0, 1].map(() => watch('newRun', {}, 'durable'));
	others[0].nodeId = 'another';
	others[1].workflowId = 'another';
	for (const other of others) other.join(trigger);
	for (const one of [trigger, ...others]) await one.activate();
	time.advance(1000);
	const run = startRun();
	for (const one of [trigger, ...others]) await poll(one, 3);
	expect([trigger, ...others].map(({ ids }) => ids)).toEqual([[run], [run], [run]]);
});

test('findOrAddMemory keeps the memories of all triggers that have polled within eight days', () => {
	const memories = new Map<string, TriggerMemory>();
	const weekly = findOrAddMemory(memories, 'weekly', 0);
	for (let day = 0; day < 30; day++) {
		findOrAddMemory(memories, `new on day ${day}`, day * DAY_MS);
		if (day % 7 === 0) expect(findOrAddMemory(memories, 'weekly', day * DAY_MS)).toBe(weekly);
	}
	const days = [21, 22, 23, 24, 25, 26, 27, 28, 29].map((day) => `new on day ${day}`);
	expect([...memories.keys()].sort()).toEqual([...days, 'weekly']);
});

type Workspace = ReturnType<typeof workspaceScenario>;

/** Polls, and polls again some seconds later, before a request of the first poll. */
async function pollTwice({ trigger, time, beforeRequest }: Workspace, request: number, seconds: number) {
	let second: Promise<void> | undefined;
	beforeRequest(request, () => {
		time.advance(seconds * 1000);
		second = trigger.tick();
	});
	await trigger.tick();
	await second;
}

/** Polls, and polls again before n8n has saved the static data. */
async function saveLate({ trigger, time }: Workspace) {
	const before = trigger.saved;
	await trigger.tick();
	const after = trigger.saved;
	trigger.saved = before;
	time.advance(10_000);
	await trigger.tick();
	trigger.saved = after;
}

test.each<[string, (scenario: Workspace) => Promise<void>]>([
	['n8n discards that poll', async ({ trigger }) => await trigger.abandon()],
	['n8n saves that poll late', saveLate],
	['n8n starts a second poll after 40 s', async (scenario) => await pollTwice(scenario, 10, 40)],
])('the trigger emits each item of the first poll exactly once if %s', async (_, playPolls) => {
	const scenario = workspaceScenario('newRun', 'durableCursors');
	const { trigger, workflows, startRun, poll, beforeRequest, failRequests } = scenario;
	const started: string[] = [];
	failRequests({ kind: 'slow', delayMs: 1000 });
	// The first eight list the Prospector workflows.
	beforeRequest(10, () => started.push(...workflows.map(startRun)));
	await playPolls(scenario);
	await poll(trigger, 6);
	expect(trigger.ids.sort()).toEqual(started.sort());
});

test.each([
	['sends no request', 35, 36_000, 0],
	['emits the new items in place of the first', 36, 36_000, 1],
	['emits the new items in place of the first', 1, undefined, 1],
])(
	'a second poll %s if it starts %d s after the first, which has %j ms',
	async (_, seconds, pollBudgetMs, emittingPoll) => {
		const scenario = workspaceScenario('newRun', 'durableCursors');
		const { trigger, workflows, startRun, poll } = scenario;
		await poll(trigger, 4);
		const started = workflows.map(startRun);
		trigger.pollBudgetMs = pollBudgetMs;
		await pollTwice(scenario, 2, seconds);
		expect(trigger.polls[5].requests > 0).toBe(emittingPoll === 1);
		expect(new Set(trigger.emitted.map(({ poll: index }) => index))).toEqual(new Set([4 + emittingPoll]));
		await poll(trigger, 6);
		expect(trigger.ids.sort()).toEqual(started.sort());
	},
);

test('the trigger emits each item exactly once if n8n activates the trigger twice at once and twice more during a poll', async () => {
	const { trigger, workflows, startRun, poll } = workspaceScenario('newRun');
	await Promise.all([trigger.activate(), trigger.activate()]);
	await poll(trigger, 3);
	const started = workflows.map(startRun);
	const interrupted = trigger.tick();
	const replaced = trigger.activate();
	await interrupted;
	await Promise.all([replaced, trigger.activate()]);
	await poll(trigger, 4);
	expect(trigger.ids.sort()).toEqual(started.sort());
});

const TRIED = 'Tried \\d times over 5 s.';

test.each<[RequestFailure, string]>([
	[503, `The service answered with status 503. ${TRIED} Nothing was changed. Try again in a few minutes.`],
	[404, "Prospector workflow '.+' was not found. .+ Pick one from the list, or enter its ID, not its name."],
	[{ kind: 'notJson', status: 401 }, `(?!.*API key)Something in front of the service .+ ${TRIED} .+ admin.*`],
])(
	'the activation of the trigger fails and stores no state, and its message says why and what to do, if all requests meet %j',
	async (failure, message) => {
		const { addWorkflow, watch, failRequests } = triggerScenario();
		const trigger = watch('newRun', { watch: 'one', workflowId: addWorkflow() });
		const expected = { message: expect.stringMatching(`^${message}$`) as unknown, description: undefined };
		// Also after a change of the event.
		for (const event of ['newRun', 'newResult']) {
			const { saved } = trigger;
			trigger.parameters.event = event;
			const repair = failRequests(failure);
			await expect(trigger.activate()).rejects.toMatchObject(expected);
			expect(trigger.saved).toBe(saved);
			repair();
			await trigger.activate();
		}
	},
);

test('the trigger activates if the service fails after its first response', async () => {
	const { addWorkflow, watch, beforeRequest, failRequests } = triggerScenario();
	const trigger = watch('newRun', { watch: 'one', workflowId: addWorkflow() });
	beforeRequest(2, () => failRequests(500));
	await trigger.activate();
	expect(trigger.log.at(-1)).toMatch(/status 500 when listing .+\. A later poll tries again$/);
});

const STARTS_OVER = /cannot be used, so the trigger starts over$/;
const stored = (text: string) => JSON.stringify({ prospectorTrigger: text });

test.each<[string, boolean, (trigger: ActiveTrigger) => unknown, RegExp[]]>([
	['API key', true, () => jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'pk_2'), []],
	[
		'spelling of the Base URL',
		true,
		() => jest.replaceProperty(CREDENTIAL_DATA, 'baseUrl', `${CREDENTIAL_DATA.baseUrl}/`),
		[],
	],
	['Base URL', false, () => jest.replaceProperty(CREDENTIAL_DATA, 'baseUrl', 'https://b.example'), []],
	['event', false, ({ parameters }) => (parameters.event = 'runStatusChanged'), []],
	['old format', false, (trigger) => (trigger.saved = stored('["1"]')), [STARTS_OVER]],
	['damaged state', false, (trigger) => (trigger.saved = trigger.saved.replace(']', '')), [STARTS_OVER]],
])(
	"the trigger keeps its state at a restart unless the event or Base URL differs or the state can't be used (changed: %s, kept: %j)",
	async (_, isKept, change, log) => {
		const { trigger, startRun, time, poll } = workspaceScenario('newRun');
		await trigger.activate();
		trigger.crash();
		change(trigger);
		const earlier = startRun();
		time.advance(1);
		await trigger.activate();
		jest.restoreAllMocks();
		expect(trigger.log).toEqual(log.map((line): unknown => expect.stringMatching(line)));
		time.advance(1);
		const run = startRun();
		await trigger.tick();
		await poll(trigger, 3);
		expect(trigger.ids).toEqual(isKept ? [earlier, run] : [run]);
	},
);

test('the trigger skips a poll and logs this if another poll is still running', async () => {
	const { trigger, startRun } = workspaceScenario('newRun');
	await trigger.activate();
	const run = startRun();
	await Promise.all([trigger.tick(), trigger.tick()]);
	expect(trigger.ids).toEqual([run]);
	expect(trigger.log).toEqual([
		"Prospector in 'workflow': the last poll is still running or being saved, so this one is skipped",
	]);
});
