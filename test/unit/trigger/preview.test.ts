import type { ListOrder } from '../../../sandbox/settings';
import { toSingleMessage } from '../../../nodes/Prospector/messages/nodeErrors';
import { expectError } from '../helpers/support';
import { triggerScenario, type RequestFailure } from '../helpers/triggerScenario';

/** Two Prospector workflows, the first with 12 runs of two results each. */
function previewScenario(listOrder: ListOrder = 'newest', defaultPageSize = 5) {
	const scenario = triggerScenario({ listOrder, defaultPageSize });
	const workflows = [scenario.addWorkflow(), scenario.addWorkflow()];
	const runs = scenario.addRuns(workflows[0], 12);
	for (const run of runs) scenario.addResults(run, 2);
	scenario.time.advance(1000);
	return { ...scenario, workflows, runs };
}

test.each<[ListOrder, number]>([
	['newest', 5],
	['oldest', 5],
	['shuffled', 100],
])(
	'a test in the editor shows each of the ten newest runs once if a list in the order %s has pages of %d runs',
	async (order, pageSize) => {
		const { showPreview, addRuns, addRun, workflows, runs } = previewScenario(order, pageSize);
		addRun(workflows[0], 'completed', '');
		const newest = [...runs, ...addRuns(workflows[1], 3)].slice(-10).reverse();
		for (const parameters of [{}, { watch: 'several', workflowIds: [...workflows, workflows[0]] }])
			expect((await showPreview('newRun', parameters)).map(({ id }) => id)).toEqual(newest);
	},
);

test('a test in the editor shows ten items however small Max Items per Poll is', async () => {
	const { showPreview } = previewScenario();
	expect(await showPreview('newRun', { options: { maxItems: 1 } })).toHaveLength(10);
});

test('a test in the editor reads at most 50 runs per list, requests pages of the configured Page Size, and ends after 12 requests', async () => {
	const { showPreview, control, workflows, addRuns, addResults } = previewScenario();
	addResults(addRuns(workflows[0], 90).at(-1)!);
	await showPreview('newResult', { options: { pageSize: 25 } });
	const requests = control.journal().map(({ operation, query }) => `${operation} ${String(query.limit)}`);
	const results = Array.from({ length: 8 }, () => 'listResults 25');
	expect(requests).toEqual(['listWorkflows 25', 'listRuns 25', 'listRuns 25', 'listRuns 25', ...results]);
	control.clearJournal();
	await showPreview('newRun', { watch: 'several', workflowIds: workflows });
	expect(control.journal().filter(({ operation }) => operation === 'listWorkflows')).toEqual([]);
});

test.each([
	['newRun', 'failed, odd', 3, 'open'],
	['newResult', '', 3, 'open'],
	['newResult', ['Failed', 'o-dd'], 2, 'open'],
	['runStatusChanged', 'failed, odd', 2, 'open'],
	['runFailed', '', 1, 'open'],
	['runFailed', 'odd', 1, 'failed'],
	['runFinished', '', 1, 'open'],
	['runFinished', 'odd', 1, 'finished'],
])(
	'a test in the editor with the event %s and Run Statuses %j shows first what the next poll emits (items: %d, outcome of status "odd": %s)',
	async (event, runStatuses, count, odd) => {
		const { showPreview, watch, workflows, time, addRun, addResults } = previewScenario();
		const parameters = { options: { runStatuses, returnRun: odd === 'finished' } };
		const trigger = watch(event, parameters);
		addRun(workflows[1], 'running');
		time.advance(1000);
		await trigger.activate();
		for (const status of ['failed', 'odd', 'completed']) {
			time.advance(1000);
			addResults(addRun(workflows[0], status));
		}
		const shown = await showPreview(event, parameters);
		time.advance(30_000);
		await trigger.tick();
		const request_id = expect.stringMatching(/^req_/) as unknown;
		const items = shown.slice(0, count).map((item) => ({ ...item, request_id }));
		expect(trigger.emitted.map(({ json }) => json)).toEqual(items.reverse());
		const outcomes = new Map(Object.entries({ failed: 'failed', odd, completed: 'finished' }));
		for (const { json } of trigger.emitted) expect(json.run_outcome).toBe(outcomes.get(String(json.status)));
	},
);

test.each([
	['all', 'list', 'Seeded workflow 1', 4],
	['several', 'list', undefined, 5],
	['one', 'list', undefined, 5],
	['one', 'id', undefined, 5],
])(
	'items of polls and editor tests keep the workflow_name that was read last if a later read fails (Watch: %s, mode: %s, before the first read: %j, attempts: %d)',
	async (watched, mode, unreadName, attempts) => {
		const { showPreview, watch, workflows, addResults, addRun, time, control } = previewScenario();
		const body = { data: { name: 'Renamed' }, request_id: 'req_1' };
		const renaming = { kind: 'notEnvelope', body } as const;
		const notFound = { kind: 'status', status: 404 } as const;
		const faults = [{ kind: 'drop' }, undefined, renaming, { kind: 'drop' }, notFound] as const;
		const readsNames = ['listWorkflows', 'getWorkflow'] as const;
		for (const event of ['newRun', 'newResult']) {
			const workflowId = { mode, value: workflows[0], cachedResultName: 'Before' };
			const parameters = { watch: watched, workflowId, workflowIds: [workflows[0]] };
			const trigger = await watch(event, parameters).activate();
			control.clearJournal();
			for (const fault of faults) {
				addResults(addRun(workflows[0]));
				if (fault)
					for (const operation of readsNames) control.addFault({ ...fault, times: 0, match: { operation } });
				await trigger.tick();
				control.clearFaults();
				time.advance(1000);
			}
			expect(control.journal().filter(({ operation }) => operation === 'getWorkflow')).toHaveLength(attempts);
			const items = [...trigger.emitted.map(({ json }) => json), ...(await showPreview(event, parameters))];
			const names = [unreadName, 'Seeded workflow 1', 'Renamed', 'Renamed', 'Renamed', 'Seeded workflow 1'];
			const shown = items.slice(0, 6).map(({ workflow_id, workflow_name }) => [workflow_id, workflow_name]);
			expect(shown).toEqual(names.map((name) => [workflows[0], name]));
		}
	},
);

test('a poll that has used up its requests reads the names first that are not known yet', async () => {
	const { control, watch, addRuns, poll } = triggerScenario();
	const workflowIds = control.seed({ workflows: 5 }).workflows;
	const parameters = { watch: 'several', workflowIds, options: { maxRequests: 5 } };
	const trigger = await watch('newRun', parameters).activate();
	for (const ids of [workflowIds.slice(0, 4), workflowIds]) {
		for (const id of ids) addRuns(id, 1);
		// The others repay the requests for names.
		await poll(trigger, 5);
	}
	const names = trigger.emitted.map(({ json }) => json.workflow_name);
	expect(names).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 5].map((number) => `Seeded workflow ${number}`));
});

test.each([
	[500, 3],
	[429, 1],
])('a poll that gets status %d for all names asks for %d of them', async (status, count) => {
	const { watchSeveral, addRun, control, poll } = triggerScenario();
	const { workflowIds, trigger } = await watchSeveral(6);
	for (const id of workflowIds) addRun(id);
	control.clearJournal();
	control.addFault({ kind: 'status', status, times: 0, match: { operation: 'getWorkflow' } });
	await poll(trigger);
	expect(control.journal().filter(({ operation }) => operation === 'getWorkflow')).toHaveLength(count);
	expect(trigger.emitted).toHaveLength(6);
});

test('an item of a poll has the name of its Prospector workflow even if another Prospector workflow was deleted before the poll read its name', async () => {
	const { watchSeveral, addRuns, beforeRequest, control, poll } = triggerScenario();
	const { workflowIds, trigger } = await watchSeveral(2);
	for (const id of workflowIds) addRuns(id, 1);
	beforeRequest(3, () => control.deleteWorkflow(workflowIds[0]));
	await poll(trigger);
	const names = trigger.emitted.map(({ json }) => json.workflow_name);
	expect(names).toEqual([undefined, 'Seeded workflow 2']);
});

test.each([
	[
		'newResult',
		'',
		[],
		'No result was found to show. A test reads only the beginning of a few lists. Start a run',
	],
	[
		'runFailed',
		'torn, x',
		['b', 'a', 'a'],
		"No run with the status 'torn' or 'x' was found. The runs that were found show 'a', 'b'. ",
	],
	['runFailed', '', ['odd'], "No run that has failed was found. The runs that were found show 'odd'. "],
	['runFinished', '', ['odd'], 'No run that has finished was found. '],
	['runFinished', '', ['completed'], 'No result was found to show. '],
	['runStatusChanged', '', [], 'No run was found to show. '],
])(
	'a test in the editor with the event %s and Run Statuses %j says why it shows nothing if the statuses of the runs are %j',
	async (event, runStatuses, statuses, text) => {
		const { showPreview, addRun, addWorkflow } = triggerScenario();
		const workflow = addWorkflow();
		for (const status of statuses) addRun(workflow, status);
		const error = await expectError(async () => await showPreview(event, { options: { runStatuses } }));
		expect(toSingleMessage(error)).toContain(text);
	},
);

test.each([404, 409])(
	'an editor test shows results even if the newest run answers %d instead of its results',
	async (status) => {
		const { showPreview, failRequests, runs } = previewScenario();
		failRequests(status, `${runs.at(-1)!}/results`);
		for (const event of ['newResult', 'runFinished'])
			expect((await showPreview(event)).map(({ run_id }) => run_id)).toContain(runs.at(-2));
	},
);

test.each<[string, RequestFailure, RegExp]>([
	['never responds', { kind: 'hang' }, / 10 s\. Nothing was changed\. Try again\.$/],
	['responds with 503', 503, /\. Tried 6 times over 9 s\. .+ Try again in a few minutes\.$/],
	['responds with 429', 429, /\. Tried 6 times over 8 s\. .+ Try again in 8 s, or/],
])('an editor test fails within 10 s and says what to do if the service %s', async (_, failure, text) => {
	const { time, showPreview, failRequests } = previewScenario();
	failRequests(failure);
	const startMs = time.nowMs;
	expect(toSingleMessage(await expectError(async () => await showPreview('newRun')))).toMatch(text);
	expect(time.nowMs - startMs).toBeLessThanOrEqual(10_000);
});

test('an editor test advises a larger Page Size if the service refuses the second page of a list', async () => {
	const { showPreview, addWorkflow, addRuns } = triggerScenario({ cursorMaxItems: 5 });
	addRuns(addWorkflow(), 12);
	const error = await expectError(async () => await showPreview('newRun'));
	expect(toSingleMessage(error)).toMatch(
		/^The service refused the next page.* Set 'Page Size' under Options /,
	);
	expect(await showPreview('newRun', { options: { pageSize: 12 } })).toHaveLength(10);
});
