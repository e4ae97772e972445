import type { IDataObject } from 'n8n-workflow';
import { byId } from '../../nodes';
import { startHostileBench, type HostileBench } from './bench';
import { changesSince, snapshotPrototypes } from './prototypes';
import { json, list, one, type Answer } from './service';

let bench: HostileBench;
let before: ReturnType<typeof snapshotPrototypes>;
beforeAll(async () => {
	bench = await startHostileBench();
	before = snapshotPrototypes();
});
afterAll(async () => await bench.close());

/** Names that every JavaScript object already has. */
const RESERVED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'];

const ordinary = ['run_1', ...RESERVED];
const START = Date.now();
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

/** A service with the given workflows, runs and results, which tests change. */
function workspace() {
	const state = {
		workflows: ordinary.map((id, index) => ({ id, created_at: at(index) })),
		runs: [] as Array<{ id: string; status: string; created_at: string }>,
		results: [] as Array<{ id: string; created_at: string }>,
	};
	const answer: Answer = (socket, request) => {
		const parts = request.path.split('/').slice(2).map(decodeURIComponent);
		const [kind, id, below] = parts;
		const found = (() => {
			if (kind === 'workflows' && id === undefined) return list(state.workflows);
			if (below === 'runs') return list(id === ordinary[0] ? state.runs : []);
			if (below === 'results') return list(state.results);
			if (below === 'run') return one({ id: state.runs[0]?.id ?? '__proto__', status: 'completed' });
			const single = (kind === 'runs' ? state.runs : state.workflows).find((each) => each.id === id);
			return single ? one(single) : json({ error: { message: 'Not found' } }, 404);
		})();
		found(socket, request);
	};
	return { state, answer };
}

const runs = (status: string) => ordinary.map((id, index) => ({ id, status, created_at: at(100 + index) }));
const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json: { id } }) => id);

/** Fails a test after which a shared prototype is another. */
afterEach(() => expect(changesSince(before)).toEqual([]));

describe.each(RESERVED)('The id %s', (id) => {
	it.each([
		['Run › Get', { resource: 'run', operation: 'get', runId: byId(id) }],
		['Workflow › Get', { resource: 'workflow', operation: 'get', workflowId: byId(id) }],
		['Workflow › Delete', { resource: 'workflow', operation: 'delete', workflowId: byId(id) }],
		[
			'Workflow › Run with Wait for Completion',
			{ resource: 'workflow', operation: 'run', workflowId: byId('wf_1'), waitForCompletion: true },
		],
	])('is an id like any other in %s', async (_, parameters) => {
		const { state, answer } = workspace();
		state.runs = [{ id, status: 'completed', created_at: at(1) }];
		const target = await bench.target(answer);
		const items = await target.items({ ...parameters, options: { maxWait: 1 } });
		expect(idsOf(items)).toEqual([id]);
	});

	it.each([
		['Run › Get Many', { resource: 'run', operation: 'getAll', workflowId: byId(id) }],
		['Result › Get Many', { resource: 'result', operation: 'getAll', runId: byId(id) }],
	])('names what %s reads', async (_, parameters) => {
		const target = await bench.target(list([{ id }, { id: 'other' }]));
		expect(idsOf(await target.items({ ...parameters, returnAll: true }))).toEqual([id, 'other']);
	});

	it('may be the name of a field of a resource and of a field to output', async () => {
		const resource = JSON.parse(`{"id":"run_1",${JSON.stringify(id)}:{"polluted":true}}`) as object;
		const target = await bench.target(one(resource));
		const parameters = { resource: 'run', operation: 'get', runId: byId('run_1') };
		const [item] = await target.items({ ...parameters, options: { outputFields: `id, ${id}` } });
		expect(item.json.id).toBe('run_1');
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	it('may be a status of a run', async () => {
		const { state, answer } = workspace();
		state.runs = [{ id: 'run_1', status: id, created_at: at(1) }];
		const target = await bench.target(answer);
		const wait = { waitForCompletion: true, options: { finishedStatuses: id, maxWait: 1 } };
		const parameters = { resource: 'run', operation: 'get', runId: byId('run_1'), ...wait };
		expect(await target.items(parameters)).toMatchObject([{ json: { id: 'run_1', status: id } }]);
	});

	it('may be a cursor', async () => {
		const target = await bench.target((socket, request) =>
			(request.query.get('cursor') === id ? list([{ id: 'b' }]) : list([{ id: 'a' }], id))(socket, request),
		);
		const parameters = { resource: 'workflow', operation: 'getAll', returnAll: true };
		expect(idsOf(await target.items(parameters))).toEqual(['a', 'b']);
	});
});

it('lists entries with such ids in the pickers and in the fields of Create', async () => {
	const { state, answer } = workspace();
	state.runs = runs('queued');
	const target = await bench.target(answer);
	const values = ({ results }: { results: Array<{ value: string }> }) => results.map(({ value }) => value);
	type Found = { results: Array<{ value: string }> };
	expect(values(await target.ask<Found>('listSearch', 'searchWorkflows'))).toEqual(ordinary);
	expect(values(await target.ask<Found>('listSearch', 'searchRuns')).sort()).toEqual([...ordinary].sort());
	const options = await target.ask<Array<{ value: string }>>('loadOptions', 'getWorkflows');
	expect(options.map(({ value }) => value)).toEqual(ordinary);
	await target.ask('resourceMapping', 'getWorkflowFields');
});

describe.each(['newRun', 'runStatusChanged', 'newResult'])('The trigger with the event %s', (event) => {
	it.each(['all', 'one'])('emits each of such ids once, over restarts: Watch is %s', async (watch) => {
		const { state, answer } = workspace();
		const target = await bench.target(answer);
		const parameters = { event, watch, workflowId: byId(ordinary[0]) };
		const first = target.trigger(parameters);
		await first.activate();

		state.runs = runs('running');
		if (event === 'newResult') state.results = [{ id: '__proto__', created_at: at(200) }];
		const emitted = await first.tick();
		const expected = event === 'newResult' ? ordinary.map(() => '__proto__') : ordinary;
		expect(idsOf(emitted).sort()).toEqual([...expected].sort());
		expect(await first.tick()).toEqual([]);
		first.deactivate();

		// As after a restart of n8n: all that is left is what the database holds.
		const second = target.trigger(parameters, first.staticData);
		expect(await second.activate()).toEqual([]);
		state.runs = runs('completed');
		const changed = idsOf(await second.tick()).sort();
		expect(changed).toEqual(event === 'runStatusChanged' ? [...ordinary].sort() : []);
	});

	it('works when every Prospector workflow has such an id', async () => {
		const { state, answer } = workspace();
		state.workflows = RESERVED.map((id, index) => ({ id, created_at: at(index) }));
		const ofWorkflow: Record<string, object[]> = Object.create(null) as Record<string, object[]>;
		const target = await bench.target((socket, request) => {
			const [, , , id, below] = request.path.split('/').map(decodeURIComponent);
			if (below !== 'runs') return answer(socket, request);
			return list(ofWorkflow[id] ?? [])(socket, request);
		});
		state.results = [{ id: 'result_1', created_at: at(200) }];
		const trigger = target.trigger({ event, watch: 'all' });
		await trigger.activate();
		for (const id of RESERVED) {
			const run = { id: `run of ${id}`, status: 'running', created_at: at(100) };
			ofWorkflow[id] = [run];
			state.runs.push(run);
		}
		expect(await trigger.tick()).toHaveLength(RESERVED.length);
		expect(await trigger.tick()).toEqual([]);
	});
});
