import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestError } from '../../../nodes/Prospector/api/failure/requestError';
import { UserError } from '../../../nodes/Prospector/messages/userMessage';
import { decideReports } from '../../../nodes/Prospector/trigger/reports';
import { serializeState } from '../../../nodes/Prospector/trigger/state';
import { noResponse, status } from '../helpers/everyFailure';
import { CREDENTIAL_DATA, TURNS } from '../helpers/support';
import { HOUR_MS, MINUTE_MS, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';

const NOW_MS = 100 * HOUR_MS;
const LATER = { message: 'Later', description: 'a' };
const LOST = { message: 'Lost', description: 'b' };
const ALSO_LOST = { ...LOST, message: 'Also lost' };

/** Returns an outcome with reasons why items may never be emitted, or with failures that have lasted for some minutes. */
const outcomeOf = (minutes: number, ...problems: Array<Failure | typeof LOST>) => ({
	failures: problems.map((one) => ({
		error: 'kind' in one ? new RequestError(one, { endpoint: endpoints.listRuns }) : new UserError(one),
	})),
	failingSinceMs: NOW_MS - minutes * MINUTE_MS,
});

const NEW_REASON = 'reports a new reason why items may be missing';
test.each([
	['reports a failure that can pass', 'it has lasted for an hour', 1, outcomeOf(60, status(500))],
	['reports two failures once', 'they have one status', 1, outcomeOf(0, status(403), status(403))],
	['reports two failures', 'their statuses differ', 2, outcomeOf(60, status(403), status(500))],
	['reports two failures', 'they differ', 2, outcomeOf(60, noResponse.tls, { kind: 'timeout' })],
	['reports three reasons', 'each is of another kind', 3, outcomeOf(0, LOST, LATER, status(401))],
	[NEW_REASON, 'a failure was reported', 1, outcomeOf(0, LOST), outcomeOf(0, status(403))],
	[NEW_REASON, 'another one was reported', 1, outcomeOf(0, LOST), outcomeOf(0, LATER)],
	['leaves out a known reason', 'it was reported', 0, outcomeOf(0, ALSO_LOST), outcomeOf(0, LOST)],
])('decideReports %s if %s', (_, __, count, outcome, earlier = outcomeOf(0)) => {
	const recent = new Set(decideReports(earlier, new Set(), NOW_MS).map(([kind]) => kind));
	expect(decideReports(outcome, recent, NOW_MS)).toHaveLength(count);
});

const NOTHING_LOST = /After that, the next poll catches up: nothing is lost\.$/;

/** An activated trigger for eight Prospector workflows, which one poll can read. */
async function activeTrigger() {
	const { time, control, addRun, watchSeveral, failRequests } = triggerScenario();
	const { workflowIds, trigger } = await watchSeveral(8);
	time.advance(1000);
	return {
		...{ time, trigger, startRun: () => addRun(workflowIds[0]) },
		/** @returns a function that ends the failure */
		failLastList: (failure: RequestFailure) => failRequests(failure, `/${workflowIds[7]}/runs`),
		/** Adds a run without an ID. @returns a function that deletes it */
		addUnusableRun() {
			const run = addRun(workflowIds[1], 'completed', '');
			return () => control.deleteRun(run);
		},
		/** Gives polls too few requests for all lists. @returns a function that ends this */
		limitRequests() {
			trigger.parameters.options.maxRequests = 5;
			return () => void (trigger.parameters.options.maxRequests = 30);
		},
	};
}

type Scenario = Awaited<ReturnType<typeof activeTrigger>>;

/** What happens in a poll. Each returns functions that end it. */
const POLLS = new Map<string, (scenario: Scenario) => Array<() => void>>([
	['.', () => []],
	['i', ({ limitRequests }) => [limitRequests()]],
	['t', ({ failLastList }) => [failLastList({ kind: 'notJson' })]],
	['p', ({ failLastList }) => [failLastList(403)]],
	['u', ({ addUnusableRun }) => [addUnusableRun()]],
	['b', ({ failLastList, addUnusableRun }) => [failLastList(403), addUnusableRun()]],
]);

// One character per poll, every ten minutes; `!` is a poll with a failed execution, `2` one with two.
test.each([
	['after an hour and then hourly', 'a transient failure lasts', 'tttttttttttttttt', '.......!.......!'],
	['at once and then hourly', 'a permanent failure lasts', 'pppppppppppppppp', '!......!.......!'],
	['in no poll', 'a transient failure ends within an hour', 'ttttt.ttttt', '...........'],
	['after an hour', 'polls run out of requests between transient failures', 'titititit', '........!'],
	['once', 'a poll without failures is between permanent ones', 'p.p', '!..'],
	['at once and then hourly', 'the IDs of runs are unusable', 'uuuuuuu', '!.....!'],
	['twice at once and then hourly', 'unusable IDs come with a permanent failure', 'bbbbbbbb', '2.....!!'],
])('an execution of the trigger fails %s if %s', async (_times, _condition, polls, expected) => {
	for (const hasItems of [false, true]) {
		const scenario = await activeTrigger();
		const { trigger, time, startRun } = scenario;
		const startMs = time.nowMs;
		const runs: string[] = [];
		let shown = '';
		for (const [index, name] of [...polls].entries()) {
			time.nowMs = startMs + index * 10 * MINUTE_MS;
			const endings = POLLS.get(name)!(scenario);
			if (hasItems) runs.push(startRun());
			const [failures, lines] = [trigger.failedExecutions.length, trigger.log.length];
			let isThrown = false;
			await trigger.tick().catch(() => (isThrown = true));
			expect(isThrown && hasItems).toBe(false);
			const reported = trigger.failedExecutions.slice(failures);
			shown += '.!2'[reported.length];
			for (const { message } of reported) expect(trigger.log.slice(lines).join()).toContain(message);
			for (const end of endings) end();
		}
		expect(shown).toBe(expected);
		expect(trigger.ids).toEqual(runs);
		const isLogged = trigger.log.some((line) => line.endsWith('. A later poll tries again'));
		expect(isLogged).toBe(/[tpb]/.test(polls));
		for (const { message, description } of trigger.failedExecutions)
			expect(NOTHING_LOST.test(description!)).toBe(!/without a usable ID/.test(message));
	}
});

test("the trigger says in a failed execution that nothing is lost, and loses no item, if the credential's API key becomes invalid", async () => {
	const { trigger, startRun } = await activeTrigger();
	const key = jest.replaceProperty(CREDENTIAL_DATA, 'apiKey', 'two words');
	const run = startRun();
	await trigger.tick();
	key.restore();
	await trigger.tick();
	const [{ message, description }] = trigger.failedExecutions;
	expect([message, description]).toEqual([
		expect.stringMatching(/^'API Key' has a space/),
		expect.stringMatching(NOTHING_LOST),
	]);
	expect(trigger.log).toEqual([
		`Prospector in 'workflow': ${message} when polling. A later poll tries again`,
	]);
	expect(trigger.ids).toEqual([run]);
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
		const state = trigger.lastState!;
		const workflow = state.workflows.get(workflowId)!;
		(event === 'newRun' ? workflow : workflow.runs.get(runId)!).ignoreBeforeMs = 1;
		trigger.saved = JSON.stringify({ prospectorTrigger: (await serializeState(state, TURNS)).stateText });
		control.patchSettings({ timeFormat: 'missing' });
		if (event === 'newRun') addRun(workflowId);
		else addResults(runId);
		await poll(trigger, 3);
		const [{ message }] = trigger.failedExecutions;
		expect([message, trigger.ids]).toEqual([expect.stringContaining("without a valid 'created_at'"), []]);
	},
);

test('the trigger logs each list that contains an item without a usable ID once, reports the first, and emits all other items', async () => {
	const { addWorkflow, addRun, addResults, watch, poll, time, control } = triggerScenario();
	const runId = addRun(addWorkflow(), 'running');
	time.advance(1000);
	const trigger = watch('newResult');
	await poll(trigger, 3);
	const results: string[] = [];
	for (const seed of [{ workflows: [{ id: '' }] }, { results: [{ runId, id: '' }] }]) {
		control.seed(seed);
		results.push(...addResults(runId));
		await poll(trigger, 2);
	}
	const messages = ['The list of Prospector workflows', `The list of results of run '${runId}'`].map(
		(list) => `${list} contains an item without a usable ID, which was left out`,
	);
	expect(trigger.ids).toEqual(results);
	expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([messages[0]]);
	expect(trigger.log).toEqual(messages.map((message) => `Prospector in 'workflow': ${message}`));
});

test.each([
	['several', 10, ["Prospector workflow '%s' was not found"]],
	['all', 150, []],
])(
	'the trigger reports at once that a Prospector workflow was deleted if Watch is %s (polls: %d): %j',
	async (watched, polls, expected) => {
		const { addWorkflow, watch, poll, control, time } = triggerScenario();
		// Enough to prove the order of their list.
		const workflowIds = Array.from({ length: 13 }, () => {
			time.advance(1000);
			return addWorkflow();
		});
		const trigger = await watch('newRun', { watch: watched, workflowIds }).activate();
		await poll(trigger, 3);
		control.deleteWorkflow(workflowIds[0]);
		await poll(trigger, polls);
		const messages = trigger.failedExecutions.map(({ message }) => message.replace(workflowIds[0], '%s'));
		expect(messages).toEqual(expected.map((text): unknown => expect.stringContaining(text)));
	},
);

test('the trigger that watches all Prospector workflows reports after 60 to 90 min that lists of runs are not found, and later emits their runs', async () => {
	const { addWorkflow, addRun, watch, poll, failRequests } = triggerScenario();
	const workflowIds = [addWorkflow(), addWorkflow()];
	const trigger = await watch('newRun').activate();
	const repair = failRequests(404, '/runs');
	const runs = workflowIds.map((id) => addRun(id));
	await poll(trigger, 59);
	expect([trigger.failedExecutions, trigger.log.length > 0]).toEqual([[], true]);
	await poll(trigger, 31);
	const messages = trigger.failedExecutions.map(({ message }) => message);
	expect(messages).toEqual([expect.stringContaining('was not found')]);
	repair();
	await poll(trigger, 31);
	expect(trigger.ids.sort()).toEqual(runs.sort());
});

test('the trigger reports that its state has no room for all the runs that it watches', async () => {
	const { addWorkflow, addRuns, watch, poll, time } = triggerScenario();
	addRuns(addWorkflow(), 20);
	time.advance(1000);
	time.dependencies.maxStateBytes = 800;
	const trigger = watch('runStatusChanged');
	await poll(trigger, 2);
	await poll(trigger, 2);
	const messages = trigger.failedExecutions.map(({ message }) => message);
	expect(messages).toEqual([
		expect.stringMatching(/no room for all the runs .+ forgotten \d+ of their entries/),
	]);
});

const LIMIT_REACHED =
	/^The API key has reached its limit of requests\n.+ with this API key at the same time\. It failed when listing the runs /;

test.each([
	['the rate limit as such', 'no request succeeds', 2, 0, 429, LIMIT_REACHED],
	['a list', 'the rate limit refuses it', 8, 7, 429, /^The service refuses this request as one too many/],
	['an outage', 'the service answers with status 500', 100, 0, 500, /^The service answered with status 500/],
])(
	'the trigger reports %s after 60 to 90 min if %s (Prospector workflows: %i, requests fail from number %i on)',
	async (_, __, count, firstFailing, status, text) => {
		const { watchSeveral, poll, time, failRequests } = triggerScenario({ defaultPageSize: 100 });
		const { workflowIds, trigger } = await watchSeveral(count);
		await poll(trigger, 10);
		for (const id of workflowIds.slice(firstFailing)) failRequests(status, `/${id}/runs`);
		const startMs = time.nowMs;
		while (time.nowMs < startMs + 90 * MINUTE_MS && trigger.failedExecutions.length === 0) {
			time.advance(5 * MINUTE_MS);
			await trigger.tick();
		}
		expect(time.nowMs).toBeGreaterThan(startMs + 60 * MINUTE_MS);
		const reported = trigger.failedExecutions.map(({ message, description }) => `${message}\n${description}`);
		expect(reported).toEqual([expect.stringMatching(text)]);
	},
);

// In some of these polls, no request is left for the results after the request for the run.
test.each([
	[5, 5],
	[5, 9],
	[7, 4],
])(
	'the trigger reports within 90 min that the results of a run fail, even if polls use up their %d requests because three runs start every %d min',
	async (maxRequests, everyMinutes) => {
		const { addWorkflow, addRun, addRuns, watch, poll, failRequests } = triggerScenario();
		const workflowId = addWorkflow();
		const parameters = { watch: 'one', workflowId, options: { maxRequests } };
		const trigger = await watch('newResult', parameters).activate();
		await poll(trigger, 3);
		failRequests(500, `/${addRun(workflowId)}/results`);
		for (let minutes = 0; minutes < 90; minutes++) {
			if (minutes % everyMinutes === 0) addRuns(workflowId, 3);
			await poll(trigger);
		}
		expect(trigger.failedExecutions).toHaveLength(1);
	},
);
