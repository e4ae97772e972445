import type { DeletedRuns, SandboxSettings, TimeFormat } from '../../sandbox/settings';
import { createSimulator } from '../../sandbox/simulator';
import { API, seedOneOfEach, START, useTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const WORKFLOWS = '/prospector/workflows';
const isoAt = (offsetMs: number) => new Date(START + offsetMs).toISOString();

/** Returns a simulator whose clock a test moves. */
function start(settings: Partial<SandboxSettings> = {}) {
	let now = START;
	const { control, request } = createSimulator({
		clock: () => now,
		settings: { limit: 1_000_000, ...settings },
	});
	const send = async (path: string, method = 'GET') => {
		const { statusCode, headers, body } = await request({ method, url: `https://api.test${API}${path}` });
		return { status: statusCode, headers, ...(body as { data: Json; pagination: Json }) };
	};
	const idsOf = async (path: string) => (await send(path)).data.map(({ id }: Json) => id);
	return { control, send, idsOf, wait: (ms: number) => (now += ms) };
}

test.each<[TimeFormat, unknown]>([
	['utc', '2025-03-01T12:00:00.000Z'],
	['offset', '2025-03-01T14:00:00.000+02:00'],
	['noZone', '2025-03-01T12:00:00.000'],
	['noMilliseconds', '2025-03-01T12:00:00Z'],
	['missing', undefined],
	['null', null],
	['number', START],
	['nonsense', 'soon'],
])('timeFormat "%s" shows times as %p', async (timeFormat, time) => {
	const { control, send } = start({ timeFormat });
	const { workflow, run } = seedOneOfEach({ control });
	const paths = ['/me', '/prospector/config', `${WORKFLOWS}/${workflow}`, `/prospector/runs/${run}`];
	const responses = await Promise.all(
		[...paths, `/prospector/runs/${run}/results`].map((path) => send(path)),
	);
	for (const { created_at, updated_at } of responses.flatMap(({ data }) => data)) {
		if (created_at !== undefined || timeFormat === 'missing')
			expect([created_at, updated_at]).toEqual([time, time]);
	}
});

test('dateHeaderOffsetMs changes the Date header only', async () => {
	const { send } = start({ dateHeaderOffsetMs: -3_600_000 });
	const { headers, data } = await send('/me');
	expect([Date.parse(headers.date), data.created_at]).toEqual([START - 3_600_000, isoAt(0)]);
});

test('listOrder "random" is another order at each request, and the same for the same faultSeed', async () => {
	const readTwice = async (faultSeed: number) => {
		const { control, idsOf } = start({ listOrder: 'random', faultSeed });
		control.seed({ workflows: 20 });
		return [await idsOf(WORKFLOWS), await idsOf(WORKFLOWS)] as string[][];
	};
	const [first, second] = await readTwice(1);
	expect(second).not.toEqual(first);
	expect([...second].sort()).toEqual([...first].sort());
	expect(await readTwice(1)).toEqual([first, second]);
	expect(await readTwice(2)).not.toEqual([first, second]);
});

test.each(['position', 'itemId', 'offset'] as const)(
	'listOrder "random" has pages that overlap, with cursors of the kind "%s"',
	async (cursorKind) => {
		const { control, send } = start({ listOrder: 'random', cursorKind, defaultPageSize: 10 });
		control.seed({ workflows: 20 });
		const first = await send(WORKFLOWS);
		const second = await send(`${WORKFLOWS}?cursor=${first.pagination.next_cursor}`);
		expect(second.pagination.has_more).toBe(false);
		const ids = [...first.data, ...second.data].map(({ id }) => id);
		expect([ids.length, new Set(ids).size < 20]).toEqual([20, true]);
	},
);

describe('a seed', () => {
	test.each(['__proto__', 'constructor', 'ÄÖ ü', ' a b ', 'a/b', 'Run_1', 'run_1', '%41', '..a?#'])(
		'can have the ID "%s"',
		async (id) => {
			const { control, send, idsOf } = start();
			control.seed({
				workflows: [{ id }],
				runs: [{ workflowId: id, id, results: 0 }],
				results: [{ runId: id, id }],
			});
			control.seed({ workflows: [{ id: 'RUN_1' }] });
			const path = encodeURIComponent(id);
			expect((await send(`${WORKFLOWS}/${path}`)).data.id).toBe(id);
			expect((await send(`/prospector/runs/${path}`)).data).toMatchObject({ id, workflow_id: id });
			expect(await idsOf(`${WORKFLOWS}/${path}/runs`)).toEqual([id]);
			expect(await idsOf(`/prospector/runs/${path}/results`)).toEqual([id]);
		},
	);

	test.each([[''], [null], [0], [{ a: 1 }], [['x']]])('can show the ID %j, which is unusable', async (id) => {
		const { control, idsOf } = start();
		const { workflows, runs } = control.seed({ workflows: [{ id, runs: [{ id, results: 0 }] }] });
		const { results } = control.seed({ results: [{ runId: runs[0], id, count: 2 }] });
		expect(await idsOf(WORKFLOWS)).toEqual([id]);
		expect(await idsOf(`${WORKFLOWS}/${workflows[0]}/runs`)).toEqual([id]);
		expect(await idsOf(`/prospector/runs/${runs[0]}/results`)).toEqual([id, id]);
		expect(new Set(results).size).toBe(2);
	});

	test('can add a run ID to two workflows; requests by ID get the last one', async () => {
		const { control, send, idsOf } = start();
		const { workflows } = control.seed({ workflows: 2 });
		control.seed({
			runs: workflows.map((workflowId, index) => ({ workflowId, id: 'same', results: index + 1 })),
		});
		for (const workflow of workflows) expect(await idsOf(`${WORKFLOWS}/${workflow}/runs`)).toEqual(['same']);
		expect((await send('/prospector/runs/same')).data.workflow_id).toBe(workflows[1]);
		expect(await idsOf('/prospector/runs/same/results')).toHaveLength(2);
		control.deleteRun('same');
		for (const workflow of workflows) expect(await idsOf(`${WORKFLOWS}/${workflow}/runs`)).toEqual([]);
	});

	test.each([
		['in the future', '2099-01-01T00:00:00.000Z'],
		['in the past', '2025-02-01T00:00:00.000Z'],
	])('can show a creation %s, independent of when it becomes visible', async (_, createdAt) => {
		const { control, send, idsOf, wait } = start();
		const appearance = { createdAt, visibleAt: isoAt(60_000) };
		const run = { ...appearance, status: 'running', results: 1 };
		const { workflows, runs } = control.seed({ workflows: [{ ...appearance, runs: [run] }] });
		const lists = [WORKFLOWS, `${WORKFLOWS}/${workflows[0]}/runs`, `/prospector/runs/${runs[0]}/results`];
		for (const path of lists) expect(await idsOf(path)).toEqual([]);
		wait(60_000);
		for (const path of lists) expect((await send(path)).data).toMatchObject([{ created_at: createdAt }]);
		wait(60_000);
		control.setRunStatus(runs[0], 'failed');
		const changed = { created_at: createdAt, updated_at: isoAt(120_000), status: 'failed' };
		expect((await send(lists[1])).data).toMatchObject([changed]);
	});

	test.each([
		[{ workflows: [{ visibleAt: 'soon' }] }, /"visibleAt"/],
		[{ workflows: [{ id: NaN }] }, /"id"/],
		[{ workflows: [{ runs: [{ status: NaN }] }] }, /"status"/],
	])('%p is rejected', (seed, message) => {
		expect(() => start().control.seed(seed)).toThrow(message);
	});
});

test.each([[null], [5], [{ code: 1 }], [['x']], ['']])('a run can have the status %j', async (status) => {
	const { control, send, wait } = start();
	const { runs } = control.seed({ workflows: [{ runs: [{ status }, {}] }] });
	wait(1000);
	control.setRunStatus(runs[1], status);
	const read = async (id: string) => (await send(`/prospector/runs/${id}`)).data;
	expect(await read(runs[0])).toMatchObject({ status });
	expect(await read(runs[1])).toMatchObject({ status, updated_at: isoAt(1000) });
	expect(control.runs().runs.map((run) => run.status)).toEqual(
		Array(2).fill(typeof status === 'string' ? status : JSON.stringify(status)),
	);
});

describe('deletion', () => {
	test.each<[DeletedRuns, number, number]>([
		['byId', 404, 200],
		['listed', 200, 200],
		['gone', 404, 404],
	])('with deletedRuns "%s", the list of runs gets %i and a run %i', async (deletedRuns, list, byId) => {
		const { control, send, idsOf, wait } = start({ deletedRuns, deletedWorkflowStatus: 'deleted' });
		const { workflow, run } = seedOneOfEach({ control });
		const before = await send(WORKFLOWS);
		wait(1000);
		control.deleteWorkflow(workflow);
		const statusesOf = async () =>
			await Promise.all(
				[
					`${WORKFLOWS}/${workflow}`,
					`${WORKFLOWS}/${workflow}/runs`,
					`/prospector/runs/${run}`,
					`/prospector/runs/${run}/results`,
				].map(async (path) => (await send(path)).status),
			);
		expect(await idsOf(WORKFLOWS)).toEqual([]);
		expect(await statusesOf()).toEqual([404, list, byId, byId]);
		expect((await send(`${WORKFLOWS}/${workflow}/run`, 'POST')).status).toBe(404);
		control.restoreWorkflow(workflow);
		expect((await send(WORKFLOWS)).data).toEqual(before.data);
		expect(await statusesOf()).toEqual([200, 200, 200, 200]);
	});

	test('of results never repeats an ID', async () => {
		const { control, idsOf } = start();
		const { run } = seedOneOfEach({ control });
		const path = `/prospector/runs/${run}/results`;
		const [last, ...others] = await idsOf(path);
		control.deleteResult(others[0]);
		control.seed({ results: [{ runId: run }] });
		const ids = await idsOf(path);
		expect(ids.slice(1)).toEqual([last, others[1]]);
		expect([last, ...others]).not.toContain(ids[0]);
	});

	test('removes the item of a cursor', async () => {
		const { control, send } = start({ cursorKind: 'itemId', cursorRejection: 410, defaultPageSize: 1 });
		const { run } = seedOneOfEach({ control });
		const path = `/prospector/runs/${run}/results`;
		const { data, pagination } = await send(path);
		control.deleteResult(data[0].id);
		expect((await send(`${path}?cursor=${pagination.next_cursor}`)).status).toBe(410);
	});

	const sandbox = useTestSandbox();
	test('is part of the control API', async () => {
		const { workflow, run } = seedOneOfEach(sandbox);
		const [{ id: result }] = await sandbox.get(`/prospector/runs/${run}/results`);
		const counts = () => {
			const { workflows, runs, results } = sandbox.control.state().counts;
			return [workflows, runs, results];
		};
		for (const [method, path, remaining] of [
			['DELETE', `/results/${result}`, [1, 1, 2]],
			['DELETE', `/runs/${run}`, [1, 0, 0]],
			['DELETE', `/workflows/${workflow}`, [0, 0, 0]],
			['POST', `/workflows/${workflow}/restore`, [1, 0, 0]],
		] as const) {
			expect(await sandbox.callControl(method, path)).toMatchObject({ status: 200, json: {} });
			expect(counts()).toEqual(remaining);
			const unknown = path.replace(/(?<=\/.+\/)[^/]+/, 'unknown');
			expect((await sandbox.callControl(method, unknown)).status).toBe(404);
		}
	});
});

describe('results that are not readable yet', () => {
	test.each([404, 409] as const)('get %i until the run has a finished status', async (status) => {
		const { control, send, idsOf, wait } = start({ resultsDelayMs: 1, noResultsYet: `${status}` });
		const { runs } = control.seed({ workflows: [{ runs: [{ status: 'running', results: 2 }] }] });
		const path = `/prospector/runs/${runs[0]}/results`;
		wait(60_000);
		expect((await send(path)).status).toBe(status);
		control.setRunStatus(runs[0], 'timedOut');
		expect((await send(path)).status).toBe(status);
		wait(1);
		expect(await idsOf(path)).toHaveLength(2);
		control.setRunStatus(runs[0], 'running');
		wait(1);
		expect((await send(path)).status).toBe(status);
	});

	test('get 404 until there is one', async () => {
		const { control, send, idsOf } = start({ noResultsYet: '404' });
		const { runs } = control.seed({ workflows: [{ runs: [{ status: 'running', results: 0 }] }] });
		const path = `/prospector/runs/${runs[0]}/results`;
		expect((await send(path)).status).toBe(404);
		control.seed({ results: [{ runId: runs[0] }] });
		expect(await idsOf(path)).toHaveLength(1);
	});
});
