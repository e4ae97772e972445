import { idsOf, triggerScenario, type RequestFailure } from '../helpers/triggerScenario';
import type { Order } from '../helpers/trigger/service';

/** A Prospector workflow with 12 runs, the first one oldest, and two results of each. */
function previewScenario(order: Order = 'newest', pageSize = 5) {
	const scenario = triggerScenario({ order, pageSize });
	const { service, time, startRuns } = scenario;
	const workflow = service.addWorkflow();
	const runs = startRuns(workflow, 12);
	const results = runs.flatMap((run) => [service.addResult(run), service.addResult(run)]);
	time.now += 1000;
	return { ...scenario, workflow, runs, results };
}

test.each([
	['newest', 5],
	['oldest', 5],
	['shuffled', 5],
	['newest', 100],
	['newest', 1],
] as const)(
	'a test shows the ten newest runs when the list has %s order and pages of %d',
	async (order, pageSize) => {
		const { watch, runs } = previewScenario(order, pageSize);
		expect(idsOf(await watch('newRun').test())).toEqual(idsOf(runs.slice(-10)).reverse());
	},
);

test('a test of lists with the newest first reads no more pages than it shows', async () => {
	const { watch, service } = previewScenario();
	await watch('newRun').test();
	expect(service.requests).toHaveLength(3);
});

test('a test reads at most 20 pages of a list', async () => {
	const { watch, service, workflow, startRuns } = previewScenario('shuffled', 1);
	startRuns(workflow, 30);
	await watch('newRun').test();
	expect(service.requests).toHaveLength(21);
});

test('a test shows the newest runs of all Prospector workflows', async () => {
	const { service, startRuns, watch } = triggerScenario();
	const workflows = [service.addWorkflow(), service.addWorkflow(), service.addWorkflow()];
	const runs = Array.from({ length: 12 }, (_, index) => startRuns(workflows[index % 3], 1)).flat();
	expect(idsOf(await watch('newRun').test())).toEqual(idsOf(runs.slice(-10)).reverse());
});

test('a test shows results with their run', async () => {
	const { watch, runs, workflow } = previewScenario();
	const items = await watch('newResult').test();
	expect(items).toHaveLength(10);
	const newest = idsOf(runs.slice(-5));
	for (const { run_id, run_status, workflow_id, request_id } of items) {
		expect(newest).toContain(run_id);
		expect({ run_status, workflow_id }).toEqual({ run_status: 'completed', workflow_id: workflow.id });
		expect(request_id).toMatch(/^req_/);
	}
});

test('a test changes no state, and shows what later polls emit', async () => {
	const { watch, service, workflow, poll } = previewScenario();
	const trigger = watch('newRun');
	await trigger.activate();
	const before = trigger.saved;
	const run = service.addRun(workflow, 'completed');
	expect(idsOf(await trigger.test())[0]).toBe(run.id);
	expect(trigger.saved).toBe(before);
	await poll(trigger);
	expect(idsOf(trigger.emitted)).toEqual([run.id]);
});

test('a test of results says that there are none when no run exists', async () => {
	const { watch, service } = triggerScenario();
	service.addWorkflow();
	await expect(watch('newResult').test()).rejects.toMatchObject({
		message: 'There is no result to show yet',
	});
});

test('a test skips resources without an ID', async () => {
	const { watch, service, workflow } = previewScenario();
	service.addRun(workflow, 'completed', '');
	expect(await watch('newRun').test()).toHaveLength(10);
});

test.each([
	[
		'newResult',
		{},
		'There is no result to show yet',
		'Start a run and test again, or activate the workflow: it needs no test.',
	],
	[
		'runStatusChanged',
		{ runStatuses: 'broken, torn' },
		"No run has the status 'broken' or 'torn'",
		"Your runs show 'completed'. Use such words in 'Run Statuses' under Options.",
	],
	[
		'runFailed',
		{},
		'No run has failed yet',
		"Your runs show 'completed'. If one of these means that a run has failed, enter it in 'Run Statuses' under Options.",
	],
])(
	'a test of %s says what to do when there is nothing to show: %j',
	async (event, options, message, description) => {
		const { watch, service } = triggerScenario();
		service.addRun(service.addWorkflow(), 'completed');
		await expect(watch(event, { options }).test()).rejects.toMatchObject({ message, description });
	},
);

test.each([
	[
		'runStatusChanged',
		{ runStatuses: 'broken' },
		['', 'new'],
		"Your runs show no status, 'new'. Use such words in 'Run Statuses' under Options.",
	],
	['runStatusChanged', { runStatuses: 'broken' }, [''], 'Your runs show no status.'],
	['runFailed', {}, [''], 'Your runs show no status.'],
])(
	'a test of %s with %j names the missing status among %j',
	async (event, options, statuses, description) => {
		const { watch, service, time } = triggerScenario();
		const workflow = service.addWorkflow();
		for (const status of [...statuses].reverse()) {
			service.addRun(workflow, status);
			time.now += 1000;
		}
		await expect(watch(event, { options }).test()).rejects.toMatchObject({ description });
	},
);

test.each([
	['leaves out technical fields, and no others', {}, false],
	['returns all fields without Simplify', { simplify: false }, true],
])('a test of results %s', async (_, parameters, hasTechnicalFields) => {
	const { watch } = previewScenario();
	const [item] = await watch('newResult', parameters).test();
	const names = [
		'id',
		'created_at',
		'lead_id',
		'company_name',
		'run_id',
		'run_status',
		'workflow_id',
		'request_id',
	];
	const technical = ['object', 'updated_at'];
	expect(Object.keys(item).sort()).toEqual([...names, ...(hasTechnicalFields ? technical : [])].sort());
});

const WAIT = String.raw`Try again in [\d min]+ s, or run fewer executions with this API key at the same time\.`;
test.each<[RequestFailure, RegExp, RegExp]>([
	[
		503,
		/^The service answered with status 503$/,
		/^Tried \d+ times over \d+ s\. Nothing was changed\. Try again in a few minutes\.$/,
	],
	[
		Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }),
		/^The service did not answer in time$/,
		/^Tried \d+ times over \d+ s\. Nothing was changed\. Try again\.$/,
	],
	[
		429,
		/^The API key has reached its requests per minute$/,
		new RegExp(`^Tried \\d+ times over \\d+ s\\. Nothing was done\\. ${WAIT}$`),
	],
])('a test that fails advises only what the trigger has: %p', async (failure, message, description) => {
	const { watch, failRequests } = previewScenario();
	failRequests(failure);
	await expect(watch('newRun').test()).rejects.toMatchObject({
		message: expect.stringMatching(message) as unknown,
		description: expect.stringMatching(description) as unknown,
	});
});
