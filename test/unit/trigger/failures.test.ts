import { newState, serializeState } from '../../../nodes/Prospector/trigger/state/triggerState';
import { CREDENTIAL_DATA } from '../helpers/support';
import { HOUR_MS, MINUTE_MS, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';

const NOTHING_LOST = /Nothing is lost: the next poll catches up\.$/;
const WEB_PAGE: RequestFailure = { kind: 'notJson' };

/** An activated trigger for two Prospector workflows. */
async function activeTrigger() {
	const scenario = triggerScenario();
	const { time, addWorkflow, addRun, watch, failRequests } = scenario;
	const workflows = [addWorkflow(), addWorkflow()];
	const trigger = watch('newRun', { watch: 'several', workflowIds: workflows });
	await trigger.activate();
	time.advance(1000);
	const poll = async () => await trigger.tick().catch(() => {});
	return {
		...scenario,
		trigger,
		startRun: (workflow = 0) => addRun(workflows[workflow]),
		/** Makes the list of runs of one Prospector workflow fail. */
		failList: (workflow: number, failure: RequestFailure) =>
			failRequests(failure, `/${workflows[workflow]}/runs`),
		poll,
		/** Polls every ten minutes. @returns the minutes in which a poll was a failed execution */
		async pollDuring(minutes: number, beforePoll = () => {}) {
			const failed: number[] = [];
			for (let minute = 0; minute <= minutes; minute += 10) {
				beforePoll();
				const { length } = trigger.failedExecutions;
				await poll();
				if (trigger.failedExecutions.length > length) failed.push(minute);
				time.advance(10 * MINUTE_MS);
			}
			return failed;
		},
		countLogged: () => trigger.log.filter((line) => line.endsWith('. The next poll catches up')).length,
	};
}

describe.each<[string, RequestFailure, RegExp, number[]]>([
	['status 401', 401, /^The API key was not accepted$/, [0, 60, 120]],
	[
		'status 403',
		403,
		/^This API key is not allowed to list the runs of a Prospector workflow$/,
		[0, 60, 120],
	],
	['status 404', 404, /^Prospector workflow '\w+' was not found$/, [0, 60, 120]],
	['a web page', WEB_PAGE, /^'Base URL' answered with a web page, not with Prospector data$/, [60, 120]],
])('a poll that fails with %s', (_, failure, message, minutes) => {
	test('is a failed execution once an hour, and is always logged', async () => {
		const { trigger, startRun, failList, poll, pollDuring, countLogged } = await activeTrigger();
		const missed = startRun();
		const repair = failList(0, failure);
		expect(await pollDuring(120)).toEqual(minutes);
		for (const failed of trigger.failedExecutions) {
			expect(failed.message).toMatch(message);
			expect(failed.description).toMatch(NOTHING_LOST);
		}
		expect(countLogged()).toBe(13);
		repair();
		await poll();
		expect(trigger.ids).toEqual([missed]);
	});

	test('is a failed execution as often when another Prospector workflow has items', async () => {
		const { trigger, startRun, failList, pollDuring, countLogged } = await activeTrigger();
		failList(1, failure);
		const runs: string[] = [];
		expect(await pollDuring(120, () => runs.push(startRun(0)))).toEqual(minutes);
		expect(trigger.polls.flatMap(({ errors }) => errors)).toHaveLength(minutes.length);
		expect(trigger.ids).toEqual(runs);
		expect(countLogged()).toBe(13);
		expect(trigger.log[0]).toMatch(/^Prospector in 'workflow': \S/);
	});
});

test('a credential that became invalid is a failed execution at once and then once an hour', async () => {
	const { trigger, startRun, poll, pollDuring } = await activeTrigger();
	const missed = startRun();
	const invalidKey = jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'not one word');
	expect(await pollDuring(60)).toEqual([0, 60]);
	expect(trigger.failedExecutions[0]).toMatchObject({
		message: "'API Key' has a space, quotation mark or line break in it",
		description: expect.stringMatching(NOTHING_LOST) as unknown,
	});
	invalidKey.restore();
	await poll();
	expect(trigger.ids).toEqual([missed]);
});

test('a transient failure that ends within an hour is no failed execution and does not count later', async () => {
	const { failRequests, pollDuring } = await activeTrigger();
	for (let outage = 0; outage < 2; outage++) {
		const repair = failRequests(WEB_PAGE);
		expect(await pollDuring(40)).toEqual([]);
		repair();
		expect(await pollDuring(0)).toEqual([]);
	}
});

test('a failure that needs user action is reported before a transient one', async () => {
	const { trigger, failList, poll, countLogged } = await activeTrigger();
	failList(0, { kind: 'reset' });
	failList(1, 404);
	await poll();
	expect(trigger.failedExecutions[0].message).toMatch(/was not found/);
	expect(countLogged()).toBe(2);
});

test('a failure of the first poll rejects the activation and stores no state', async () => {
	const { addWorkflow, watch, failRequests } = triggerScenario();
	const trigger = watch('newRun', { watch: 'several', workflowIds: [addWorkflow()] });
	failRequests(403);
	await expect(trigger.activate()).rejects.toMatchObject({
		message: 'This API key is not allowed to read Prospector workflows',
		description: expect.stringMatching(/prospector\.read/),
	});
	expect(trigger.saved).toBe('{}');
});

test.each<[string, RequestFailure]>([
	['422', 422],
	['429', 429],
	['500', 500],
	['503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '600' } }],
	['a lost connection', { kind: 'reset' }],
	['no response', { kind: 'hang' }],
	['an empty body', { kind: 'notJson', body: '' }],
	['another object', { kind: 'notEnvelope', body: { ok: true } }],
	['a redirect', { kind: 'redirect', location: 'https://elsewhere.example' }],
])('a failed execution because of %s has no advice to retry', async (_, failure) => {
	const { trigger, time, failRequests, poll } = await activeTrigger();
	failRequests(failure);
	await poll();
	// A transient failure is reported after an hour.
	time.advance(HOUR_MS);
	await poll();
	const [{ message, description }] = trigger.failedExecutions;
	expect(message).toMatch(/^[A-Z'][^\n]+$/);
	expect(description).toMatch(NOTHING_LOST);
	expect(`${message} ${description}`).not.toMatch(/\bretry\b|try again|this execution/i);
});

const OTHER_EVENT = serializeState(newState('newResult'));
const STARTS_OVER = /^Prospector in 'workflow': the stored state cannot be used, .+ starts over/;

test.each([
	['of another event', OTHER_EVENT, []],
	['that is no text, which is logged', { version: '1' }, [STARTS_OVER]],
	['that is no JSON, which is logged', 'not JSON', [STARTS_OVER]],
])('the trigger starts with a new baseline after a stored state %s', async (_, stored, log) => {
	const { trigger, startRun, time, poll } = await activeTrigger();
	trigger.crash();
	trigger.saved = JSON.stringify({ prospectorTrigger: stored });
	startRun();
	time.advance(1);
	await trigger.activate();
	expect(trigger.log).toEqual(log.map((line): unknown => expect.stringMatching(line)));
	time.advance(1);
	const run = startRun();
	await poll();
	expect(trigger.ids).toEqual([run]);
});

test('a poll that starts before the end of another is skipped, which is logged', async () => {
	const { trigger, startRun, poll } = await activeTrigger();
	const run = startRun();
	await Promise.all([poll(), poll()]);
	expect(trigger.ids).toEqual([run]);
	expect(trigger.log).toEqual([
		"Prospector in 'workflow': the last poll is still running, so this one is skipped",
	]);
});
