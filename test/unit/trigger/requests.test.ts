import type { ListOrder } from '../../../sandbox/settings';
import { DAY_MS, HOUR_MS, MINUTE_MS, triggerScenario } from '../helpers/triggerScenario';

/** An activated trigger for one Prospector workflow with runs, on pages of ten. */
async function activeTrigger(listOrder: ListOrder, runCount: number) {
	const scenario = triggerScenario({ listOrder, defaultPageSize: 10, cursorTtlMs: DAY_MS });
	const { time, addWorkflow, addRuns, watch, poll } = scenario;
	const workflow = addWorkflow();
	addRuns(workflow, runCount);
	const trigger = watch('newRun', { watch: 'one', workflowId: workflow });
	time.advance(1);
	await trigger.activate();
	return {
		...scenario,
		trigger,
		start: (count: number) => addRuns(workflow, count),
		/** Polls after a minute, and returns the number of requests. */
		async countRequests() {
			await poll(trigger);
			return trigger.polls.at(-1)!.requests;
		},
	};
}

test.each<[ListOrder, number[]]>([
	// A list of several pages is read twice, in case deletions have moved runs; and the name of what has new runs, once.
	['newest', [1, 2, 4, 3, 1, 23]],
	// It starts at the page that begins before the newest run.
	['oldest', [1, 3, 5, 1, 1, 23]],
	['shuffled', [20, 22, 24, 23, 23, 23]],
])(
	'the trigger reads a list of 20 pages in the order "%s" with %j requests in six polls, the last a day later',
	async (order, expected) => {
		const { time, start, countRequests, trigger } = await activeTrigger(order, 200);
		const requests: number[] = [];
		for (const [added, hours] of [[0], [1], [25], [0], [0], [0, 24]]) {
			start(added);
			time.advance((hours ?? 0) * HOUR_MS);
			requests.push(await countRequests());
		}
		expect(requests).toEqual(expected);
		expect(trigger.emitted).toHaveLength(26);
	},
);

test('the trigger reads a list of 61 pages with at most 30 requests per poll on average if cursors expire after 30 s', async () => {
	const { control, start, countRequests, trigger } = await activeTrigger('shuffled', 600);
	control.patchSettings({ cursorTtlMs: MINUTE_MS / 2 });
	const started: string[] = [];
	const requests: number[] = [];
	for (let polls = 0; polls < 40; polls++) {
		started.push(...start(polls % 5 === 0 ? 1 : 0));
		requests.push(await countRequests());
	}
	expect(trigger.ids.sort()).toEqual(started.sort());
	expect(requests.reduce((sum, count) => sum + count) / requests.length).toBeLessThanOrEqual(30);
	expect(requests.filter((count) => count > 60)).toHaveLength(10);
});

test('the trigger reads the runs of four Prospector workflows within eight polls if its limit is two requests per minute', async () => {
	const { addRun, watchSeveral, poll, control, time } = triggerScenario({ limit: 100 });
	const { workflowIds, trigger } = watchSeveral(4);
	await trigger.activate();
	time.advance(MINUTE_MS);
	control.patchSettings({ limit: 2 });
	const runs = workflowIds.map((id) => addRun(id));
	await poll(trigger, 8);
	expect(trigger.ids.sort()).toEqual(runs.sort());
});

/** An activated trigger for 13 Prospector workflows on three pages, of which the oldest was deleted. */
async function deletedScenario() {
	const scenario = triggerScenario();
	const { time, addWorkflow, watch, poll, control } = scenario;
	const deleted = addWorkflow();
	for (let count = 0; count < 12; count++) {
		time.advance(1000);
		addWorkflow();
	}
	const trigger = watch('newRun', {}, 'durableCursors');
	await poll(trigger, 3);
	control.deleteWorkflow(deleted);
	time.advance(DAY_MS);
	await poll(trigger, 3);
	return { ...scenario, trigger, deleted };
}

test.each([
	[28, true],
	[32, false],
])(
	'the trigger forgets a deleted Prospector workflow after 30 days, and then ignores its existing runs if it is restored (days: %d, still stored: %j)',
	async (days, isKept) => {
		const { time, poll, trigger, deleted, addRun, control } = await deletedScenario();
		time.advance((days - 1) * DAY_MS);
		await poll(trigger, 1);
		const unreadMs = time.nowMs + 1;
		time.advance(DAY_MS);
		await poll(trigger, 4);
		expect(trigger.saved.includes(deleted)).toBe(isKept);
		control.restoreWorkflow(deleted);
		const createdAt = new Date(unreadMs).toISOString();
		const { runs } = control.seed({ runs: [{ workflowId: deleted, createdAt }] });
		time.advance(DAY_MS);
		await poll(trigger, 4);
		runs.push(addRun(deleted));
		await poll(trigger, 4);
		expect(trigger.ids).toEqual(isKept ? runs : runs.slice(1));
	},
);

test('the trigger sends no request for the runs of a Prospector workflow that was deleted a day ago', async () => {
	const { poll, trigger, deleted, control } = await deletedScenario();
	control.clearJournal();
	await poll(trigger, 5);
	expect(control.journal().filter(({ path }) => path.includes(deleted))).toEqual([]);
});

test('the trigger does not emit runs that started while their Prospector workflow was not watched, even if Include Existing is on', async () => {
	const { addWorkflow, addRun, watch, poll, time } = triggerScenario();
	const [workflowId, other] = [addWorkflow(), addWorkflow()];
	time.advance(HOUR_MS);
	const trigger = watch('newRun', { options: { includeExisting: true } });
	await poll(trigger, 4);
	Object.assign(trigger.parameters, { watch: 'one', workflowId });
	await poll(trigger);
	addRun(other);
	trigger.parameters.watch = 'all';
	await poll(trigger, 2);
	const run = addRun(other);
	await poll(trigger, 2);
	expect(trigger.ids).toEqual([run]);
});

test.each([
	[30, 0],
	[30, 4],
	[5, 0],
])(
	'the trigger with %d requests per poll emits new runs within four polls if the Date header was 3 h ahead until %d h before these polls',
	async (maxRequests, hours) => {
		const { control, addWorkflow, addRun, watch, poll, time, failRequests } = triggerScenario();
		const old = addWorkflow();
		const trigger = watch('newRun', { options: { maxRequests } });
		await trigger.activate();
		control.patchSettings({ dateHeaderOffsetMs: 3 * HOUR_MS });
		await poll(trigger, 4);
		control.patchSettings({ dateHeaderOffsetMs: 0 });
		const runs = [old, addWorkflow()].map((id) => addRun(id));
		time.advance(hours * HOUR_MS);
		const repair = failRequests(500, '/workflows');
		await poll(trigger, 2);
		repair();
		await poll(trigger, 2);
		expect(trigger.ids.sort()).toEqual(runs.sort());
	},
);

test('Run Status Changed emits the oldest change first if Max Items per Poll is exceeded', async () => {
	const { addWorkflow, addRuns, watch, poll, control, time } = triggerScenario();
	const [older, newer] = addRuns(addWorkflow(), 2);
	const trigger = watch('runStatusChanged', { options: { maxItems: 1 } });
	await poll(trigger, 2);
	for (const run of [newer, older]) {
		time.advance(1000);
		control.setRunStatus(run, 'running');
	}
	await poll(trigger, 2);
	expect(trigger.ids).toEqual([newer, older]);
});

test('New Result emits only later results of an existing run if results have no created_at', async () => {
	const { addWorkflow, addRun, addResults, watch, poll, control } = triggerScenario({
		timeFormat: 'missing',
	});
	const run = addRun(addWorkflow(), 'running');
	addResults(run, 2);
	const trigger = watch('newResult');
	await poll(trigger, 3);
	control.setRunStatus(run, 'paused');
	await poll(trigger, 2);
	control.setRunStatus(run, 'running');
	const results = addResults(run);
	await poll(trigger, 2);
	expect(trigger.ids).toEqual(results);
});

test('New Result emits results that are added one and two days after the last change of a run that takes several polls to read', async () => {
	const { addWorkflow, addRun, addResults, watch, poll, time } = triggerScenario();
	const workflowId = addWorkflow();
	const run = addRun(workflowId);
	addResults(run, 60);
	const changedAtMs = time.nowMs;
	time.advance(1000);
	const trigger = watch('newResult', { watch: 'one', workflowId, options: { maxRequests: 5 } });
	await poll(trigger, 10);
	time.nowMs = changedAtMs + DAY_MS - 3 * MINUTE_MS;
	await poll(trigger);
	const results = addResults(run);
	await poll(trigger, 3);
	for (const waitMs of [DAY_MS, HOUR_MS]) {
		time.advance(waitMs);
		await poll(trigger, 4);
		if (waitMs === DAY_MS) results.push(...addResults(run));
	}
	expect(trigger.ids).toEqual(results);
});

test('a poll uses half of its requests for the list of Prospector workflows if the list has many pages of the configured Page Size', async () => {
	const { control, watch, poll } = triggerScenario({ defaultPageSize: 100 });
	control.seed({ workflows: 100 });
	await poll(watch('newRun', { options: { maxRequests: 10, pageSize: 5 } }), 2);
	const operations = control.journal().map(({ operation }) => operation);
	expect(operations.filter((operation) => operation === 'listWorkflows')).toHaveLength(10);
	expect(operations.filter((operation) => operation === 'listRuns')).toHaveLength(10);
});

test('the trigger lists Prospector workflows before each round of reading their runs: twice all pages, then only the first page', async () => {
	const { control, time, addWorkflow, watch, poll } = triggerScenario({ listOrder: 'newest' });
	for (let count = 0; count < 20; count++) {
		time.advance(1000);
		addWorkflow();
	}
	await poll(watch('newRun', { options: { maxRequests: 10, pageSize: 5 } }), 12);
	const letters = control.journal().map(({ operation }) => (operation === 'listWorkflows' ? 'w' : '.'));
	expect(letters.join('')).toMatch(/^(w{4}\.{26}){2}(w\.{29}){2}$/);
});

test('the next poll lists Prospector workflows if the rate limit refused only their list', async () => {
	const { control, watch, poll } = triggerScenario();
	control.seed({ workflows: 8 });
	const trigger = watch('newRun', { options: { maxRequests: 5 } });
	await poll(trigger, 4);
	control.addFault({ kind: 'status', status: 429, times: 0, match: { operation: 'listWorkflows' } });
	while (control.journal().every(({ status }) => status === 200)) await poll(trigger);
	control.clearFaults();
	const earlierCount = control.journal().length;
	await poll(trigger);
	const operations = control.journal().map(({ operation }) => operation);
	expect(operations.slice(earlierCount)).toContain('listWorkflows');
});

test('the trigger finds a new Prospector workflow within five polls if the service refuses the runs of another for hours', async () => {
	const { addWorkflow, addRun, watch, time, failRequests } = triggerScenario();
	const [refused] = [addWorkflow(), addWorkflow()];
	const trigger = watch('newRun');
	await trigger.activate();
	failRequests(429, `/${refused}/runs`);
	const poll = async (afterMs: number) => {
		time.advance(afterMs);
		// The trigger reports the refused list once an hour.
		await trigger.tick().catch(() => {});
	};
	for (let hours = 0; hours < 8; hours++) await poll(HOUR_MS);
	for (let polls = 0; polls < 3; polls++) await poll(MINUTE_MS);
	const run = addRun(addWorkflow());
	for (let polls = 0; polls < 5; polls++) await poll(MINUTE_MS);
	expect(trigger.ids).toEqual([run]);
});

test('the trigger emits a status change even if the response for that run has no ID and reads of three other runs fail', async () => {
	const { addWorkflow, addRuns, watch, poll, failRequests, control } = triggerScenario();
	const [run, ...others] = addRuns(addWorkflow(), 20);
	for (const id of [run, ...others]) control.setRunStatus(id, 'running');
	const trigger = watch('runStatusChanged');
	await poll(trigger, 4);
	for (const id of others.slice(0, 3)) failRequests(500, `/runs/${id}`);
	const body = { data: { status: 'completed' }, request_id: 'req_1' };
	failRequests({ kind: 'notEnvelope', body }, `/runs/${run}`);
	await poll(trigger, 15);
	expect(trigger.ids).toEqual([run]);
});
