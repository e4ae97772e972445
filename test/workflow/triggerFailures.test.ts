import { byId } from '../nodes';
import { idsOf } from './environment';
import { captureLog, capturedLog, releaseLog } from './hostileService/guards';
import { MINUTE, outcomeOf, startTriggerEnvironment, type TriggerEnvironment } from './triggerEnvironment';

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

test('a deleted Prospector workflow is reported while another one emits items', async () => {
	const trigger = await activate();
	await env.getItems({ resource: 'workflow', operation: 'delete', workflowId: byId(workflows[0]) });
	const runs: string[] = [];
	expect((await pollDuring(60, trigger, () => runs.push(addRun(1)))).failed).toEqual([0, 60]);
	expect(idsOf(trigger.executions.flat()).sort()).toEqual(runs.sort());
	expect(trigger.errors[0].message).toMatch(/^The Prospector workflow '\w+' was not found/);
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
