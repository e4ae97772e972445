import type { FaultRule } from '../../sandbox/types';
import { captureLog, capturedLog, releaseLog } from './hostileService/logLines';
import { byId } from './support';
import { ids, MINUTE, outcomeOf, startTriggerEnvironment, type TriggerEnvironment } from './triggerBench';

const CATCHES_UP = 'Nothing is lost: the next poll catches up.';
const HOUR = 60 * MINUTE;

let bench: TriggerEnvironment;
let workflows: string[];

beforeEach(async () => {
	captureLog();
	bench = await startTriggerEnvironment();
	workflows = bench.control.seed({ workflows: [{ runs: 1 }, { runs: 1 }] }).workflows;
	bench.pass(1000);
});
afterEach(async () => {
	releaseLog();
	await bench.close();
});

const both = () => ({ event: 'newRun', watch: 'several', workflowIds: workflows, options: {} });
const startRun = (workflow = 0) =>
	bench.control.seed({ runs: [{ workflowId: workflows[workflow] }] }).runs[0];
const fail = (fault: Partial<FaultRule>) => bench.control.addFault({ kind: 'status', times: 0, ...fault });
/** A failure of the list of runs of one Prospector workflow. */
const failOne = (workflow: number, fault: Partial<FaultRule>) =>
	fail({ match: { operation: 'listRuns', path: workflows[workflow] }, ...fault });
const logLines = () => capturedLog().match(/The next poll catches up/g)?.length ?? 0;

/** Polls once a minute. Returns the minutes in which a poll threw, or emitted a failure beside its items. */
async function failedMinutes(
	trigger: ReturnType<TriggerEnvironment['trigger']>,
	minutes: number,
	each = () => {},
) {
	const start = bench.clock();
	const failed: number[] = [];
	while (bench.clock() <= start + minutes * MINUTE) {
		const minute = Math.floor((bench.clock() - start) / MINUTE);
		each();
		const before = trigger.errors.length;
		const { message } = await outcomeOf(trigger.tick());
		if (message !== undefined || trigger.errors.length > before) failed.push(minute);
		bench.pass(start + (minute + 1) * MINUTE - bench.clock());
	}
	return failed;
}

const NEEDS_A_PERSON: Array<[number, RegExp]> = [
	[401, /^The API key/],
	[403, /may not list the runs/],
	[404, /^The Prospector workflow '\w+' was not found/],
];

describe.each(NEEDS_A_PERSON)('a poll that fails with status %d', (status, message) => {
	test('is a failed execution at once and then once an hour, and has a log line each time', async () => {
		const trigger = bench.trigger(both());
		await trigger.activate();
		const missed = startRun();
		failOne(0, { status });
		const { message: first, description } = await outcomeOf(trigger.tick());
		expect(first).toMatch(message);
		expect(description).toMatch(new RegExp(`${CATCHES_UP}$`));
		expect(await failedMinutes(trigger, 121)).toEqual([60, 120]);
		expect(logLines()).toBe(123);
		expect(trigger.errors).toEqual([]);
		bench.control.clearFaults();
		expect(ids(await trigger.tick())).toEqual([missed]);
	});

	test('is one as well if other Prospector workflows have items, which are emitted', async () => {
		const trigger = bench.trigger(both());
		await trigger.activate();
		// After a 401, a poll sends nothing else: the first list is read before.
		failOne(1, { status });
		const runs: string[] = [];
		const failed = await failedMinutes(trigger, 121, () => runs.push(startRun(0)));
		for (const { description } of trigger.errors) expect(description).toMatch(new RegExp(`${CATCHES_UP}$`));
		expect(ids(trigger.executions.flat()).sort()).toEqual(runs.sort());
		expect(failed).toEqual([0, 60, 120]);
		expect(trigger.errors.map((error) => error.message)).toEqual(
			failed.map(() => expect.stringMatching(message)),
		);
		expect(logLines()).toBe(122);
	});
});

test('a credential that can no longer be used is a failed execution at once and then once an hour', async () => {
	await bench.credential('changed', {});
	const trigger = bench.trigger(both(), undefined, 'changed');
	await trigger.activate();
	const missed = startRun();
	await bench.credential('changed', { apiKey: 'not one word' });
	const { message, description } = await outcomeOf(trigger.tick());
	expect(message).toMatch(/^'API Key' of the credential/);
	expect(description).toMatch(new RegExp(`${CATCHES_UP}$`));
	expect(await failedMinutes(trigger, 121)).toEqual([60, 120]);
	expect(logLines()).toBe(123);
	await bench.credential('changed', {});
	expect(ids(await trigger.tick())).toEqual([missed]);
});

test('a transient failure has a log line each time, and is a failed execution after an hour', async () => {
	const trigger = bench.trigger(both());
	await trigger.activate();
	const missed = startRun();
	failOne(0, { kind: 'notJson' });
	expect(await failedMinutes(trigger, 121)).toEqual([60, 120]);
	expect(logLines()).toBe(122);
	bench.control.clearFaults();
	expect(ids(await trigger.tick())).toEqual([missed]);
});

test('a transient failure that ends within the hour is no failed execution, nor does it count later', async () => {
	const trigger = bench.trigger(both());
	await trigger.activate();
	for (let outage = 0; outage < 2; outage++) {
		fail({ kind: 'notJson' });
		expect(await failedMinutes(trigger, 40)).toEqual([]);
		bench.control.clearFaults();
		expect(await failedMinutes(trigger, 1)).toEqual([]);
	}
});

test('a failure that needs a person comes before a transient one', async () => {
	const trigger = bench.trigger(both());
	await trigger.activate();
	failOne(0, { kind: 'reset' });
	failOne(1, { status: 404 });
	expect((await outcomeOf(trigger.tick())).message).toMatch(/was not found/);
});

test('a deleted Prospector workflow is reported although another one emits items', async () => {
	const trigger = bench.trigger(both());
	await trigger.activate();
	await bench.items({ resource: 'workflow', operation: 'delete', workflowId: byId(workflows[0]) });
	const runs: string[] = [];
	expect(await failedMinutes(trigger, 61, () => runs.push(startRun(1)))).toEqual([0, 60]);
	expect(ids(trigger.executions.flat()).sort()).toEqual(runs.sort());
	expect(trigger.errors[0].message).toMatch(/^The Prospector workflow '\w+' was not found/);
	expect(logLines()).toBe(62);
});

test('a failure when n8n has started again does not end the activation, and is a failed execution', async () => {
	const trigger = bench.trigger(both());
	await trigger.activate();
	const missed = startRun();
	trigger.deactivate();
	fail({ status: 401 });
	expect(await trigger.activate()).toEqual([]);
	expect(trigger.errors.map(({ message }) => message)).toEqual([expect.stringMatching(/^The API key/)]);
	bench.control.clearFaults();
	expect(ids(await trigger.tick())).toEqual([missed]);
});

test('a failure of the very first poll holds the activation up, and says why', async () => {
	fail({ status: 403 });
	const trigger = bench.trigger(both());
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
])('a failed execution because of %j gives no advice to retry it', async (fault) => {
	const trigger = bench.trigger(both());
	await trigger.activate();
	fail(fault);
	for (let poll = 0; poll < 2; poll++) {
		const { message, description } = await outcomeOf(trigger.tick());
		bench.pass(HOUR);
		if (message === undefined && poll === 0) continue;
		expect(message).toMatch(/^[A-Z'][^\n]+$/);
		expect(description).toMatch(new RegExp(`${CATCHES_UP}$`));
		expect(`${message} ${description}`).not.toMatch(/\bretry\b|execution/i);
	}
});

test.each([['not JSON'], ['{"version":"0"}'], [{ version: '1' }]])(
	'a stored state that cannot be used has a log line, and the trigger starts over: %j',
	async (stored) => {
		const trigger = bench.trigger(both(), { 'node:Trigger': { prospectorTrigger: stored } });
		expect(await trigger.activate()).toEqual([]);
		expect(capturedLog()).toMatch(/Trigger in 'Watching': the stored state cannot be used.*starts over/);
		const run = startRun();
		expect(ids(await trigger.tick())).toEqual([run]);
	},
);
