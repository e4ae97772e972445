import { getPage, renderPagination } from './pagination';
import type { Collection, ListItem } from './pagination';
import type { KeyRecord, Scope } from './apiKeyStore';
import { configResource, meResource, resultResource, runResource, workflowResource } from './resources';
import type { Fields } from './settings';
import type { OperationName } from './types';
import type { ServiceState } from './serviceState';

/** A request that passed authentication, the rate limit and authorization. */
export interface AuthorizedRequest {
	key: KeyRecord;
	params: Record<string, string>;
	query: Record<string, unknown>;
	/** Empty unless the operation has a body. */
	body: Fields;
	idempotencyKey: string | null;
}

/** The envelope without its request_id (contract 2.1). */
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
	/** Denied to read-only memberships (contract 5.3, rule 3). */
	write?: true;
	/** Requires a JSON object body. */
	body?: true;
	/** Accepts an Idempotency-Key (contract 4). */
	idempotent?: true;
	perform(state: ServiceState, request: AuthorizedRequest): Payload;
}

const WORKFLOW = '/prospector/workflows/:workflow_id';
const RUN = '/prospector/runs/:run_id';
const read = { method: 'GET', scope: 'prospector.read' } as const;
const write = { scope: 'prospector.run', write: true } as const;

/** The table of contract 4 and the identity check of 5.1. */
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
		perform: (state, request) =>
			list(state, request, 'workflows', state.store.workflows, (item) =>
				workflowResource(item, state.settings),
			),
	},
	{
		...write,
		name: 'createWorkflow',
		method: 'POST',
		path: '/prospector/workflows',
		body: true,
		idempotent: true,
		perform: ({ settings, store }, request) => ({
			data: workflowResource(store.createWorkflow(request.body, 'request'), settings),
		}),
	},
	{
		...read,
		name: 'getWorkflow',
		path: WORKFLOW,
		perform: ({ settings, store }, request) => ({
			data: workflowResource(store.workflow(request.params.workflow_id), settings),
		}),
	},
	{
		...write,
		name: 'updateWorkflow',
		method: 'PATCH',
		path: WORKFLOW,
		body: true,
		perform: ({ settings, store }, request) => ({
			data: workflowResource(store.updateWorkflow(request.params.workflow_id, request.body), settings),
		}),
	},
	{
		...write,
		name: 'deleteWorkflow',
		method: 'DELETE',
		path: WORKFLOW,
		perform: ({ settings, store }, request) => ({
			data: workflowResource(store.deleteWorkflow(request.params.workflow_id), settings),
		}),
	},
	{
		...write,
		name: 'runWorkflow',
		method: 'POST',
		path: `${WORKFLOW}/run`,
		idempotent: true,
		perform: ({ settings, store, clock }, request) => {
			const start = { origin: 'request', idempotencyKey: request.idempotencyKey } as const;
			return { data: runResource(store.startRun(request.params.workflow_id, start), settings, clock()) };
		},
	},
	{
		...read,
		name: 'listRuns',
		path: `${WORKFLOW}/runs`,
		perform: (state, request) => {
			const { id } = state.store.workflow(request.params.workflow_id);
			const now = state.clock();
			return list(state, request, `runs:${id}`, state.store.runsOf(id), (run) =>
				runResource(run, state.settings, now),
			);
		},
	},
	{
		...read,
		name: 'getRun',
		path: RUN,
		perform: ({ settings, store, clock }, request) => ({
			data: runResource(store.run(request.params.run_id), settings, clock()),
		}),
	},
	{
		...read,
		name: 'listResults',
		path: `${RUN}/results`,
		perform: (state, request) => {
			const run = state.store.run(request.params.run_id);
			return list(state, request, `results:${run.id}`, run.results, (result) =>
				resultResource(result, state.settings),
			);
		},
	},
	{
		name: 'getMe',
		method: 'GET',
		path: '/me',
		scope: 'me.read',
		perform: ({ settings }, request) => ({ data: meResource(request.key, settings) }),
	},
];

function list<T extends ListItem>(
	state: ServiceState,
	request: AuthorizedRequest,
	name: string,
	items: Collection<T>,
	resource: (item: T) => Fields,
): Payload {
	const now = state.clock();
	const page = getPage(
		items,
		(item) => item.createdAt <= now,
		{ list: name, query: request.query },
		state.settings,
	);
	return {
		data: page.items.map(resource),
		pagination: renderPagination(page.nextCursor, state.settings),
	};
}
