import { START, useTestSandbox, WORKFLOWS } from './testSandbox';
import type { Json } from './testSandbox';

const sandbox = useTestSandbox();
const resultsOf = (run: string) => `/prospector/runs/${run}/results`;
const fieldsOf = async (path: string, field: string) =>
	(await sandbox.get(path)).map((item: Json) => item[field]);

test('POST /seed adds the Prospector workflows, runs and results of the request body', async () => {
	const seed = async (request: object) => (await sandbox.callControl('POST', '/seed', request)).json;
	sandbox.control.patchSettings({ listOrder: 'oldest' });
	const createdAt = '2024-05-06T07:08:09.010Z';
	const workflow = { name: 'W', status: 'off', createdAt, fields: { a: 1 }, runs: 2 };
	const { workflows } = await seed({ workflows: [workflow] });
	const path = `${WORKFLOWS}/${workflows[0]}`;
	expect(await sandbox.get(path)).toMatchObject({ name: 'W', status: 'off', a: 1, created_at: createdAt });

	const run = { workflowId: workflows[0], status: 'failed', results: 0, createdAt };
	const [runId] = (await seed({ runs: [run, { workflowId: workflows[0], live: true }] })).runs;
	const statuses = ['failed', 'completed', 'completed', 'queued'];
	expect(await fieldsOf(`${path}/runs`, 'status')).toEqual(statuses);
	sandbox.control.advanceClock(60_000);
	expect((await fieldsOf(`${path}/runs`, 'status'))[3]).toBe('completed');

	await seed({
		results: [
			{ runId, count: 2 },
			{ runId, companyName: 'C', leadId: 'L' },
		],
	});
	const results = await sandbox.get(resultsOf(runId));
	expect(results).toHaveLength(3);
	expect(results[2]).toMatchObject({ company_name: 'C', lead_id: 'L' });
	expect(sandbox.control.runs()).toMatchObject({ started: 0, seeded: 4, perWorkflow: {} });
});

test.each(['2099-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'])(
	'a list contains an item created at %s only if its visibleAt time has been reached',
	async (createdAt) => {
		const appearance = { createdAt, visibleAt: new Date(START + 60_000).toISOString() };
		const run = { ...appearance, status: 'running', results: 1 };
		const { workflows, runs } = sandbox.control.seed({ workflows: [{ ...appearance, runs: [run] }] });
		const lists = [WORKFLOWS, `${WORKFLOWS}/${workflows[0]}/runs`, resultsOf(runs[0])];
		for (const path of lists) expect(await sandbox.get(path)).toEqual([]);
		sandbox.control.advanceClock(60_000);
		for (const path of lists) expect(await sandbox.get(path)).toMatchObject([{ created_at: createdAt }]);
	},
);
