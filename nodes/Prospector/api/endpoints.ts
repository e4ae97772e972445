// The endpoints of the service (contract, section 4). Everything that depends on an endpoint reads this table. More
// tests: test/workflow/operations.test.ts, test/tools/everyOperation.test.ts.

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

const row = (section: string, path: string, purpose: string, rest: Partial<Row> = {}): Row => ({
	method: 'GET',
	scope: 'prospector.read',
	returns: 'resource',
	section,
	path,
	purpose,
	...rest,
});

const LIST: Partial<Row> = { returns: 'list' };
const WRITE: Partial<Row> = { method: 'POST', scope: 'prospector.run' };
const create = (creates: Row['creates']): Partial<Row> => ({ ...WRITE, creates });
const change = (method: Row['method'], check: string): Partial<Row> => ({ ...WRITE, method, check });

const WORKFLOWS = '/prospector/workflows';
const WORKFLOW = `${WORKFLOWS}/{workflow_id}`;
const RUN = '/prospector/runs/{run_id}';

const CHECK = 'Get the Prospector workflow';

/** The columns are the section of the contract, the path, the purpose, and what only some rows have. */
const rows = {
	getIdentity: row('5.1, rule 3', '/me', 'read its own identity', { scope: 'me.read' }),
	getConfig: row('4, operation 1', '/prospector/config', 'read the prospecting settings'),
	listWorkflows: row('4, operation 2', WORKFLOWS, 'list Prospector workflows', LIST),
	createWorkflow: row('4, operation 3', WORKFLOWS, 'create Prospector workflows', create('workflow')),
	getWorkflow: row('4, operation 4', WORKFLOW, 'read Prospector workflows'),
	updateWorkflow: row('4, operation 5', WORKFLOW, 'update Prospector workflows', change('PATCH', CHECK)),
	deleteWorkflow: row('4, operation 6', WORKFLOW, 'delete Prospector workflows', change('DELETE', CHECK)),
	runWorkflow: row('4, operation 7', `${WORKFLOW}/run`, 'start runs', create('run')),
	listRuns: row('4, operation 8', `${WORKFLOW}/runs`, 'list the runs of a Prospector workflow', LIST),
	getRun: row('4, operation 9', RUN, 'read runs'),
	listResults: row('4, operation 10', `${RUN}/results`, 'list the results of a run', LIST),
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
export type PathIds = Partial<Record<'workflow_id' | 'run_id', string>>;

/** Returns the path of an endpoint from the host on. Each ID is encoded, so that it stays one path segment. */
export const endpointPath = ({ path }: Endpoint, ids: PathIds = {}): string =>
	API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name: keyof PathIds) => encodeURIComponent(ids[name] ?? ''));
