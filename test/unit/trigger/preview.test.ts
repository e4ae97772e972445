import type { ListOrder } from '../../../sandbox/settings';
import { triggerScenario } from '../helpers/triggerScenario';

/** A Prospector workflow with 12 runs, the first one oldest, and two results of each. */
function previewScenario(listOrder: ListOrder = 'newest', defaultPageSize = 5) {
	const scenario = triggerScenario({ listOrder, defaultPageSize });
	const workflow = scenario.addWorkflow();
	const runs = scenario.addRuns(workflow, 12);
	for (const run of runs) scenario.addResults(run, 2);
	scenario.time.advance(1000);
	return { ...scenario, workflow, runs };
}

test.each<[ListOrder, number]>([
	['newest', 5],
	['oldest', 5],
	['shuffled', 5],
	['newest', 100],
	['newest', 1],
])('a test shows the ten newest runs when the list has %s order and pages of %d', async (order, pageSize) => {
	const { showPreview, runs } = previewScenario(order, pageSize);
	const items = await showPreview('newRun');
	expect(items.map(({ id }) => id)).toEqual(runs.slice(-10).reverse());
});

test.each<[ListOrder, number, number]>([
	['newest', 5, 3],
	['shuffled', 1, 21],
])(
	'a test of %s lists with pages of %d sends %d requests, at most 20 for a list',
	async (order, pageSize, requests) => {
		const { showPreview, control, workflow, addRuns } = previewScenario(order, pageSize);
		addRuns(workflow, 30);
		await showPreview('newRun');
		expect(control.journal()).toHaveLength(requests);
	},
);

test('a test shows the newest runs of all Prospector workflows', async () => {
	const { addWorkflow, addRuns, showPreview, runs } = previewScenario();
	const newest = [...runs, ...addRuns(addWorkflow(), 3), ...addRuns(addWorkflow(), 4)].slice(-10);
	expect((await showPreview('newRun')).map(({ id }) => id)).toEqual(newest.reverse());
});

test('a test shows results with their run', async () => {
	const { showPreview, runs, workflow } = previewScenario();
	const items = await showPreview('newResult');
	expect(items).toHaveLength(10);
	for (const { run_id, run_status, workflow_id, request_id } of items) {
		expect(runs.slice(-5)).toContain(run_id);
		expect({ run_status, workflow_id }).toEqual({ run_status: 'completed', workflow_id: workflow });
		expect(request_id).toMatch(/^req_/);
	}
});

test('a test shows what the next poll emits', async () => {
	const { showPreview, watch, workflow, addRun } = previewScenario();
	const trigger = watch('newRun');
	await trigger.activate();
	addRun(workflow);
	const [item] = await showPreview('newRun');
	await trigger.tick();
	expect(trigger.items).toEqual([{ ...item, request_id: expect.any(String) }]);
});

test('a test skips resources without an ID', async () => {
	const { showPreview, addRun, workflow } = previewScenario();
	addRun(workflow, 'completed', '');
	expect(await showPreview('newRun')).toHaveLength(10);
});

test.each([
	['newResult', '', [], 'There is no result to show yet'],
	['newResult', '', ['completed'], 'There is no result to show yet'],
	['runStatusChanged', 'broken, torn', ['completed'], "No run has the status 'broken' or 'torn'"],
	['runFailed', '', [''], 'No run has failed yet'],
])(
	'a test of %s with the statuses %j says that nothing matches when the runs show %j',
	async (event, runStatuses, statuses, message) => {
		const { showPreview, addRun, addWorkflow } = triggerScenario();
		const workflow = addWorkflow();
		for (const status of statuses) addRun(workflow, status);
		await expect(showPreview(event, { options: { runStatuses } })).rejects.toMatchObject({ message });
	},
);

test.each([
	['leaves out technical fields, and no others', true, []],
	['returns all fields without Simplify', false, ['object', 'updated_at']],
])('a test of results %s', async (_, simplify, technical) => {
	const { showPreview } = previewScenario();
	const [item] = await showPreview('newResult', { simplify });
	const ofResult = ['id', 'created_at', 'lead_id', 'company_name', 'request_id'];
	const ofRun = ['run_id', 'run_status', 'workflow_id'];
	expect(Object.keys(item).sort()).toEqual([...ofResult, ...ofRun, ...technical].sort());
});

test('a test fails after 10 s when the service never responds', async () => {
	const { time, showPreview, failRequests } = previewScenario();
	failRequests({ kind: 'hang' });
	const startMs = time.nowMs;
	await expect(showPreview('newRun')).rejects.toMatchObject({
		message: 'The service did not answer within 10 s',
		description: 'Nothing was changed. Try again.',
	});
	expect(time.nowMs - startMs).toBe(10_000);
});
