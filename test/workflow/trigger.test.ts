import { byId } from './support';
import { ids, MINUTE, startTriggerEnvironment, type TriggerEnvironment } from './triggerBench';

let bench: TriggerEnvironment;
let workflowId: string;

beforeEach(async () => {
	bench = await startTriggerEnvironment({ runStageMs: MINUTE, resultsPerRun: 3, defaultPageSize: 5 });
	[workflowId] = bench.control.seed({ workflows: [{ name: 'Logistics', runs: 2 }] }).workflows;
	bench.pass(1000);
});
afterEach(async () => await bench.close());

const watching = (event: string, options: object = {}) => ({
	event,
	watch: 'one',
	workflowId: byId(workflowId),
	options: { ...options },
});
const startRun = (seed: object = {}) => bench.control.seed({ runs: [{ workflowId, ...seed }] }).runs[0];

test('New Run: each run once, with the request that showed it', async () => {
	const trigger = bench.trigger(watching('newRun'));
	expect(await trigger.activate()).toEqual([]);
	bench.requests();
	expect(await trigger.tick()).toEqual([]);
	const runId = startRun();
	const items = await trigger.tick();
	expect(items.map(({ json }) => json)).toEqual([
		{
			id: runId,
			status: 'completed',
			workflow_id: workflowId,
			created_at: expect.any(String),
			request_id: bench.control.journal().at(-1)?.requestId,
		},
	]);
	expect(await trigger.tick()).toEqual([]);
	expect(bench.requests()).toEqual(['listRuns', 'listRuns', 'listRuns']);
});

test('Run Status Changed: each status once, with the one before', async () => {
	const trigger = bench.trigger(watching('runStatusChanged'));
	await trigger.activate();
	startRun({ live: true });
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
	const runId = startRun({ live: true, results: 7 });
	for (let poll = 0; poll < 12; poll++) {
		bench.pass(MINUTE / 3);
		await trigger.tick();
	}
	const all = trigger.executions.flat();
	expect(all).toHaveLength(7);
	expect(new Set(ids(all)).size).toBe(7);
	expect(all[0].json).toMatchObject({
		run_id: runId,
		workflow_id: workflowId,
		request_id: expect.stringMatching(/^req_/),
	});
});

test('Statuses: only runs that have one of these, in any spelling', async () => {
	bench.control.patchSettings({ runStatuses: ['In Arbeit', 'Fast Fertig', 'FERTIG'] });
	const changes = bench.trigger(watching('runStatusChanged', { runStatuses: 'fertig, fast-fertig' }));
	const results = bench.trigger(watching('newResult', { runStatuses: ['Fertig'] }));
	await changes.activate();
	await results.activate();
	startRun({ live: true, results: 4 });
	const changed: unknown[] = [];
	const counts: number[] = [];
	for (let poll = 0; poll < 5; poll++) {
		for (const { json } of await changes.tick()) changed.push([json.previous_status, json.status]);
		counts.push((await results.tick()).length);
		bench.pass(MINUTE / 2);
	}
	expect(changed).toEqual([
		['In Arbeit', 'Fast Fertig'],
		['Fast Fertig', 'FERTIG'],
	]);
	expect(counts).toEqual([0, 0, 0, 0, 4]);
});

test.each([
	['newRun', 2, {}],
	['newResult', 6, {}],
	['runStatusChanged', 2, {}],
	['runFailed', 0, {}],
	['runFailed', 2, { runStatuses: 'completed' }],
])('%s: Include Existing emits what is there, %d items, once', async (event, count, options) => {
	const trigger = bench.trigger(watching(event, { includeExisting: true, ...options }));
	expect(await trigger.activate()).toHaveLength(count);
	expect(await trigger.tick()).toEqual([]);
	trigger.deactivate();
	expect(await trigger.activate()).toEqual([]);
});

test('Max Items per Poll: the oldest first, and the rest with the next polls', async () => {
	const trigger = bench.trigger(watching('newRun', { maxItems: 2 }));
	await trigger.activate();
	const started: string[] = [];
	for (let run = 0; run < 5; run++) {
		bench.pass(1000);
		started.push(startRun());
	}
	expect(ids(await trigger.tick())).toEqual(started.slice(0, 2));
	// What was held is lost with the process, and found again.
	trigger.deactivate();
	expect(ids(await trigger.activate())).toEqual(started.slice(2, 4));
	expect(ids(await trigger.tick())).toEqual(started.slice(4));
	expect(await trigger.tick()).toEqual([]);
});

test('several workflows: those chosen and no others; all: new ones too', async () => {
	const [second, third] = bench.control.seed({ workflows: 2 }).workflows;
	const several = bench.trigger({
		event: 'newRun',
		watch: 'several',
		workflowIds: [workflowId, second],
		options: {},
	});
	const all = bench.trigger({ event: 'newRun', watch: 'all', options: {} });
	await several.activate();
	await all.activate();
	bench.pass(1000);
	const runs = [workflowId, second, third].map((id) => startRun({ workflowId: id }));
	expect(ids(await several.tick()).sort()).toEqual(runs.slice(0, 2).sort());
	expect(ids(await all.tick()).sort()).toEqual([...runs].sort());
	bench.pass(1000);
	const [fourth] = bench.control.seed({ workflows: [{ runs: 2 }] }).workflows;
	expect(await several.tick()).toEqual([]);
	const items = await all.tick();
	expect(items.map(({ json }) => json.workflow_id)).toEqual([fourth, fourth]);
});

test('a workflow that is chosen later begins then', async () => {
	const [second] = bench.control.seed({ workflows: [{ runs: 3 }] }).workflows;
	const first = bench.trigger(watching('newRun'));
	await first.activate();
	const both = bench.trigger(
		{ event: 'newRun', watch: 'several', workflowIds: `${workflowId}, ${second}`, options: {} },
		first.staticData,
	);
	bench.pass(1000);
	const missed = startRun();
	expect(ids(await both.activate())).toEqual([missed]);
	const news = startRun({ workflowId: second });
	expect(ids(await both.tick())).toEqual([news]);
});

test('Watch changed from one to all: what the others contain is not new', async () => {
	const [other] = bench.control.seed({ workflows: [{ runs: 3 }] }).workflows;
	const one = bench.trigger(watching('newRun'));
	await one.activate();
	bench.pass(1000);
	startRun({ workflowId: other });
	const missed = startRun();
	bench.pass(1000);
	const all = bench.trigger({ event: 'newRun', watch: 'all', options: {} }, one.staticData);
	expect(ids(await all.activate())).toEqual([missed]);
	const next = [startRun(), startRun({ workflowId: other })];
	expect(ids(await all.tick()).sort()).toEqual(next.sort());
	expect(await all.tick()).toEqual([]);
});

test('another event, or another service, begins anew', async () => {
	const runs = bench.trigger(watching('newRun'));
	await runs.activate();
	startRun();
	bench.pass(1);
	const changes = bench.trigger(watching('runStatusChanged'), runs.staticData);
	expect(await changes.activate()).toEqual([]);
	expect(await changes.tick()).toEqual([]);
});

describe('a test in the editor', () => {
	test.each(['newRun', 'newResult', 'runStatusChanged'])(
		'%s: shows what there is, and changes nothing',
		async (event) => {
			const trigger = bench.trigger(watching(event));
			const items = await trigger.test();
			expect(items.length).toBeGreaterThan(0);
			expect(items[0].json.request_id).toMatch(/^req_/);
			expect(trigger.staticData).toEqual({});
			await trigger.activate();
			expect(await trigger.tick()).toEqual([]);
			const kept = JSON.stringify(trigger.staticData);
			startRun();
			await trigger.test();
			expect(JSON.stringify(trigger.staticData)).toBe(kept);
			expect((await trigger.tick()).length).toBeGreaterThan(0);
		},
	);

	test('shows the ten newest, whatever the order', async () => {
		for (const listOrder of ['newest', 'oldest', 'shuffled'] as const) {
			bench.control.patchSettings({ listOrder });
			const started: string[] = [];
			for (let run = 0; run < 12; run++) {
				bench.pass(1000);
				started.push(startRun());
			}
			const items = await bench.trigger(watching('newRun')).test();
			expect(ids(items)).toEqual(started.slice(-10).reverse());
		}
	});

	test('says what to do where there is nothing to show', async () => {
		const [empty] = bench.control.seed({ workflows: 1 }).workflows;
		await expect(
			bench.trigger({ ...watching('newResult'), workflowId: byId(empty) }).test(),
		).rejects.toMatchObject({
			message: 'There is no result to show yet',
			description: 'Start a run and test again, or activate the workflow: it needs no test',
		});
		await expect(
			bench.trigger(watching('runStatusChanged', { runStatuses: 'broken, torn' })).test(),
		).rejects.toMatchObject({
			message: "No run has the status 'broken' or 'torn'",
			description: "Your runs show 'completed'. Use such words in 'Run Statuses' under Options",
		});
		await expect(bench.trigger(watching('runFailed')).test()).rejects.toMatchObject({
			message: 'No run has failed yet',
			description: expect.stringMatching(/^Your runs show 'completed'\. .*'Run Statuses' under Options$/),
		});
	});
});

test.each([
	[{ workflowId: byId('') }, /'Prospector Workflow' is empty/],
	[{ watch: 'several', workflowIds: [] }, /'Prospector Workflows' is empty/],
	[{ watch: 'several', workflowIds: ['https://x.example/wf'] }, /'Prospector Workflows' got a web address/],
	[{ event: 'somethingElse' }, /'Trigger On' has no option 'somethingElse'/],
	[{ options: { maxItems: 0 } }, /'Max Items per Poll' must be a whole number from 1 to 10000/],
	[{ options: { maxRequests: 4 } }, /'Max Requests per Poll' must be a whole number from 5 to 1000/],
	[{ simplify: 'perhaps' }, /'Simplify' is neither true nor false/],
	[{ options: { includeExisting: 'perhaps' } }, /'Include Existing' is neither true nor false/],
])('%j holds the activation up, and says why', async (wrong, message) => {
	const trigger = bench.trigger({ ...watching('newRun'), ...wrong });
	await expect(trigger.activate()).rejects.toMatchObject({ message: expect.stringMatching(message) });
	expect(bench.requests()).toEqual([]);
});
