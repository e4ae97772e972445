import type { NodeApiError } from 'n8n-workflow';
import { CREDENTIAL_DATA } from '../helpers/support';
import { idsOf, MINUTE, sortedIds, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';
import type { ActiveTrigger } from '../helpers/trigger/activeTrigger';

const HOUR = 60 * MINUTE;
const NOTHING_LOST = /Nothing is lost: the next poll catches up\.$/;
const WEB_PAGE = { body: '<html>Maintenance</html>' };
const LOST_CONNECTION = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
/** What n8n's HTTP helper throws when a response ends before its body does. */
const TRUNCATED_BODY = Object.assign(new Error('aborted'), {
	code: 'ECONNRESET',
	response: { status: 200, headers: {} },
});

/** An activated trigger for two Prospector workflows. */
async function activeTrigger() {
	const scenario = triggerScenario();
	const { service, time, watch } = scenario;
	const workflows = [service.addWorkflow(), service.addWorkflow()];
	const trigger = watch('newRun', { watch: 'several', workflowIds: idsOf(workflows) });
	await trigger.activate();
	time.now += 1000;
	return {
		...scenario,
		workflows,
		trigger,
		addRun: (workflow = 0) => service.addRun(workflows[workflow], 'completed').id,
		/** Makes the list of runs of one Prospector workflow fail. */
		failList: (workflow: number, failure: RequestFailure) =>
			scenario.failRequests(failure, `/${workflows[workflow].id}/runs`),
		/**
		 * Polls every ten minutes.
		 *
		 * @returns the minutes in which a poll threw, or emitted an error beside its items; the number of polls
		 */
		async pollDuring(minutes: number, beforePoll = () => {}) {
			const start = time.now;
			const failed: number[] = [];
			let polls = 0;
			for (let minute = 0; minute <= minutes; minute += 10) {
				beforePoll();
				const before = trigger.emittedErrors.length;
				const { message } = await outcomeOf(trigger);
				if (message !== undefined || trigger.emittedErrors.length > before) failed.push(minute);
				polls++;
				time.now = start + (minute + 10) * MINUTE;
			}
			return { failed, polls };
		},
	};
}

/** Returns the message of a failed execution, or nothing. */
async function outcomeOf(trigger: ActiveTrigger): Promise<{ message?: string; description?: string | null }> {
	try {
		await trigger.tick();
		return {};
	} catch (thrown) {
		return thrown as NodeApiError;
	}
}

const logged = ({ log }: ActiveTrigger) => log.filter((line) => line.endsWith('. The next poll catches up'));

const needUserAction: Array<[number, RegExp]> = [
	[401, /^The API key was not accepted$/],
	[403, /^This API key is not allowed to list the runs of a Prospector workflow$/],
	[404, /^Prospector workflow '\w+' was not found$/],
];

describe.each(needUserAction)('a poll that fails with status %d', (status, message) => {
	test('is a failed execution at once and then once an hour, and is always logged', async () => {
		const { trigger, addRun, failList, pollDuring } = await activeTrigger();
		const missed = addRun();
		const repair = failList(0, status);
		const first = await outcomeOf(trigger);
		expect(first.message).toMatch(message);
		expect(first.description).toMatch(NOTHING_LOST);
		const { failed, polls } = await pollDuring(120);
		expect(failed).toEqual([60, 120]);
		expect(logged(trigger)).toHaveLength(polls + 1);
		expect(trigger.emittedErrors).toEqual([]);
		repair();
		expect(idsOf(await trigger.tick())).toEqual([missed]);
	});

	test('is a failed execution as often when another Prospector workflow has items', async () => {
		const { trigger, addRun, failList, pollDuring } = await activeTrigger();
		// After a 401 a poll sends no more requests, so the list with items comes first.
		failList(1, status);
		const runs: string[] = [];
		const { failed, polls } = await pollDuring(120, () => runs.push(addRun(0)));
		expect(failed).toEqual([0, 60, 120]);
		expect(trigger.emittedErrors).toHaveLength(3);
		for (const error of trigger.emittedErrors) {
			expect(error.message).toMatch(message);
			expect(error.description).toMatch(NOTHING_LOST);
		}
		expect(sortedIds(trigger.emitted)).toEqual(runs.sort());
		expect(logged(trigger)).toHaveLength(polls);
		expect(logged(trigger)[0]).toMatch(/^Prospector\S* in 'workflow': \S/);
	});
});

test('a credential that became invalid is a failed execution at once and then once an hour', async () => {
	const { trigger, addRun, pollDuring } = await activeTrigger();
	const missed = addRun();
	trigger.credential = { ...CREDENTIAL_DATA, apiKey: 'not one word' };
	const { message, description } = await outcomeOf(trigger);
	expect(message).toBe("'API Key' has a space, quotation mark or line break in it");
	expect(description).toMatch(NOTHING_LOST);
	const { failed, polls } = await pollDuring(60);
	expect(failed).toEqual([60]);
	expect(logged(trigger)).toHaveLength(polls + 1);
	trigger.credential = CREDENTIAL_DATA;
	expect(idsOf(await trigger.tick())).toEqual([missed]);
});

test('a deleted Prospector workflow is reported while another one emits items', async () => {
	const { trigger, service, workflows, addRun, pollDuring } = await activeTrigger();
	service.deleteWorkflow(workflows[0]);
	const runs: string[] = [];
	expect((await pollDuring(60, () => runs.push(addRun(1)))).failed).toEqual([0, 60]);
	expect(sortedIds(trigger.emitted)).toEqual(runs.sort());
	expect(trigger.emittedErrors[0].message).toMatch(/^Prospector workflow '\w+' was not found$/);
});

test('a transient failure is always logged, and is a failed execution after an hour', async () => {
	const { trigger, addRun, failList, pollDuring } = await activeTrigger();
	const missed = addRun();
	const repair = failList(0, WEB_PAGE);
	const { failed, polls } = await pollDuring(120);
	expect(failed).toEqual([60, 120]);
	expect(logged(trigger)).toHaveLength(polls);
	repair();
	expect(idsOf(await trigger.tick())).toEqual([missed]);
});

test('a transient failure that ends within an hour is no failed execution and does not count later', async () => {
	const { failRequests, pollDuring } = await activeTrigger();
	for (let outage = 0; outage < 2; outage++) {
		const repair = failRequests(WEB_PAGE);
		expect((await pollDuring(40)).failed).toEqual([]);
		repair();
		expect((await pollDuring(0)).failed).toEqual([]);
	}
});

test('a failure that needs user action is reported before a transient one', async () => {
	const { trigger, service, workflows } = await activeTrigger();
	service.outage = () => {
		if (service.requests.at(-1)!.includes(workflows[0].id)) throw LOST_CONNECTION;
		return { statusCode: 404, headers: {}, body: '' };
	};
	expect((await outcomeOf(trigger)).message).toMatch(/was not found/);
	expect(logged(trigger)).toHaveLength(2);
});

test('a failure after a restart of n8n is a failed execution and does not end the activation', async () => {
	const { trigger, addRun, failRequests } = await activeTrigger();
	const missed = addRun();
	const repair = failRequests(401);
	trigger.die();
	expect(await trigger.activate()).toEqual([]);
	expect(trigger.emittedErrors.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The API key/),
	]);
	repair();
	expect(idsOf(await trigger.tick())).toEqual([missed]);
});

test('a failure of the first poll rejects the activation and stores no state', async () => {
	const { service, watch, failRequests } = triggerScenario();
	const { id } = service.addWorkflow();
	failRequests(403);
	const trigger = watch('newRun', { watch: 'several', workflowIds: [id] });
	await expect(trigger.activate()).rejects.toMatchObject({
		message: 'This API key is not allowed to read Prospector workflows',
		description: expect.stringMatching(/prospector\.read/),
	});
	expect(trigger.saved).toBe('{}');
});

test.each<[string, RequestFailure]>([
	['401', 401],
	['403', 403],
	['404', 404],
	['422', 422],
	['429', 429],
	['500', 500],
	['503 with Retry-After', { statusCode: 503, headers: { 'retry-after': '600' } }],
	['a lost connection', LOST_CONNECTION],
	['a truncated body', TRUNCATED_BODY],
	['a web page', WEB_PAGE],
	['an empty body', { body: '' }],
	['another object', { body: { ok: true } }],
	['a redirect', { statusCode: 302, headers: { location: 'https://elsewhere.example' } }],
])('a failed execution because of %s has no advice to retry', async (_, failure) => {
	const { trigger, time, failRequests } = await activeTrigger();
	failRequests(failure);
	// A transient failure is reported after an hour.
	let { message, description } = await outcomeOf(trigger);
	time.now += HOUR;
	if (message === undefined) ({ message, description } = await outcomeOf(trigger));
	expect(message).toMatch(/^[A-Z'][^\n]+$/);
	expect(description).toMatch(NOTHING_LOST);
	expect(`${message} ${description}`).not.toMatch(/\bretry\b|try again|execution/i);
});

test.each(['not JSON', '{"version":"0"}', { version: '1' }])(
	'a stored state that is invalid is logged, and the trigger starts with a new baseline: %j',
	async (stored) => {
		const { trigger, addRun, time } = await activeTrigger();
		trigger.die();
		trigger.saved = JSON.stringify({ prospectorTrigger: stored });
		addRun();
		time.now += 1;
		expect(await trigger.activate()).toEqual([]);
		expect(trigger.log).toEqual([
			expect.stringMatching(/^Prospector in 'workflow': the stored state cannot be used, .+ starts over/),
		]);
		time.now += 1;
		const run = addRun();
		expect(idsOf(await trigger.tick())).toEqual([run]);
	},
);

test('a poll that starts before the end of another is skipped, which is logged', async () => {
	const { trigger, addRun } = await activeTrigger();
	const run = addRun();
	await Promise.all([trigger.tick(), trigger.tick()]);
	expect(idsOf(trigger.emitted)).toEqual([run]);
	expect(trigger.log).toEqual([
		"Prospector in 'workflow': the last poll is still running, so this one is skipped",
	]);
});

test('a trigger for another event starts with a new baseline, and logs nothing', async () => {
	const { trigger, service, time, watch, addRun } = await activeTrigger();
	addRun();
	service.addResult(service.runs[0]);
	time.now += 1;
	const other = watch('newResult');
	other.saved = trigger.saved;
	expect(await other.activate()).toEqual([]);
	time.now += 1;
	const result = service.addResult(service.runs[0]);
	expect(idsOf(await other.tick())).toEqual([result.id]);
	expect(other.log).toEqual([]);
});

test('a list that cannot be read delays only its own items', async () => {
	const { trigger, addRun, failList } = await activeTrigger();
	const [first, second] = [addRun(0), addRun(1)];
	const repair = failList(0, 404);
	expect(idsOf(await trigger.tick())).toEqual([second]);
	repair();
	expect(idsOf(await trigger.tick())).toEqual([first]);
	expect(await trigger.tick()).toEqual([]);
});
