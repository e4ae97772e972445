import type { FaultRule } from '../../sandbox/types';
import { byId } from '../nodes';
import { idsOf } from './environment';
import { captureLog, capturedLog, releaseLog } from './hostileService/guards';
import { MINUTE, outcomeOf, startTriggerEnvironment, type TriggerEnvironment } from './triggerEnvironment';

const HOUR = 60 * MINUTE;
const NOTHING_LOST = /Nothing is lost: the next poll catches up\.$/;

let env: TriggerEnvironment;
let workflows: string[];
beforeEach(async () => {
	captureLog();
	env = await startTriggerEnvironment();
	workflows = env.control.seed({ workflows: [{ runs: 1 }, { runs: 1 }] }).workflows;
	env.advance(1000);
});
afterEach(async () => {
	releaseLog();
	await env.close();
});

const addRun = (workflow = 0) => env.control.seed({ runs: [{ workflowId: workflows[workflow] }] }).runs[0];
const addFault = (fault: Partial<FaultRule>) => env.control.addFault({ kind: 'status', times: 0, ...fault });
/** Adds a fault for the runs of one Prospector workflow. */
const addFaultTo = (workflow: number, fault: Partial<FaultRule>) =>
	addFault({ match: { operation: 'listRuns', path: workflows[workflow] }, ...fault });
const logLines = () => capturedLog().match(/The next poll catches up/g)?.length ?? 0;

async function activate(key?: string) {
	const parameters = { event: 'newRun', watch: 'several', workflowIds: workflows, options: {} };
	const trigger = env.trigger(parameters, undefined, key);
	await trigger.activate();
	return trigger;
}

/**
 * Polls every ten minutes.
 *
 * @returns the minutes in which a poll threw, or emitted an error beside its items; the number of polls
 */
async function pollDuring(
	minutes: number,
	trigger: ReturnType<TriggerEnvironment['trigger']>,
	beforePoll = () => {},
) {
	const start = env.now();
	const failed: number[] = [];
	let polls = 0;
	for (let minute = 0; minute <= minutes; minute += 10) {
		beforePoll();
		const before = trigger.errors.length;
		const { message } = await outcomeOf(trigger.tick());
		if (message !== undefined || trigger.errors.length > before) failed.push(minute);
		polls++;
		env.advance(start + (minute + 10) * MINUTE - env.now());
	}
	return { failed, polls };
}

const needUserAction: Array<[number, RegExp]> = [
	[401, /^The API key/],
	[403, /may not list the runs/],
	[404, /^The Prospector workflow '\w+' was not found/],
];

describe.each(needUserAction)('A poll that fails with status %d', (status, message) => {
	test('is a failed execution at once and then once an hour, and is always logged', async () => {
		const trigger = await activate();
		const missed = addRun();
		addFaultTo(0, { status });
		const first = await outcomeOf(trigger.tick());
		expect(first.message).toMatch(message);
		expect(first.description).toMatch(NOTHING_LOST);
		const { failed, polls } = await pollDuring(120, trigger);
		expect(failed).toEqual([60, 120]);
		expect(logLines()).toBe(polls + 1);
		expect(trigger.errors).toEqual([]);
		env.control.clearFaults();
		expect(idsOf(await trigger.tick())).toEqual([missed]);
	});

	test('is a failed execution as often when another Prospector workflow has items', async () => {
		const trigger = await activate();
		// After a 401 a poll sends no more requests, so the list with items comes first.
		addFaultTo(1, { status });
		const runs: string[] = [];
		const { failed, polls } = await pollDuring(120, trigger, () => runs.push(addRun(0)));
		expect(failed).toEqual([0, 60, 120]);
		expect(trigger.errors).toHaveLength(3);
		for (const error of trigger.errors) {
			expect(error.message).toMatch(message);
			expect(error.description).toMatch(NOTHING_LOST);
		}
		expect(idsOf(trigger.executions.flat()).sort()).toEqual(runs.sort());
		expect(logLines()).toBe(polls);
	});
});

test('a credential that became invalid is a failed execution at once and then once an hour', async () => {
	await env.addCredential('changed', {});
	const trigger = await activate('changed');
	const missed = addRun();
	await env.addCredential('changed', { apiKey: 'not one word' });
	const { message, description } = await outcomeOf(trigger.tick());
	expect(message).toMatch(/^'API Key' of the credential/);
	expect(description).toMatch(NOTHING_LOST);
	const { failed, polls } = await pollDuring(60, trigger);
	expect(failed).toEqual([60]);
	expect(logLines()).toBe(polls + 1);
	await env.addCredential('changed', {});
	expect(idsOf(await trigger.tick())).toEqual([missed]);
});

test('a transient failure is always logged, and is a failed execution after an hour', async () => {
	const trigger = await activate();
	const missed = addRun();
	addFaultTo(0, { kind: 'notJson' });
	const { failed, polls } = await pollDuring(120, trigger);
	expect(failed).toEqual([60, 120]);
	expect(logLines()).toBe(polls);
	env.control.clearFaults();
	expect(idsOf(await trigger.tick())).toEqual([missed]);
});

test('a transient failure that ends within an hour is no failed execution and does not count later', async () => {
	const trigger = await activate();
	for (let outage = 0; outage < 2; outage++) {
		addFault({ kind: 'notJson' });
		expect((await pollDuring(40, trigger)).failed).toEqual([]);
		env.control.clearFaults();
		expect((await pollDuring(0, trigger)).failed).toEqual([]);
	}
});

test('a failure that needs user action is reported before a transient one', async () => {
	const trigger = await activate();
	addFaultTo(0, { kind: 'reset' });
	addFaultTo(1, { status: 404 });
	expect((await outcomeOf(trigger.tick())).message).toMatch(/was not found/);
});

test('a deleted Prospector workflow is reported while another one emits items', async () => {
	const trigger = await activate();
	await env.getItems({ resource: 'workflow', operation: 'delete', workflowId: byId(workflows[0]) });
	const runs: string[] = [];
	expect((await pollDuring(60, trigger, () => runs.push(addRun(1)))).failed).toEqual([0, 60]);
	expect(idsOf(trigger.executions.flat()).sort()).toEqual(runs.sort());
	expect(trigger.errors[0].message).toMatch(/^The Prospector workflow '\w+' was not found/);
});

test('a failure after a restart of n8n is a failed execution and does not end the activation', async () => {
	const trigger = await activate();
	const missed = addRun();
	trigger.deactivate();
	addFault({ status: 401 });
	expect(await trigger.activate()).toEqual([]);
	expect(trigger.errors.map(({ message }) => message)).toEqual([expect.stringMatching(/^The API key/)]);
	env.control.clearFaults();
	expect(idsOf(await trigger.tick())).toEqual([missed]);
});

test('a failure of the first poll rejects the activation and stores no state', async () => {
	addFault({ status: 403 });
	const trigger = env.trigger({ event: 'newRun', watch: 'several', workflowIds: workflows, options: {} });
	await expect(trigger.activate()).rejects.toMatchObject({
		message: expect.stringMatching(/may not/),
		description: expect.stringMatching(/prospector\.read/),
	});
	expect(trigger.staticData).toEqual({});
});

test.each<Partial<FaultRule>>([
	{ status: 401 },
	{ status: 403 },
	{ status: 404 },
	{ status: 422 },
	{ status: 429 },
	{ status: 500 },
	{ status: 503, headers: { 'retry-after': '600' } },
	{ kind: 'drop' },
	{ kind: 'cutBody' },
	{ kind: 'notJson' },
	{ kind: 'notEnvelope' },
	{ kind: 'redirect', location: 'https://elsewhere.example' },
])('a failed execution because of %j has no advice to retry', async (fault) => {
	const trigger = await activate();
	addFault(fault);
	// A transient failure is reported after an hour.
	let { message, description } = await outcomeOf(trigger.tick());
	env.advance(HOUR);
	if (message === undefined) ({ message, description } = await outcomeOf(trigger.tick()));
	expect(message).toMatch(/^[A-Z'][^\n]+$/);
	expect(description).toMatch(NOTHING_LOST);
	expect(`${message} ${description}`).not.toMatch(/\bretry\b|execution/i);
});

test.each([['not JSON'], ['{"version":"0"}'], [{ version: '1' }]])(
	'a stored state that is invalid is logged, and the trigger starts with a new baseline: %j',
	async (stored) => {
		const parameters = { event: 'newRun', watch: 'several', workflowIds: workflows, options: {} };
		const trigger = env.trigger(parameters, { 'node:Trigger': { prospectorTrigger: stored } });
		expect(await trigger.activate()).toEqual([]);
		expect(capturedLog()).toMatch(/Trigger in 'Watching': the stored state cannot be used.*starts over/);
		const run = addRun();
		expect(idsOf(await trigger.tick())).toEqual([run]);
	},
);

test('a list that cannot be read delays only its own items', async () => {
	const trigger = await activate();
	const [first, second] = [addRun(0), addRun(1)];
	addFaultTo(0, { status: 404 });
	expect(idsOf(await trigger.tick())).toEqual([second]);
	env.control.clearFaults();
	expect(idsOf(await trigger.tick())).toEqual([first]);
	expect(await trigger.tick()).toEqual([]);
});

test('a rate limit below the requests of a poll delays items and loses none', async () => {
	env.control.patchSettings({ limit: 4 });
	const more = env.control.seed({ workflows: 5 }).workflows;
	const trigger = env.trigger({ event: 'newRun', watch: 'all', options: {} });
	await trigger.activate();
	// A run of the same millisecond as the activation belongs to the baseline.
	env.advance(1);
	const runs: string[] = [];
	for (let poll = 0; poll < 20; poll++) {
		if (poll < 10) runs.push(...env.control.seed({ runs: [{ workflowId: more[poll % 5] }] }).runs);
		await trigger.tick();
		env.advance(MINUTE);
	}
	expect(idsOf(trigger.executions.flat()).sort()).toEqual(runs.sort());
});
