import { seedOneOfEach, START, startTestSandbox, useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const WORKFLOWS = '/prospector/workflows';
const resultsOf = (run: string) => `/prospector/runs/${run}/results`;
const fieldsOf = async (path: string, field: string) =>
	(await sandbox.get(path)).map((item: Json) => item[field]);

test('POST /seed adds workflows with runs, runs of a workflow and results of a run', async () => {
	const seed = async (request: object) => (await sandbox.callControl('POST', '/seed', request)).json;
	sandbox.control.patchSettings({ listOrder: 'oldest' });
	const createdAt = '2024-05-06T07:08:09.010Z';
	const { workflows, runs } = await seed({
		workflows: [{ name: 'W', status: 'off', createdAt, fields: { a: 1 }, runs: 2 }],
	});
	expect([workflows.length, runs.length]).toEqual([1, 2]);
	const path = `${WORKFLOWS}/${workflows[0]}`;
	expect(await sandbox.get(path)).toMatchObject({ name: 'W', status: 'off', a: 1, created_at: createdAt });

	const run = { workflowId: workflows[0], status: 'failed', results: 0, createdAt };
	const [runId] = (await seed({ runs: [run] })).runs;
	expect(await fieldsOf(`${path}/runs`, 'status')).toEqual(['failed', 'completed', 'completed']);

	await seed({
		results: [
			{ runId, count: 2 },
			{ runId, companyName: 'C', leadId: 'L' },
		],
	});
	const results = await sandbox.get(resultsOf(runId));
	expect(results).toHaveLength(3);
	expect(results[2]).toMatchObject({ company_name: 'C', lead_id: 'L' });
	expect(sandbox.control.runs()).toMatchObject({ started: 0, seeded: 3, perWorkflow: {} });
});

test("a workflow's runs find the seeded companies one after the other", async () => {
	const companies = [{ companyName: 'A' }, { companyName: 'B', leadId: 'L' }, { companyName: 'C' }];
	const { workflows, runs } = sandbox.control.seed({
		workflows: [{ companies, runs: [{ results: 2 }, { results: 3 }] }],
	});
	sandbox.control.patchSettings({ listOrder: 'oldest', runStageMs: 0, resultsPerRun: 1 });
	const { json } = await sandbox.call('POST', `${WORKFLOWS}/${workflows[0]}/run`);
	const found = [...runs, json.data.id].map((run) => fieldsOf(resultsOf(run), 'company_name'));
	expect(await Promise.all(found)).toEqual([['A', 'B'], ['C', 'A', 'B'], ['C']]);
	const [first, second] = [
		await fieldsOf(resultsOf(runs[0]), 'lead_id'),
		await fieldsOf(resultsOf(runs[1]), 'lead_id'),
	];
	expect(first[1]).toBe('L');
	expect(new Set([...first, ...second]).size).toBe(5);
});

test('a live run passes through the statuses', async () => {
	const { workflows } = sandbox.control.seed({ workflows: [{ runs: [{ live: true }] }] });
	const path = `${WORKFLOWS}/${workflows[0]}/runs`;
	expect(await fieldsOf(path, 'status')).toEqual(['queued']);
	sandbox.control.advanceClock(60_000);
	expect(await fieldsOf(path, 'status')).toEqual(['completed']);
});

test('the sandbox starts with the same demo data of finished runs each time', async () => {
	const [one, other] = [await startTestSandbox({ seed: true }), await startTestSandbox({ seed: true })];
	const workflows = await one.get(WORKFLOWS);
	expect(workflows).toEqual(await other.get(WORKFLOWS));
	expect(workflows.length).toBeGreaterThanOrEqual(3);
	const { runs } = one.control.runs();
	expect(runs.length).toBeGreaterThanOrEqual(3);
	for (const { status, results } of runs) expect([status, results > 0]).toEqual(['completed', true]);
});

test.each(['ÄÖ ü', ' a b ', 'a/b', 'Run_1', '%41', '..a?#'])(
	'requests find resources with the seeded ID "%s"',
	async (id) => {
		sandbox.control.seed({
			workflows: [{ id }, { id: 'RUN_1' }],
			runs: [{ workflowId: id, id, results: 0 }],
			results: [{ runId: id, id }],
		});
		const path = encodeURIComponent(id);
		expect((await sandbox.get(`${WORKFLOWS}/${path}`)).id).toBe(id);
		expect(await sandbox.get(`/prospector/runs/${path}`)).toMatchObject({ id, workflow_id: id });
		expect(await fieldsOf(`${WORKFLOWS}/${path}/runs`, 'id')).toEqual([id]);
		expect(await fieldsOf(resultsOf(path), 'id')).toEqual([id]);
	},
);

test.each([[''], [null], [{ a: 1 }]])(
	'responses show the seeded ID %j, which no path can contain',
	async (id) => {
		const { workflows, runs } = sandbox.control.seed({ workflows: [{ id, runs: [{ id, results: 0 }] }] });
		const { results } = sandbox.control.seed({ results: [{ runId: runs[0], id, count: 2 }] });
		expect(await fieldsOf(WORKFLOWS, 'id')).toEqual([id]);
		expect(await fieldsOf(`${WORKFLOWS}/${workflows[0]}/runs`, 'id')).toEqual([id]);
		expect(await fieldsOf(resultsOf(runs[0]), 'id')).toEqual([id, id]);
		expect(new Set(results).size).toBe(2);
	},
);

test('requests by ID get the run that was added last when two workflows have a run with this ID', async () => {
	const { control, get } = sandbox;
	const { workflows } = control.seed({ workflows: 2 });
	control.seed({ runs: workflows.map((workflowId) => ({ workflowId, id: 'same' })) });
	const listRuns = async () =>
		await Promise.all(workflows.map((id) => fieldsOf(`${WORKFLOWS}/${id}/runs`, 'id')));
	expect(await listRuns()).toEqual([['same'], ['same']]);
	expect((await get('/prospector/runs/same')).workflow_id).toBe(workflows[1]);
	control.deleteRun('same');
	expect(await listRuns()).toEqual([[], []]);
});

test.each(['2099-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'])(
	'resources created at %s are listed from visibleAt on',
	async (createdAt) => {
		const { control, get } = sandbox;
		const appearance = { createdAt, visibleAt: new Date(START + 60_000).toISOString() };
		const run = { ...appearance, status: 'running', results: 1 };
		const { workflows, runs } = control.seed({ workflows: [{ ...appearance, runs: [run] }] });
		const lists = [WORKFLOWS, `${WORKFLOWS}/${workflows[0]}/runs`, resultsOf(runs[0])];
		for (const path of lists) expect(await get(path)).toEqual([]);
		control.advanceClock(60_000);
		for (const path of lists) expect(await get(path)).toMatchObject([{ created_at: createdAt }]);
		control.advanceClock(60_000);
		control.setRunStatus(runs[0], 'failed');
		const updated_at = new Date(START + 120_000).toISOString();
		expect(await get(lists[1])).toMatchObject([{ created_at: createdAt, updated_at, status: 'failed' }]);
	},
);

test('a new result never has the ID of a deleted one', async () => {
	const { run } = seedOneOfEach(sandbox);
	const [newest, ...others] = await fieldsOf(resultsOf(run), 'id');
	sandbox.control.deleteResult(others[0]);
	sandbox.control.seed({ results: [{ runId: run }] });
	const [added, ...rest] = await fieldsOf(resultsOf(run), 'id');
	expect(rest).toEqual([newest, others[1]]);
	expect([newest, ...others]).not.toContain(added);
});

test.each([[null], [5], [{ code: 1 }], ['']])('a run can have the status %j', async (status) => {
	const { runs } = sandbox.control.seed({ workflows: [{ runs: [{ status }, {}] }] });
	sandbox.control.setRunStatus(runs[1], status);
	for (const run of runs) expect(await sandbox.get(`/prospector/runs/${run}`)).toMatchObject({ status });
	const shown = typeof status === 'string' ? status : JSON.stringify(status);
	expect(sandbox.control.runs().runs.map((run) => run.status)).toEqual([shown, shown]);
});

const inRun = (field: object) => ({ workflows: [{ runs: [field] }] });
test.each<[object, number, RegExp]>([
	[{ runs: [{ workflowId: 'x' }] }, 404, /workflow/],
	[{ results: [{ runId: 'x' }] }, 404, /run/],
	[{ workflow: 1 }, 400, /"workflow"/],
	...['many', -1, 1_000_001, [[]]].map((workflows): [object, number, RegExp] => [
		{ workflows },
		400,
		/"workflows"/,
	]),
	[{ workflows: [{ createdAt: 'soon' }] }, 400, /"createdAt"/],
	[{ workflows: [{ visibleAt: '+275760-09-13T00:00:00.000Z' }] }, 400, /"visibleAt"/],
	[{ workflows: [{ id: NaN }] }, 400, /"id"/],
	[{ workflows: [{ name: 5 }] }, 400, /name/],
	[{ workflows: [{ fields: [1] }] }, 400, /"fields"/],
	[{ workflows: [{ companies: [{ companyName: 5 }] }] }, 400, /"companyName"/],
	[inRun({ results: -1 }), 400, /"results"/],
	[inRun({ status: NaN }), 400, /"status"/],
	[inRun({ live: 'yes' }), 400, /"live"/],
	[{ runs: [{}] }, 400, /"workflowId"/],
	[{ results: [{}] }, 400, /"runId"/],
	[{ results: [{ runId: 'x', count: 0.5 }] }, 400, /"count"/],
	[{ results: [{ runId: 'x', leadId: {} }] }, 400, /"leadId"/],
])('a seed %j fails with %d and %p', (request, status, message) => {
	expect(() => sandbox.control.seed(request)).toThrow(
		expect.objectContaining({ status, message: expect.stringMatching(message) }),
	);
});
