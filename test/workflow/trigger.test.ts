import { byId } from './support';
import { ids, MINUTE, startTriggerBench, type TriggerBench } from './triggerBench';

let bench: TriggerBench;
let workflowId: string;

beforeEach(async () => {
	bench = await startTriggerBench({ runStageMs: MINUTE, resultsPerRun: 3, defaultPageSize: 5 });
	[workflowId] = bench.control.seed({ workflows: [{ name: 'Logistics', runs: 2 }] }).workflows;
	bench.pass(1000);
});
afterEach(async () => await bench.close());

const watching = (event: string, options: object = {}) => ({
	event,
	workflowScope: 'one',
	workflowId: byId(workflowId),
	options: { ...options },
});

test('New Run: each run once, with the request that showed it', async () => {
	const trigger = bench.trigger(watching('newRun'));
	expect(await trigger.activate()).toEqual([]);
	bench.requests();
	expect(await trigger.tick()).toEqual([]);
	const [runId] = bench.control.seed({ runs: [{ workflowId }] }).runs;
	const items = await trigger.tick();
	expect(items.map(({ json }) => json)).toEqual([
		{
			id: runId,
			object: 'prospector_run',
			status: 'completed',
			workflow_id: workflowId,
			created_at: expect.any(String),
			updated_at: expect.any(String),
			request_id: bench.control.journal().at(-1)?.requestId,
		},
	]);
	expect(await trigger.tick()).toEqual([]);
	expect(bench.requests()).toEqual(['listRuns', 'listRuns', 'listRuns']);
});

test('Run Status Changed: each status once, with the one before', async () => {
	const trigger = bench.trigger(watching('runStatusChanged'));
	await trigger.activate();
	bench.control.seed({ runs: [{ workflowId, live: true }] });
	const seen: unknown[] = [];
	for (let poll = 0; poll < 6; poll++) {
		for (const { json } of await trigger.tick()) seen.push([json.previous_status, json.status]);
		bench.pass(MINUTE / 2);
	}
	expect(seen).toEqual([
		[null, 'queued'],
		['queued', 'running'],
		['running', 'completed'],
	]);
});

test('New Result: each result once, with its run', async () => {
	const trigger = bench.trigger(watching('newResult'));
	await trigger.activate();
	const [runId] = bench.control.seed({ runs: [{ workflowId, live: true, results: 7 }] }).runs;
	for (let poll = 0; poll < 12; poll++) {
		bench.pass(MINUTE / 3);
		await trigger.tick();
	}
	const all = trigger.executions.flat();
	expect(all).toHaveLength(7);
	expect(new Set(ids(all)).size).toBe(7);
	expect(all[0].json).toMatchObject({
		object: 'prospector_result',
		run_id: runId,
		workflow_id: workflowId,
		request_id: expect.stringMatching(/^req_/),
	});
});

test.each(['newRun', 'newResult', 'runStatusChanged'])(
	'%s: a test shows what there is, and changes nothing',
	async (event) => {
		const trigger = bench.trigger(watching(event));
		const items = await trigger.test();
		expect(items.length).toBeGreaterThan(0);
		expect(trigger.staticData).toEqual({});
		await trigger.activate();
		expect(await trigger.tick()).toEqual([]);
	},
);
