import type { FaultRule } from '../../../sandbox/types';
import { DAY_MS, HOUR_MS, MINUTE_MS, triggerScenario } from '../helpers/triggerScenario';

// A poll reads the newest page of each list of runs and, if it watches all, the list of Prospector workflows.
test.each(
	['newRun', 'runFailed', 'runStatusChanged', 'newResult'].flatMap(
		(event): Array<[string, number, number]> => [
			[event, 1, 1],
			[event, 10, 11],
		],
	),
)('a poll for %s with %i lists of 200 old runs sends %i requests', async (event, count, expected) => {
	const { time, control, watch, poll } = triggerScenario({ defaultPageSize: 50 });
	const ago = (days: number, index: number) =>
		new Date(time.nowMs - days * DAY_MS - index * MINUTE_MS).toISOString();
	const runs = Array.from({ length: 200 }, (_, index) => ({ createdAt: ago(40, index) }));
	const workflows = Array.from({ length: count }, (_, index) => ({ createdAt: ago(100, index), runs }));
	const [workflowId] = control.seed({ workflows }).workflows;
	const watched = count === 1 ? { watch: 'one', workflowId } : {};
	const trigger = await watch(event, { ...watched, options: { maxRequests: 1000 } }).activate();
	await poll(trigger, 3);
	// The activation and, of several lists, the first poll do not know the order.
	const known = trigger.polls.slice(count === 1 ? 1 : 2).map(({ requests }) => requests);
	expect(new Set(known)).toEqual(new Set([expected]));
});

test('the trigger reads the runs of four Prospector workflows within eight polls if its limit is two requests per minute', async () => {
	const { addRun, watchSeveral, poll, control, time } = triggerScenario({ limit: 100 });
	const { workflowIds, trigger } = await watchSeveral(4);
	time.advance(MINUTE_MS);
	control.patchSettings({ limit: 2 });
	const runs = workflowIds.map((id) => addRun(id));
	await poll(trigger, 8);
	expect(trigger.ids.sort()).toEqual(runs.sort());
});

test('a poll reads all other lists if two lists that do not follow each other are rejected with 429', async () => {
	const { addRun, watchSeveral, poll, failRequests } = triggerScenario();
	const { workflowIds, trigger } = await watchSeveral(8);
	for (const index of [1, 6]) failRequests(429, `/${workflowIds[index]}/runs`);
	const runs = workflowIds.map((id) => addRun(id));
	await poll(trigger);
	expect(trigger.ids.sort()).toEqual(runs.filter((_, index) => index !== 1 && index !== 6).sort());
});

test.each<[number[]]>([[[16, 16]], [[16, 16, 16]], [[6, 22]], [[22, 1, 1]]])(
	'polls whose time is over in the middle of a list read all lists in turn, and report none (pages that take 5 s: %j)',
	async (pageCounts) => {
		const { watchSeveral, addRun, addRuns, failRequests, poll } = triggerScenario({ listOrder: 'oldest' });
		const { workflowIds, trigger } = await watchSeveral(pageCounts.length);
		for (const [index, count] of pageCounts.entries()) addRuns(workflowIds[index], 5 * count - 1);
		await poll(trigger, 30);
		const known = trigger.ids.length;
		failRequests({ kind: 'slow', delayMs: 5000 });
		await poll(trigger, 5);
		const runs = workflowIds.map((id) => addRun(id));
		await poll(trigger, 4 * pageCounts.length);
		expect(trigger.ids.slice(known).sort()).toEqual(runs.sort());
		expect(trigger.log).toEqual([]);
	},
);

test.each([
	[3, 403],
	[2, 401],
	[2, 429],
])('a poll ends after it has tried %i lists if all requests get status %i', async (count, status) => {
	const { watchSeveral, poll, failRequests, control } = triggerScenario();
	const { trigger } = await watchSeveral(8);
	failRequests(status);
	control.clearJournal();
	await poll(trigger);
	expect(new Set(control.journal().map(({ path }) => path)).size).toBe(count);
});

/** An activated trigger for the statuses of running runs, which started one second after the other. */
async function statusScenario(runCount = 1) {
	const scenario = triggerScenario();
	const { time, addWorkflow, addRun, watch } = scenario;
	const workflow = addWorkflow();
	const runs = Array.from({ length: runCount }, () => {
		const run = addRun(workflow, 'running');
		time.advance(1000);
		return run;
	});
	const trigger = await watch('runStatusChanged').activate();
	return { ...scenario, workflow, runs, trigger };
}

test('a list whose first page takes all the time of a poll delays no other list, and is reported within 90 min', async () => {
	const { watchSeveral, addRun, failRequests, poll } = triggerScenario();
	const { workflowIds, trigger } = await watchSeveral(2);
	trigger.pollBudgetMs = 36_000;
	failRequests({ kind: 'hang' }, `/${workflowIds[0]}/runs`);
	for (let polls = 0; polls < 90; polls += 2) {
		const run = addRun(workflowIds[1]);
		for (let ticks = 0; ticks < 2; ticks++) await poll(trigger);
		expect(trigger.ids.at(-1)).toBe(run);
	}
	expect(trigger.failedExecutions.map(({ message }) => message)).toContainEqual(
		expect.stringContaining('did not answer'),
	);
});

test.each<[string, (workflow: string, run: string) => Array<FaultRule['match']>]>([
	['the list of Prospector workflows', () => [{ operation: 'listWorkflows' }]],
	['a list of runs', (path) => [{ operation: 'listRuns', path }]],
	[
		'a run',
		(workflow, path) => [
			{ operation: 'getRun', path },
			{ operation: 'listRuns', path: workflow },
		],
	],
])(
	'a poll tries %s once, after a quarter of the time for which this has failed, and delays no other list',
	async (_, toMatches) => {
		const { workflow, runs, trigger, poll, control, addWorkflow, addRun } = await statusScenario();
		const otherWorkflow = addWorkflow();
		await poll(trigger);
		const matches = toMatches(workflow, runs[0]);
		for (const match of matches) control.addFault({ kind: 'status', status: 500, times: 0, match });
		const attempts: number[] = [];
		for (let polls = 0; polls < 120; polls++) {
			control.clearJournal();
			const run = addRun(otherWorkflow);
			await poll(trigger);
			expect(trigger.ids.at(-1)).toBe(run);
			const failed = control.journal().filter(({ status }) => status === 500);
			attempts.push(failed.filter(({ operation }) => operation === matches[0]!.operation).length);
		}
		const [first, ...others] = attempts.filter(Boolean);
		expect(first).toBeGreaterThan(1);
		expect(new Set(others)).toEqual(new Set([1]));
		expect(others.length).toBeGreaterThan(10);
		expect(others.length).toBeLessThan(20);
		control.clearFaults();
		const run = addRun(workflow);
		await poll(trigger, 31);
		expect(trigger.ids.at(-1)).toBe(run);
	},
);

test('the trigger finds a new run within two polls after its list has failed for three polls even if the service accepts one request per second', async () => {
	const limits = { limitKind: 'bucket', burst: 1, limit: 60 } as const;
	const { watchSeveral, addRun, poll, failRequests } = triggerScenario(limits);
	const { workflowIds, trigger } = await watchSeveral(20);
	await poll(trigger, 40);
	for (const id of workflowIds.slice(0, 5)) {
		const repair = failRequests(500, `/${id}/runs`);
		await poll(trigger, 3);
		repair();
		const run = addRun(id);
		await poll(trigger, 2);
		expect(trigger.ids).toContain(run);
	}
});

/** A failure of one poll is reported only if something else counts as failing for an hour. */
async function expectShortFailureUnreported(scenario: Awaited<ReturnType<typeof statusScenario>>) {
	const { workflow, trigger, poll, failRequests } = scenario;
	const repair = failRequests(500, `/${workflow}/runs`);
	await poll(trigger);
	repair();
	await poll(trigger, 3);
	expect(trigger.failedExecutions).toEqual([]);
}

test('a deleted run is read less and less often, and is no failure, so that a short failure later is not reported', async () => {
	const scenario = await statusScenario();
	const { runs, trigger, poll, control } = scenario;
	control.patchSettings({ deletedRuns: 'gone' });
	control.deleteRun(runs[0]);
	await poll(trigger, 150);
	const requests = control.journal().filter(({ operation }) => operation === 'getRun');
	expect(requests.length).toBeGreaterThan(1);
	expect(requests.length).toBeLessThan(30);
	await expectShortFailureUnreported(scenario);
});

test('the trigger does not report a short failure of a run if an earlier failure ended when its list showed the run again', async () => {
	const scenario = await statusScenario();
	const { workflow, runs, trigger, poll, failRequests, control } = scenario;
	failRequests(500, `/runs/${runs[0]}`);
	const repairList = failRequests(500, `/${workflow}/runs`);
	await poll(trigger, 5);
	expect(control.journal().some(({ operation }) => operation === 'getRun')).toBe(true);
	repairList();
	await poll(trigger, 150);
	await expectShortFailureUnreported(scenario);
});

test('a poll emits runs in the order in which their status has changed', async () => {
	const { runs, trigger, poll, control, time } = await statusScenario(2);
	const [first, second] = runs;
	for (const run of [second, first]) {
		time.advance(1000);
		control.setRunStatus(run, 'completed');
	}
	await poll(trigger);
	expect(trigger.ids).toEqual([second, first]);
});

test.each(['runStatusChanged', 'runFailed'])(
	'the event %s emits a run with its status and the one before',
	async (event) => {
		const { watch, poll, addWorkflow, addRun, control, time } = triggerScenario();
		const run = addRun(addWorkflow(), 'running');
		time.advance(1000);
		const trigger = await watch(event).activate();
		control.setRunStatus(run, 'failed');
		await poll(trigger);
		expect(trigger.emitted.map(({ json }) => json)).toMatchObject([
			{ id: run, status: 'failed', previous_status: 'running' },
		]);
	},
);

test('a run is emitted once even if the service spells its ID with other letters when the run itself is read', async () => {
	const { workflow, runs, trigger, poll, control, failRequests, addRun, addWorkflow } =
		await statusScenario();
	const hidden = addWorkflow();
	control.patchSettings({ hiddenWorkflows: [hidden] });
	control.patchSettings({ wrongRuns: { getRun: addRun(hidden, 'completed', runs[0].toUpperCase()) } });
	const repairList = failRequests(500, `/${workflow}/runs`);
	await poll(trigger, 5);
	expect(trigger.ids).toEqual(runs);
	repairList();
	control.setRunStatus(runs[0], 'completed');
	await poll(trigger, 60);
	expect(trigger.ids).toEqual(runs);
});

test('the trigger reports at once that the service returns another run, and later emits the runs although their list fails', async () => {
	const { workflow, runs, trigger, poll, control, failRequests } = await statusScenario(2);
	const [run, other] = runs;
	failRequests(500, `/${workflow}/runs`);
	control.patchSettings({ wrongRuns: { getRun: other } });
	await poll(trigger);
	expect(trigger.failedExecutions[0].message).toContain(`another run in place of run '${run}'`);
	control.patchSettings({ wrongRuns: {} });
	for (const id of [run, other]) control.setRunStatus(id, 'completed');
	await poll(trigger, 5);
	expect(trigger.ids.sort()).toEqual([run, other].sort());
	expect(trigger.failedExecutions).toHaveLength(1);
});

test('New Result emits results that are added one and two days after the last change of a run', async () => {
	const { addWorkflow, addRun, addResults, watch, poll, time } = triggerScenario();
	const run = addRun(addWorkflow());
	const changedAtMs = time.nowMs;
	time.advance(1000);
	const trigger = watch('newResult');
	await poll(trigger, 2);
	time.nowMs = changedAtMs + DAY_MS - 3 * MINUTE_MS;
	const results: string[] = [];
	for (const waitMs of [DAY_MS, HOUR_MS]) {
		await poll(trigger);
		results.push(...addResults(run));
		await poll(trigger, 3);
		time.advance(waitMs);
	}
	await poll(trigger, 4);
	expect(trigger.ids).toEqual(results);
});

test('New Result emits a result that is dated before the first read of its run, if it appears when the run changes after its watch', async () => {
	const { addWorkflow, addRun, addResults, watch, poll, time, control } = triggerScenario();
	const run = addRun(addWorkflow());
	addResults(run);
	control.patchSettings({ timeFormat: 'missing' });
	time.advance(1000);
	const trigger = await watch('newResult').activate();
	const createdAt = new Date(time.nowMs).toISOString();
	control.setRunStatus(run, 'partial');
	await poll(trigger, 3);
	time.advance(40 * DAY_MS);
	await poll(trigger, 3);
	control.patchSettings({ timeFormat: 'utc' });
	control.setRunStatus(run, 'failed');
	const { results } = control.seed({ results: [{ runId: run, createdAt }] });
	await poll(trigger, 3);
	expect(trigger.ids).toEqual(results);
});

test.each([
	['newResult', 'after', 'listResults'],
	['newResult', 'before', 'listResults'],
	['runStatusChanged', 'after', 'getRun'],
	['runStatusChanged', 'before', 'getRun'],
])(
	"%s checks a run that was started %s n8n's clock was set ahead at growing intervals again once it was set back by 6 h",
	async (event, started, operation) => {
		const { time, addWorkflow, addRun, watch, poll, control, failRequests } = triggerScenario();
		const workflowId = addWorkflow();
		const trigger = await watch(event).activate();
		if (started === 'before') addRun(workflowId, 'running');
		await poll(trigger, 3);
		time.n8nAheadMs = 6 * HOUR_MS;
		if (started === 'after') addRun(workflowId, 'running');
		await poll(trigger, 3);
		failRequests(500, `/${workflowId}/runs`);
		time.n8nAheadMs = 0;
		await poll(trigger, 15);
		control.clearJournal();
		await poll(trigger, 20);
		const checks = control.journal().filter((request) => request.operation === operation);
		expect(checks.length).toBeGreaterThan(1);
		expect(checks.length).toBeLessThan(7);
	},
);

/** A Prospector workflow with a running run of two results, and an activated trigger with the event Run Finished. */
async function finishScenario(options = {}) {
	const scenario = triggerScenario();
	const { time, addWorkflow, addRun, addResults, watch, poll, control } = scenario;
	const workflowId = addWorkflow();
	const run = addRun(workflowId, 'running');
	const results = addResults(run, 2);
	time.advance(1000);
	const trigger = await watch('runFinished', { options }).activate();
	return {
		...{ ...scenario, trigger, workflowId, run, results },
		finish: (runId = run, word = 'completed') => void control.setRunStatus(runId, word),
		/** @returns the numbers of results that each poll emits */
		async poll(count = 3) {
			const polls = trigger.polls.length;
			await poll(trigger, count);
			const pollsOf = trigger.emitted.map((item) => item.poll - polls);
			return Array.from({ length: count }, (_, index) => pollsOf.filter((one) => one === index).length);
		},
	};
}

test.each([0, 31])(
	'Run Finished emits all results of a run in one poll if it finishes after %d days, and results that are added later in another poll',
	async (days) => {
		const { trigger, poll, finish, time, run, results, workflowId, addResults } = await finishScenario();
		results.push(...addResults(run, 12));
		expect(await poll(5)).toEqual([0, 0, 0, 0, 0]);
		time.advance(days * DAY_MS);
		expect(await poll(1)).toEqual([0]);
		finish();
		results.push(...addResults(run));
		expect(await poll(3)).toEqual([15, 0, 0]);
		expect(trigger.ids.sort()).toEqual(results.sort());
		const names = { run_id: run, run_status: 'completed', workflow_id: workflowId };
		for (const { json } of trigger.emitted) expect(json).toMatchObject(names);
		addResults(run, 2);
		time.advance(HOUR_MS);
		expect(await poll(2)).toEqual([2, 0]);
		finish(run, 'running');
		expect(await poll(2)).toEqual([0, 0]);
		finish();
		expect(await poll(3)).toEqual([0, 0, 0]);
	},
);

test.each(['the list of runs', 'a request for the run'])(
	'Run Finished emits all results of a run in one poll if %s shows its end before its last results appear',
	async (shownBy) => {
		const { trigger, poll, finish, time, run, workflowId, addResults, failRequests } = await finishScenario();
		await poll(1);
		if (shownBy === 'a request for the run') failRequests(500, `/${workflowId}/runs`);
		time.advance(MINUTE_MS);
		finish();
		await trigger.tick();
		addResults(run, 8);
		expect(await poll()).toEqual([10, 0, 0]);
		expect(trigger.ids).toHaveLength(10);
	},
);

test('Run Finished emits at least one whole run per poll, if Max Items per Poll is exceeded', async () => {
	const { poll, finish, run, addRun, addResults, workflowId, time } = await finishScenario({ maxItems: 4 });
	const runs = [run];
	for (const count of [3, 1, 9, 2]) {
		time.advance(1000);
		runs.push(addRun(workflowId, 'running'));
		addResults(runs.at(-1)!, count);
	}
	addResults(runs[1]);
	for (const id of runs) finish(id);
	expect(await poll(5)).toEqual([4, 9, 5, 0, 0]);
});

test('Run Finished reads 40 pages of results in one poll but fails on 60 pages until Max Requests per Poll is raised', async () => {
	const { trigger, poll, finish, run, addResults, time } = await finishScenario({ maxRequests: 5 });
	addResults(run, 198);
	finish();
	expect(await poll(2)).toEqual([200, 0]);
	expect(trigger.polls.slice(1).map(({ requests }) => requests)).toEqual([42, 2]);
	addResults(run, 100);
	time.advance(HOUR_MS);
	await poll(60);
	expect(trigger.failedExecutions[0]).toMatchObject({
		message: `The list of results of run '${run}' can't be read to the end, so items may be missing`,
		description: expect.stringContaining("Raise 'Page Size' and 'Max Requests per Poll'") as unknown,
	});
	expect(trigger.ids).toHaveLength(200);
	trigger.parameters.options.maxRequests = 10;
	expect((await poll(10)).filter(Boolean)).toEqual([100]);
});

test('Run Finished reports the run within 90 min if the rate limit interrupts each attempt to read its results', async () => {
	const { trigger, poll, finish, run, addResults, control } = await finishScenario();
	addResults(run, 40);
	finish();
	control.patchSettings({ limit: 4 });
	const description = expect.stringContaining(`It failed when reading run '${run}'`) as unknown;
	await poll(90);
	expect(trigger.failedExecutions).toMatchObject([{ description }]);
});

test('Run Finished emits the results of a run that finished 20 h ago in the next poll if their list breaks off and is then not found', async () => {
	const { poll, finish, addResults, run, time, control } = await finishScenario();
	addResults(run, 10);
	await poll(1);
	finish();
	time.advance(20 * HOUR_MS);
	const match = { operation: 'listResults' } as const;
	for (const status of [400, 404]) control.addFault({ match, skip: 1, kind: 'status', status });
	expect(await poll(2)).toEqual([0, 12]);
});

test('Run Finished starts over and returns no earlier run if a person turns on Return Run', async () => {
	const { trigger, poll, finish, addRun, workflowId } = await finishScenario();
	finish();
	expect(await poll()).toEqual([2, 0, 0]);
	Object.assign(trigger.parameters.options, { returnRun: true });
	expect(await poll()).toEqual([0, 0, 0]);
	const run = addRun(workflowId);
	expect(await poll()).toEqual([1, 0, 0]);
	expect(trigger.ids.at(-1)).toBe(run);
});

test('the requests that a trigger has sent beyond its maximum are repaid even if its event changes', async () => {
	const { addWorkflow, addRuns, watch, poll, time } = triggerScenario();
	addRuns(addWorkflow(), 100);
	time.advance(1000);
	const trigger = await watch('newRun', { options: { maxRequests: 5 } }).activate();
	trigger.parameters.event = 'runStatusChanged';
	await poll(trigger, 3);
	const [first, ...later] = trigger.polls.map(({ requests }) => requests);
	expect([first, Math.max(...later)]).toEqual([21, 3]);
});

test.each([
	['have no names', { kind: 'notEnvelope', body: { data: { name: null }, request_id: 'req_1' } }],
	['are not found', { kind: 'status', status: 404 }],
] as const)(
	'a trigger sends its maximum of requests per poll on average even if its Prospector workflows %s',
	async (_, fault) => {
		const { watchSeveral, addRun, poll, control } = triggerScenario();
		const { workflowIds, trigger } = await watchSeveral(6);
		trigger.parameters.options.maxRequests = 5;
		control.addFault({ ...fault, times: 0, match: { operation: 'getWorkflow' } });
		for (let polls = 0; polls < 40; polls++) {
			for (const id of workflowIds) addRun(id);
			await poll(trigger);
		}
		const requestCount = trigger.polls.reduce((sum, { requests }) => sum + requests, 0);
		expect(requestCount).toBeLessThanOrEqual(5 * 40 + 10);
	},
);

test('a long list is read, and items have the names of their Prospector workflows, even if one name can never be read', async () => {
	const settings = { listOrder: 'oldest', defaultPageSize: 100 } as const;
	const { watchSeveral, addRun, addRuns, poll, control } = triggerScenario(settings);
	const { workflowIds, trigger } = await watchSeveral(8);
	const [long, unreadable, ...others] = workflowIds;
	trigger.parameters.options.maxRequests = 5;
	const match = { operation: 'getWorkflow', path: unreadable } as const;
	control.addFault({ kind: 'status', status: 500, times: 0, match });
	addRuns(long, 600);
	await poll(trigger, 30);
	const pollBusily = async () => {
		for (let polls = 0; polls < 40; polls++) {
			for (const id of [unreadable, ...others]) addRun(id);
			await poll(trigger);
		}
	};
	await pollBusily();
	const run = addRun(long);
	await pollBusily();
	expect(trigger.ids).toContain(run);
	const namedIds = trigger.emitted
		.filter(({ json }) => json.workflow_name)
		.map(({ json }) => json.workflow_id);
	expect(new Set(namedIds)).toEqual(new Set([long, ...others]));
});

test('a poll tries the second page of a list several times even if the last poll could not read the list', async () => {
	const { watchSeveral, addRuns, failRequests, control, poll } = triggerScenario();
	const { workflowIds, trigger } = await watchSeveral(1);
	const runs = addRuns(workflowIds[0], 7);
	const repair = failRequests(503);
	await poll(trigger);
	repair();
	const match = { operation: 'listRuns' } as const;
	control.addFault({ match, skip: 1, times: 3, kind: 'status', status: 503 });
	await poll(trigger);
	expect(trigger.ids).toEqual(runs);
});

test('the results of a run that fill many polls do not delay those of another run', async () => {
	const { addWorkflow, addRun, addResults, watch, poll, time } = triggerScenario({ defaultPageSize: 1 });
	const workflowId = addWorkflow();
	const trigger = await watch('newResult', { options: { maxItems: 1 } }).activate();
	time.advance(1000);
	const large = addRun(workflowId);
	addResults(large, 10);
	await poll(trigger);
	const [result] = addResults(addRun(workflowId));
	await poll(trigger, 4);
	expect(trigger.ids).toContain(result);
});
