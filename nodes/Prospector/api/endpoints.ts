// The endpoints of the service (contract, section 4). Everything that depends on an endpoint reads this table. Tests:
// test/workflow/operations.test.ts.

/** Every path of the service starts with this prefix (contract, section 9). */
export const API_PREFIX = '/api/public/v1';

export interface Endpoint {
	name: EndpointName;
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path below {@link API_PREFIX}, with `{workflow_id}` and `{run_id}` in place of IDs. */
	path: string;
	scope: 'me.read' | 'prospector.read' | 'prospector.run';
	/** Whether `data` is one resource or a page of them (contract, section 2.1). */
	returns: 'resource' | 'list';
	/** Where the contract describes the endpoint. */
	section: string;
	/** Completes "This API key is not allowed to …". */
	purpose: string;
	/** The kind of resource that a write makes. Only such a write takes an idempotency key (contract, section 4). */
	creates?: 'run' | 'workflow';
	/** What a person does after a change whose outcome is unknown; undefined for reads and creations. */
	check?: string;
}

type Row = Omit<Endpoint, 'name'>;

const read = (section: string, path: string, purpose: string): Row => ({
	...{ method: 'GET', scope: 'prospector.read', returns: 'resource' },
	...{ section, path, purpose },
});

const list = (...columns: Parameters<typeof read>): Row => ({ ...read(...columns), returns: 'list' });

const write = (method: Row['method'], ...columns: Parameters<typeof read>): Row => ({
	...read(...columns),
	...{ method, scope: 'prospector.run' },
});

const create = (creates: Row['creates'], ...columns: Parameters<typeof read>): Row => ({
	...write('POST', ...columns),
	creates,
});

const change = (method: Row['method'], check: string, ...columns: Parameters<typeof read>): Row => ({
	...write(method, ...columns),
	check,
});

const WORKFLOWS = '/prospector/workflows';
const WORKFLOW = `${WORKFLOWS}/{workflow_id}`;
const RUN = '/prospector/runs/{run_id}';

const CHECK_WORKFLOW = 'Get the Prospector workflow';

/** The columns are what only some rows have, the section of the contract, the path and the purpose. */
const rows = {
	getIdentity: { ...read('5.1, rule 3', '/me', 'read its own identity'), scope: 'me.read' },
	getConfig: read('4, operation 1', '/prospector/config', 'read the prospecting settings'),
	listWorkflows: list('4, operation 2', WORKFLOWS, 'list Prospector workflows'),
	createWorkflow: create('workflow', '4, operation 3', WORKFLOWS, 'create Prospector workflows'),
	getWorkflow: read('4, operation 4', WORKFLOW, 'read Prospector workflows'),
	updateWorkflow: change('PATCH', CHECK_WORKFLOW, '4, operation 5', WORKFLOW, 'update Prospector workflows'),
	deleteWorkflow: change('DELETE', CHECK_WORKFLOW, '4, operation 6', WORKFLOW, 'delete Prospector workflows'),
	runWorkflow: create('run', '4, operation 7', `${WORKFLOW}/run`, 'start runs'),
	listRuns: list('4, operation 8', `${WORKFLOW}/runs`, 'list the runs of a Prospector workflow'),
	getRun: read('4, operation 9', RUN, 'read runs'),
	listResults: list('4, operation 10', `${RUN}/results`, 'list the results of a run'),
} satisfies Record<string, Row>;

type EndpointName = keyof typeof rows;

export const endpoints = Object.fromEntries(
	Object.entries(rows).map(([name, row]) => [name, { ...row, name }]),
) as Record<EndpointName, Endpoint>;

/**
 * The endpoints that show whether an API key is of use: its identity, which a key may read only with the scope `me.read`,
 * and one that needs no more than `prospector.read`.
 */
export const CREDENTIAL_TEST_ENDPOINTS = [endpoints.getIdentity, endpoints.getConfig] as const;

/** The IDs in an endpoint's path (contract, section 4). */
export interface PathIds {
	workflow_id?: string;
	run_id?: string;
}

/** Returns the path of an endpoint from the host on. Each ID is encoded, so that it stays one path segment. */
export const endpointPath = ({ path }: Endpoint, ids: PathIds = {}): string =>
	API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name: keyof PathIds) => encodeURIComponent(ids[name] ?? ''));
