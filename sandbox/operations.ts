import { pageOf, paginationOf } from './paging';
import type { Collection, Listed } from './paging';
import type { KeyRecord, Scope } from './keys';
import { configResource, meResource, resultResource, runResource, workflowResource } from './resources';
import type { Fields } from './settings';
import type { OperationName } from './types';
import type { ServiceState } from './world';

/** A request that passed authentication, limit and permission. */
export interface Call {
	key: KeyRecord;
	params: Record<string, string>;
	query: Record<string, unknown>;
	/** The JSON object body where the operation has one. */
	body: Fields;
	idempotencyKey: string | null;
}

/** What the envelope is made of (contract 2.1). */
export interface Payload {
	data: unknown;
	pagination?: Fields;
}

export interface Operation {
	name: OperationName;
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Route below /api/public/v1. */
	path: string;
	scope: Scope;
	/** Denied to a read-only membership (contract 5.3, rule 3). */
	write?: true;
	/** Takes a required JSON object body. */
	body?: true;
	/** Takes an Idempotency-Key (contract 4). */
	idempotent?: true;
	perform(world: ServiceState, call: Call): Payload;
}

const WORKFLOW = '/prospector/workflows/:workflow_id';
const RUN = '/prospector/runs/:run_id';
const read = { method: 'GET', scope: 'prospector.read' } as const;
const write = { scope: 'prospector.run', write: true } as const;

/** The table of contract 4, in its order, and the identity check of 5.1. */
export const OPERATIONS: readonly Operation[] = [
	{
		...read,
		name: 'getConfig',
		path: '/prospector/config',
		perform: ({ settings, store }) => ({ data: configResource(settings, store.configCreatedAt) }),
	},
	{
		...read,
		name: 'listWorkflows',
		path: '/prospector/workflows',
		perform: (world, call) =>
			list(world, call, 'workflows', world.store.workflows, (item) => workflowResource(item, world.settings)),
	},
	{
		...write,
		name: 'createWorkflow',
		method: 'POST',
		path: '/prospector/workflows',
		body: true,
		idempotent: true,
		perform: ({ settings, store }, call) => ({
			data: workflowResource(store.createWorkflow(call.body, 'request'), settings),
		}),
	},
	{
		...read,
		name: 'getWorkflow',
		path: WORKFLOW,
		perform: ({ settings, store }, call) => ({
			data: workflowResource(store.workflow(call.params.workflow_id), settings),
		}),
	},
	{
		...write,
		name: 'updateWorkflow',
		method: 'PATCH',
		path: WORKFLOW,
		body: true,
		perform: ({ settings, store }, call) => ({
			data: workflowResource(store.updateWorkflow(call.params.workflow_id, call.body), settings),
		}),
	},
	{
		...write,
		name: 'deleteWorkflow',
		method: 'DELETE',
		path: WORKFLOW,
		perform: ({ settings, store }, call) => ({
			data: workflowResource(store.deleteWorkflow(call.params.workflow_id), settings),
		}),
	},
	{
		...write,
		name: 'runWorkflow',
		method: 'POST',
		path: `${WORKFLOW}/run`,
		idempotent: true,
		perform: ({ settings, store, clock }, call) => {
			const start = { origin: 'request', idempotencyKey: call.idempotencyKey } as const;
			return { data: runResource(store.startRun(call.params.workflow_id, start), settings, clock()) };
		},
	},
	{
		...read,
		name: 'listRuns',
		path: `${WORKFLOW}/runs`,
		perform: (world, call) => {
			const { id } = world.store.workflow(call.params.workflow_id);
			const now = world.clock();
			return list(world, call, `runs:${id}`, world.store.runsOf(id), (run) =>
				runResource(run, world.settings, now),
			);
		},
	},
	{
		...read,
		name: 'getRun',
		path: RUN,
		perform: ({ settings, store, clock }, call) => ({
			data: runResource(store.run(call.params.run_id), settings, clock()),
		}),
	},
	{
		...read,
		name: 'listResults',
		path: `${RUN}/results`,
		perform: (world, call) => {
			const run = world.store.run(call.params.run_id);
			return list(world, call, `results:${run.id}`, run.results, (result) =>
				resultResource(result, world.settings),
			);
		},
	},
	{
		name: 'getMe',
		method: 'GET',
		path: '/me',
		scope: 'me.read',
		perform: ({ settings }, call) => ({ data: meResource(call.key, settings) }),
	},
];

function list<T extends Listed>(
	world: ServiceState,
	call: Call,
	name: string,
	items: Collection<T>,
	resource: (item: T) => Fields,
): Payload {
	const now = world.clock();
	const page = pageOf(
		items,
		(item) => item.createdAt <= now,
		{ list: name, query: call.query },
		world.settings,
	);
	return {
		data: page.items.map(resource),
		pagination: paginationOf(page.nextCursor, world.settings),
	};
}
