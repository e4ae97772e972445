import type { Clock } from './clock';
import { ApiError } from './errors';
import { getPage, renderPagination } from './pagination';
import type { Collection, ListItem } from './pagination';
import type { KeyRecord, Scope } from './apiKeyStore';
import { configResource, meResource, resultResource, runResource, workflowResource } from './resources';
import type { Fields, SandboxSettings } from './settings';
import type { RunRecord, Store } from './store';
import { runProgress } from './runProgress';

/** A request that passed authentication, the rate limit and authorization. */
export interface AuthorizedRequest {
	key: KeyRecord;
	params: Record<string, string>;
	query: Record<string, unknown>;
	/** Empty unless the operation has a body. */
	body: Fields;
	idempotencyKey: string | null;
}

/** The part of the service's state that operations read and change. */
interface Workspace {
	settings: SandboxSettings;
	clock: Clock;
	store: Store;
	random: () => number;
}

/** The envelope without its request_id (contract, section 2.1). */
export interface Payload {
	data: unknown;
	pagination?: Fields;
}

interface OperationRow {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Route below /api/public/v1. */
	path: string;
	scope: Scope;
	/** Denied to read-only memberships (contract, section 5.3, rule 3). */
	write?: true;
	/** Requires a JSON object body. */
	body?: true;
	/** Accepts an Idempotency-Key (contract, section 4). */
	idempotent?: true;
	perform(state: Workspace, request: AuthorizedRequest): Payload;
}

const WORKFLOW = '/prospector/workflows/:workflow_id';
const RUN = '/prospector/runs/:run_id';
const read = { method: 'GET', scope: 'prospector.read' } as const;
const write = { scope: 'prospector.run', write: true } as const;

/** The table (contract, section 4) and the identity check (section 5.1), by the names that faults and the journal use. */
const OPERATION_ROWS = {
	getConfig: {
		...read,
		path: '/prospector/config',
		perform: ({ settings, store }) => ({ data: configResource(settings, store.configCreatedAt) }),
	},
	listWorkflows: {
		...read,
		path: '/prospector/workflows',
		perform: (state, request) =>
			list(
				state,
				request,
				'workflows',
				state.store.workflows,
				(item) => workflowResource(item, state.settings),
				({ id }) => !state.settings.hiddenWorkflows.includes(id),
			),
	},
	createWorkflow: {
		...write,
		method: 'POST',
		path: '/prospector/workflows',
		body: true,
		idempotent: true,
		perform: ({ settings, store }, { body }) => {
			checkFields(body, settings);
			return { data: workflowResource(store.createWorkflow(body, 'request'), settings) };
		},
	},
	getWorkflow: {
		...read,
		path: WORKFLOW,
		perform: ({ settings, store }, request) => ({
			data: workflowResource(store.workflow(request.params.workflow_id), settings),
		}),
	},
	updateWorkflow: {
		...write,
		method: 'PATCH',
		path: WORKFLOW,
		body: true,
		perform: ({ settings, store }, { body, params }) => {
			checkFields(body, settings);
			return { data: workflowResource(store.updateWorkflow(params.workflow_id, body), settings) };
		},
	},
	deleteWorkflow: {
		...write,
		method: 'DELETE',
		path: WORKFLOW,
		perform: ({ settings, store }, request) => ({
			data: workflowResource(store.deleteWorkflow(request.params.workflow_id), settings),
		}),
	},
	runWorkflow: {
		...write,
		method: 'POST',
		path: `${WORKFLOW}/run`,
		idempotent: true,
		perform: ({ settings, store, clock }, request) => {
			const start = { origin: 'request', idempotencyKey: request.idempotencyKey } as const;
			const started = store.startRun(request.params.workflow_id, start);
			const { runWorkflow: wrongId } = settings.wrongRuns;
			return { data: runResource(wrongId ? store.run(wrongId) : started, settings, clock()) };
		},
	},
	listRuns: {
		...read,
		path: `${WORKFLOW}/runs`,
		perform: (state, request) => {
			const id = request.params.workflow_id;
			if (state.settings.deletedRuns !== 'listed' || !state.store.deleted.has(id)) state.store.workflow(id);
			const now = state.clock();
			return list(
				state,
				request,
				`runs:${id}`,
				state.store.runsOf(id),
				(run) => runResource(run, state.settings, now),
				(run) => isRunVisible(run, state),
			);
		},
	},
	getRun: {
		...read,
		path: RUN,
		perform: (state, request) => {
			const { settings, clock } = state;
			const id = settings.wrongRuns.getRun ?? request.params.run_id;
			return { data: runResource(readableRun(id, state), settings, clock()) };
		},
	},
	listResults: {
		...read,
		path: `${RUN}/results`,
		perform: (state, request) => {
			const run = readableRun(request.params.run_id, state);
			const now = state.clock();
			const { noResultsYet } = state.settings;
			const isReadable = areResultsReadable(run, state);
			if (
				noResultsYet !== 'empty' &&
				!(isReadable && run.results.all().some(({ visibleAt }) => visibleAt <= now))
			) {
				throw new ApiError(Number(noResultsYet), 'there are no results yet');
			}
			const page = list(
				state,
				request,
				`results:${run.id}`,
				run.results,
				(result) => resultResource(result, state.settings),
				() => isReadable,
			);
			changeResults(state, run);
			return page;
		},
	},
	getMe: {
		method: 'GET',
		path: '/me',
		scope: 'me.read',
		perform: ({ settings }, request) => ({ data: meResource(request.key, settings) }),
	},
} satisfies Record<string, OperationRow>;

export type OperationName = keyof typeof OPERATION_ROWS;

export interface Operation extends OperationRow {
	name: OperationName;
}

export const OPERATIONS = Object.entries<OperationRow>(OPERATION_ROWS).map(
	([name, row]) => ({ ...row, name }) as Operation,
);

function list<T extends ListItem>(
	state: Workspace,
	request: AuthorizedRequest,
	name: string,
	items: Collection<T>,
	resource: (item: T) => Fields,
	isVisible: (item: T) => boolean = () => true,
): Payload {
	const page = getPage(items, isVisible, { list: name, query: request.query }, state);
	return { data: page.items.map(resource), pagination: renderPagination(page.nextCursor, state.settings) };
}

/** Adds results, or removes the first ones of the list, as `resultsChangePerPage` requires. */
function changeResults({ store, settings, random }: Workspace, run: RunRecord): void {
	const { resultsChangePerPage: change, listOrder } = settings;
	for (let count = 0; count < change; count++) store.addResult(run);
	if (change >= 0) return;
	for (const { id } of run.results.ordered(listOrder, random).slice(0, -change)) run.results.remove(id);
}

const isRunVisible = ({ createdAt, origin }: RunRecord, { settings, clock }: Workspace): boolean =>
	origin !== 'request' || clock() >= createdAt + settings.runVisibleAfterMs;

/** @throws ApiError 404 */
function readableRun(id: string, state: Workspace): RunRecord {
	const { store, settings } = state;
	const run = store.run(id);
	if (!isRunVisible(run, state)) throw new ApiError(404, 'the run is not visible yet');
	if (settings.deletedRuns === 'gone') store.workflow(run.workflowId);
	return run;
}

/** Returns whether requests can get the results of a run by now. */
function areResultsReadable({ plan, startedAt }: RunRecord, { settings, clock }: Workspace): boolean {
	const { resultsDelayMs, runStatuses } = settings;
	if (resultsDelayMs === 0) return true;
	const elapsedMs = clock() - startedAt;
	const { status, final, since } = runProgress(plan, elapsedMs);
	const unfinished: unknown[] = runStatuses.slice(0, -1);
	return final && !unfinished.includes(status) && elapsedMs - since >= resultsDelayMs;
}

/** @throws ApiError 400 */
function checkFields(body: Fields, { refusedFields }: SandboxSettings): void {
	const refused = refusedFields.find((name) => Object.hasOwn(body, name));
	if (refused !== undefined) throw new ApiError(400, `the field ${refused} is unknown`);
}
