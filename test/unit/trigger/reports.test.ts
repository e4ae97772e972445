import fc from 'fast-check';
import { parseState, serializeState } from '../../../nodes/Prospector/trigger/state/triggerState';
import type { ActiveTrigger } from '../../simulator/activeTrigger';
import { CREDENTIAL_DATA } from '../helpers/support';
import { HOUR_MS, MINUTE_MS, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';

const NOTHING_LOST = /After that, the next poll catches up: nothing is lost\.$/;
const WEB_PAGE: RequestFailure = { kind: 'notJson' };
const WEB_PAGES = [401, 403, 404, 407, 429].map((status) => [status, { ...WEB_PAGE, status }] as const);

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
	['v', { isUnusable: true, isPartial: true }],
	['r', { failures: [429] }],
	['b', { failures: [403], isUnusable: true }],
	['m', { failures: [403, WEB_PAGE] }],
	['n', { failures: [WEB_PAGE, 403] }],
]);

// One character per poll, every ten minutes; `!` is a poll with failed executions.
test.each([
	['after an hour and then hourly', 'a transient failure lasts', 'ttttttttttttt', '......!.....!'],
	['at once and then hourly', 'a permanent failure lasts', 'ppppppppppppp', '!.....!.....!'],
	['in no poll', 'a transient failure ends within an hour', 'ttttt.ttttt', '...........'],
	['twice', 'a poll without failures is between permanent ones', 'p.p', '!.!'],
	['at once and then hourly', 'polls run out of requests between permanent failures', 'pipppip', '!.....!'],
	['after an hour', 'polls run out of requests between transient failures', 'tititit', '......!'],
	['at the next failure', 'a poll runs out of requests after an hour of failures', 'ttttttit', '.......!'],
	['in no poll', 'polls run out of requests between two transient failures', 'tiiiiiiit', '.........'],
	['twice', 'polls run out of requests for an hour between permanent failures', 'piiiiiip', '!......!'],
	['at once', 'a permanent failure follows transient failures', 'ttp', '..!'],
	['hourly', 'transient failures follow a permanent failure', 'pttttttt', '!.....!.'],
	['at once and then hourly', 'the IDs of runs are unusable', 'uuuuuuu', '!.....!'],
	['once', 'a poll without failures is between two unusable IDs', 'u.u', '!..'],
	['once', 'polls with unusable IDs run out of requests after a transient failure', 'tvvvvv', '.!....'],
	['after an hour', 'the rate limit refuses one list', 'rrrrrrrrr', '.......!.'],
	['twice', 'an unusable ID follows a permanent failure', 'ptu', '!.!'],
	['twice an hour', 'polls have an unusable ID and a permanent failure', 'bbbbbbb', '2.....2'],
	['at once', 'a poll has a transient and a permanent failure', 'm.n', '!.!'],
])('an execution of the trigger fails %s if %s', async (_times, _condition, polls, expected) => {
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
		expect(trigger.log.filter((line) => line.endsWith('. The next poll tries again'))).toHaveLength(
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
	...WEB_PAGES.map(([status, page]): [string, RegExp, RequestFailure] => {
		return [`a proxy answers with a web page of status ${status}`, /^Something in front of the/, page];
	}),
])(
	'the trigger says in a failed execution that nothing is lost, and loses no item, if %s',
	async (_, message, failure) => {
		const { trigger, time, poll, failRequests, startRun } = await activeTrigger();
		const key =
			failure === undefined ? jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'two words') : undefined;
		const repair = failure === undefined ? () => key!.restore() : failRequests(failure);
		const run = startRun();
		await poll();
		expect(trigger.failedExecutions).toHaveLength([401, 404, undefined].includes(failure as number) ? 1 : 0);
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

test('the trigger reports only the rate limit if the service refuses every request for two hours', async () => {
	const { trigger, time, poll, failRequests } = await activeTrigger();
	failRequests(429);
	for (let polls = 0; polls < 12; polls++) {
		time.advance(10 * MINUTE_MS);
		await poll();
	}
	const messages = trigger.failedExecutions.map(({ message }) => message);
	expect(new Set(messages)).toEqual(new Set([expect.stringMatching(/requests per minute$/)]));
});

test('a poll reads all other lists if the service refuses two lists and the poll reads others between these two', async () => {
	const { trigger, workflowIds, addRun, poll, failRequests } = await activeTrigger();
	for (const index of [1, 6]) failRequests(429, `/${workflowIds[index]}/runs`);
	const runs = workflowIds.map((id) => addRun(id));
	await poll();
	expect(trigger.ids.sort()).toEqual(runs.filter((_, index) => index !== 1 && index !== 6).sort());
});

test.each([
	[3, 403],
	[2, 401],
])(
	'a poll ends after %i requests if the service refuses each request with status %i',
	async (count, status) => {
		const { trigger, poll, failRequests } = await activeTrigger();
		failRequests(status);
		await poll();
		expect(trigger.polls.at(-1)!.requests).toBe(count);
	},
);

const TRIED = 'Tried \\d times over 5 s.';
const AGAIN = 'Nothing was changed. Try again in a few minutes.';
/** Messages of failed activations, as regular expressions. */
const ACTIVATION_MESSAGES: Array<[RequestFailure | 'ECONNREFUSED', string]> = [
	[503, `The service answered with status 503. ${TRIED} ${AGAIN}`],
	[401, "The API key was not accepted. .+ Paste a current one into 'API Key' of the credential."],
	[403, "This API key is not allowed to .+ the scope '.+ Ask a workspace admin for such an API key."],
	[404, "Prospector workflow '.+' was not found. .+ Pick one from the list, or enter its ID, not its name."],
	['ECONNREFUSED', "The service could not be reached. .+ Check 'Base URL' .+ and n8n's network."],
	...WEB_PAGES.map(([status, page]): [RequestFailure, string] => {
		const cause = `Something in front of the service answered .status ${status}..`;
		const advice = status === 407 ? 'A proxy.+' : `This may be a proxy.+ ${AGAIN} .+`;
		return [page, `(?!.*API key)${cause} ${TRIED} ${advice} your n8n admin.*`];
	}),
];

test.each(ACTIVATION_MESSAGES)(
	'the activation of the trigger fails and stores no state, and its message says why and what to do, if all requests meet %j',
	async (failure, message) => {
		const { watchSeveral, failRequests, beforeRequest } = triggerScenario();
		const { trigger } = watchSeveral(1);
		const refuseConnection = () => {
			beforeRequest(1, refuseConnection);
			throw Object.assign(new Error('connect'), { code: failure, syscall: 'connect' });
		};
		if (failure === 'ECONNREFUSED') beforeRequest(1, refuseConnection);
		else failRequests(failure);
		const expected = { message: expect.stringMatching(`^${message}$`) as unknown, description: undefined };
		await expect(trigger.activate()).rejects.toMatchObject(expected);
		expect(trigger.saved).toBe('{}');
	},
);

test('the trigger activates if the service fails after its first response, whose Date header differs from the clock of n8n', async () => {
	const { watchSeveral, time, beforeRequest, failRequests } = triggerScenario();
	const { trigger } = watchSeveral(1);
	time.n8nAheadMs = HOUR_MS;
	beforeRequest(2, () => failRequests(500));
	await trigger.activate();
	expect(trigger.log.at(-1)).toMatch(/status 500\. The next poll tries again$/);
});

const OTHER_STATE = '{"prospectorTrigger":{"version":"1"}}';

test.each<[string, boolean, (trigger: ActiveTrigger) => unknown, RegExp[]]>([
	['API key', true, () => jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'pk_2'), []],
	['Base URL', false, () => jest.replaceProperty(CREDENTIAL_DATA, 'baseUrl', 'https://b.example'), []],
	['event', false, ({ parameters }) => (parameters.event = 'runStatusChanged'), []],
	['state format', false, (trigger) => (trigger.saved = OTHER_STATE), [/cannot be used, .+ starts over/]],
])(
	'the trigger keeps its state at a restart unless the event, Base URL or state format differs (changed: %s, kept: %j)',
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

test('parseState rejects a damaged state or keeps every stored value unchanged', async () => {
	const { trigger, startRun, poll } = await activeTrigger();
	startRun();
	await poll();
	const text = (JSON.parse(trigger.saved) as { prospectorTrigger: string }).prospectorTrigger;
	expect(parseState('["1"]')).toBeUndefined();
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

test.each(['newRun', 'newResult'])(
	'the trigger with the event %s reports an item without created_at instead of emitting it if the state has forgotten items of that list',
	async (event) => {
		const { addWorkflow, addRun, addResults, watch, poll, time, control } = triggerScenario();
		const workflowId = addWorkflow();
		const runId = addRun(workflowId, 'running');
		time.advance(MINUTE_MS);
		const trigger = watch(event, {}, 'durableCursors');
		await poll(trigger, 3);
		const state = parseState((JSON.parse(trigger.saved) as { prospectorTrigger: string }).prospectorTrigger)!;
		const workflow = state.workflows.get(workflowId)!;
		(event === 'newRun' ? workflow : workflow.runs.get(runId)!).ignoreBeforeMs = 1;
		trigger.saved = JSON.stringify({ prospectorTrigger: serializeState(state) });
		control.patchSettings({ timeFormat: 'missing' });
		if (event === 'newRun') addRun(workflowId);
		else addResults(runId);
		await poll(trigger, 3);
		const [{ message }] = trigger.failedExecutions;
		expect([message, trigger.ids]).toEqual([expect.stringContaining("without a valid 'created_at'"), []]);
	},
);

test.each<[string, (runId: string) => object]>([
	['Prospector workflow', () => ({ workflows: [{ id: '' }] })],
	['result', (runId) => ({ results: [{ runId, id: '' }] })],
])('the trigger reports a %s without a usable ID once, and emits all other results', async (kind, seedOf) => {
	const { addWorkflow, addRun, addResults, watch, poll, time, control } = triggerScenario();
	const runId = addRun(addWorkflow(), 'running');
	time.advance(1000);
	const trigger = watch('newResult');
	await poll(trigger, 3);
	control.seed(seedOf(runId));
	const results = addResults(runId);
	await poll(trigger, 2);
	const reported = trigger.failedExecutions.map(({ message }) => message);
	const message = `The service returned a ${kind} without a usable ID, so it was left out`;
	expect([trigger.ids, reported]).toEqual([results, [message]]);
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

test('the trigger stores that a list has unemitted items until all its items are emitted', async () => {
	const { trigger, workflowIds, startRun, poll } = await activeTrigger();
	Object.assign(trigger.parameters.options, { maxItems: 1 });
	for (let count = 0; count < 2; count++) startRun();
	for (const hasUnemittedItems of [true, undefined]) {
		await poll();
		const { prospectorTrigger: text } = JSON.parse(trigger.saved) as { prospectorTrigger: string };
		const { listState } = parseState(text)!.workflows.get(workflowIds[0])!;
		expect(listState.hasUnemittedItems).toBe(hasUnemittedItems);
	}
});
