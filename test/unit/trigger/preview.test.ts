import type { ListOrder } from '../../../sandbox/settings';
import { triggerScenario } from '../helpers/triggerScenario';

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
	'a test in the editor shows the ten newest runs if a list in the order %s has pages of %d runs',
	async (order, pageSize) => {
		const { showPreview, addRuns, addRun, workflows, runs } = previewScenario(order, pageSize);
		addRun(workflows[0], 'completed', '');
		const newest = [...runs, ...addRuns(workflows[1], 3)].slice(-10).reverse();
		expect((await showPreview('newRun')).map(({ id }) => id)).toEqual(newest);
	},
);

test('a test in the editor reads at most 50 runs per list and requests pages of the configured Page Size', async () => {
	const { showPreview, control, workflows, addRuns, addResults } = previewScenario();
	addResults(addRuns(workflows[0], 90).at(-1)!);
	await showPreview('newResult', { options: { pageSize: 25 } });
	const requests = control.journal().map(({ operation, query }) => `${operation} ${String(query.limit)}`);
	const results = Array.from({ length: 5 }, () => 'listResults 25');
	expect(requests).toEqual(['listWorkflows 25', 'listRuns 25', 'listRuns 25', 'listRuns 25', ...results]);
});

test.each(['newRun', 'newResult', 'runStatusChanged'])(
	'a test in the editor with the event %s shows the new item that the next poll emits',
	async (event) => {
		const { showPreview, watch, workflows, addRun, addResults } = previewScenario();
		const trigger = watch(event);
		await trigger.activate();
		addResults(addRun(workflows[0]));
		const [item] = await showPreview(event);
		await trigger.tick();
		const json = { ...item, request_id: expect.stringMatching(/^req_/) as unknown };
		expect(trigger.emitted.map((emitted) => emitted.json)).toEqual([json]);
	},
);

test.each([
	['newResult', '', [], 'There is no result to show yet'],
	['newResult', '', ['completed'], 'There is no result to show yet'],
	['runStatusChanged', 'broken, torn', ['completed'], "No run has the status 'broken' or 'torn'"],
	['runFailed', '', [''], 'No run has failed yet'],
])(
	'a test in the editor with the event %s and Run Statuses %j finds nothing if the statuses of the runs are %j',
	async (event, runStatuses, statuses, message) => {
		const { showPreview, addRun, addWorkflow } = triggerScenario();
		const workflow = addWorkflow();
		for (const status of statuses) addRun(workflow, status);
		await expect(showPreview(event, { options: { runStatuses } })).rejects.toMatchObject({ message });
	},
);

test('a test in the editor fails after 10 s if the service never responds', async () => {
	const { time, showPreview, failRequests } = previewScenario();
	failRequests({ kind: 'hang' });
	const startMs = time.nowMs;
	await expect(showPreview('newRun')).rejects.toThrow('10 s');
	expect(time.nowMs - startMs).toBe(10_000);
});
