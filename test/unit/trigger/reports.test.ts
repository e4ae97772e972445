import fc from 'fast-check';
import { parseState, serializeState } from '../../../nodes/Prospector/trigger/state/triggerState';
import type { ActiveTrigger } from '../../simulator/activeTrigger';
import { CREDENTIAL_DATA } from '../helpers/support';
import { HOUR_MS, MINUTE_MS, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';

const NOTHING_LOST = /Nothing is lost: the next poll catches up\.$/;
const WEB_PAGE: RequestFailure = { kind: 'notJson' };

/** An activated trigger for eight Prospector workflows, which one poll can read. */
async function activeTrigger() {
	const scenario = triggerScenario();
	const { time, addRun, watchSeveral } = scenario;
	const { workflowIds, trigger } = watchSeveral(8);
	await trigger.activate();
	time.advance(1000);
	const poll = async () => await trigger.tick().catch(() => {});
	return { ...scenario, trigger, workflowIds, poll, startRun: () => addRun(workflowIds[0]) };
}

/** What happens in a poll: failures of the last lists, too few requests for all lists, or a new run without an ID. */
const POLLS = new Map<string, { failures?: RequestFailure[]; isPartial?: boolean; isUnusable?: boolean }>([
	['.', {}],
	['i', { isPartial: true }],
	['t', { failures: [WEB_PAGE] }],
	['p', { failures: [403] }],
	['u', { isUnusable: true }],
	['r', { failures: [429] }],
	['b', { failures: [403], isUnusable: true }],
	['m', { failures: [403, WEB_PAGE] }],
	['n', { failures: [WEB_PAGE, 403] }],
]);

// One character per poll, every ten minutes; `!` is a poll with failed executions.
test.each([
	['after an hour and then hourly while a transient failure lasts', 'ttttttttttttt', '......!.....!'],
	['at once and then hourly while a failure needs a person', 'ppppppppppppp', '!.....!.....!'],
	['never when a transient failure ends within an hour', 'ttttt.ttttt', '...........'],
	['again when a complete poll was between two failures', 'p.p', '!.!'],
	['only once an hour when a partial poll was between two failures', 'pipppip', '!.....!'],
	['after an hour when partial polls were between transient failures', 'tititit', '......!'],
	['never when partial polls met no failure for an hour', 'tiiiiiiit', '.........'],
	['again when partial polls met no failure for an hour', 'piiiiiip', '!......!'],
	['at once when a failure that needs a person follows a transient one', 'ttp', '..!'],
	['only once an hour when transient failures follow one that needs a person', 'pttttttt', '!.....!.'],
	['at once and then hourly while an ID is unusable', 'uuuuuuu', '!.....!'],
	['only once an hour when a complete poll was between two losses', 'u.u', '!..'],
	['after an hour while the rate limit refuses one list', 'rrrrrrrrr', '.......!.'],
	['for a loss and a failure when one follows the other', 'ptu', '!.!'],
	['for each of two problems when a poll has both', 'bbbbbbb', '2.....2'],
	['at once when a poll has a transient failure and one that needs a person', 'm.n', '!.!'],
])('the trigger shows a failed execution %s', async (_, polls, expected) => {
	for (const hasItems of [false, true]) {
		const { trigger, time, control, workflowIds, addRun, failRequests, startRun } = await activeTrigger();
		const startMs = time.nowMs;
		const runs: string[] = [];
		let shown = '';
		for (const [index, name] of [...polls].entries()) {
			const { failures = [], isPartial, isUnusable } = POLLS.get(name)!;
			time.nowMs = startMs + index * 10 * MINUTE_MS;
			trigger.parameters.options.maxRequests = isPartial ? 5 : 30;
			const repairs = failures.map((failure, list) =>
				failRequests(failure, `/${workflowIds[7 - list]}/runs`),
			);
			const unusable = isUnusable ? addRun(workflowIds[1], 'completed', '') : undefined;
			if (hasItems) runs.push(startRun());
			const before = trigger.failedExecutions.length;
			let isThrown = false;
			await trigger.tick().catch(() => (isThrown = true));
			expect(isThrown && hasItems).toBe(false);
			shown += '.!2'[trigger.failedExecutions.length - before];
			for (const repair of repairs) repair();
			if (unusable !== undefined) control.deleteRun(unusable);
		}
		expect(shown).toBe(expected);
		expect(trigger.ids).toEqual(runs);
		const failures = [...polls].flatMap((name) => POLLS.get(name)!.failures ?? []);
		expect(trigger.log.filter((line) => line.endsWith('. The next poll catches up'))).toHaveLength(
			failures.filter((failure) => failure !== 429).length,
		);
		for (const { message, description } of trigger.failedExecutions)
			expect(NOTHING_LOST.test(description!)).toBe(!/^The service (returned|has refused)/.test(message));
	}
});

test.each<[string, RegExp, RequestFailure | undefined]>([
	['the API key is rejected', /^The API key was not accepted$/, 401],
	['a Prospector workflow is not found', /^Prospector workflow '\w+' was not found$/, 404],
	['the rate limit is used up', /requests per minute$/, 429],
	['the service responds with 500', /^The service/, 500],
	['the service never responds', /^The service/, { kind: 'hang' }],
	["the credential's API key is invalid", /^'API Key' has a space/, undefined],
])(
	'a failed execution of the trigger says correctly that no item is lost if %s',
	async (_, message, failure) => {
		const { trigger, time, poll, failRequests, startRun } = await activeTrigger();
		const key =
			failure === undefined ? jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'two words') : undefined;
		const repair = failure === undefined ? () => key!.restore() : failRequests(failure);
		const run = startRun();
		await poll();
		// A transient failure is reported after an hour.
		time.advance(HOUR_MS);
		await poll();
		repair();
		await poll();
		time.advance(HOUR_MS);
		await poll();
		const [failed] = trigger.failedExecutions;
		expect(failed.message).toMatch(message);
		expect(failed.description).toMatch(NOTHING_LOST);
		expect(`${failed.message} ${failed.description}`).not.toMatch(/\bretry\b|try again|this execution/i);
		expect(trigger.ids).toEqual([run]);
	},
);

test('a poll ends after three requests if the service refuses each request with status 403', async () => {
	const { trigger, poll, failRequests } = await activeTrigger();
	failRequests(403);
	await poll();
	expect(trigger.polls.at(-1)!.requests).toBe(3);
});

test('the activation of the trigger fails and stores no state if the service responds with 503', async () => {
	const { watchSeveral, failRequests } = triggerScenario();
	const { trigger } = watchSeveral(1);
	failRequests(503);
	await expect(trigger.activate()).rejects.toMatchObject({
		message: 'The service answered with status 503',
		description: 'Tried 7 times over 30 s. Nothing was changed. Try again in a few minutes.',
	});
	expect(trigger.saved).toBe('{}');
});

const OTHER_STATE = '{"prospectorTrigger":{"version":"1"}}';

test.each<[string, boolean, (trigger: ActiveTrigger) => unknown, RegExp[]]>([
	['API key', true, () => jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'pk_2'), []],
	['Base URL', false, () => jest.replaceProperty(CREDENTIAL_DATA, 'baseUrl', 'https://b.example'), []],
	['event', false, ({ parameters }) => (parameters.event = 'runStatusChanged'), []],
	['state format', false, (trigger) => (trigger.saved = OTHER_STATE), [/cannot be used, .+ starts over/]],
])(
	'the trigger keeps its baseline at a restart only if event, Base URL and state format are the same (changed: %s, kept: %j)',
	async (_, isKept, change, log) => {
		const { trigger, startRun, time, poll } = await activeTrigger();
		trigger.crash();
		change(trigger);
		const earlier = startRun();
		time.advance(1);
		await trigger.activate();
		jest.restoreAllMocks();
		expect(trigger.log).toEqual(log.map((line): unknown => expect.stringMatching(line)));
		time.advance(1);
		const run = startRun();
		await poll();
		expect(trigger.ids).toEqual(isKept ? [earlier, run] : [run]);
	},
);

/** Returns the path of each part of a JSON value. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

test('parseState returns either nothing or exactly the stored content if a part of the state is damaged', async () => {
	const { trigger, startRun, poll } = await activeTrigger();
	startRun();
	await poll();
	const text = (JSON.parse(trigger.saved) as { prospectorTrigger: string }).prospectorTrigger;
	const paths = pathsIn(JSON.parse(text)).slice(1);
	const values = fc.constantFrom<unknown>([], {}, [[]], 'x', true, 1.5);
	const property = fc.property(fc.constantFrom(...paths), values, (path, value) => {
		const damaged = JSON.parse(text) as object;
		const owner = path.slice(0, -1).reduce((inner, key) => Reflect.get(inner, key) as object, damaged);
		Reflect.set(owner, path.at(-1)!, value);
		const parsed = parseState(JSON.stringify(damaged));
		if (parsed) expect(JSON.parse(serializeState(parsed))).toEqual(damaged);
	});
	fc.assert(property, { numRuns: 1000 });
});

test('the trigger skips a poll and logs this if another poll is still running', async () => {
	const { trigger, startRun, poll } = await activeTrigger();
	const run = startRun();
	await Promise.all([poll(), poll()]);
	expect(trigger.ids).toEqual([run]);
	expect(trigger.log).toEqual([
		"Prospector in 'workflow': the last poll is still running, so this one is skipped",
	]);
});
