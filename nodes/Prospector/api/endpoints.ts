// The endpoints of the service (contract, section 4). Everything that depends on an endpoint reads this table. Tests:
// test/unit/transport/request/client.test.ts.

/** Every path of the service starts with this prefix (contract, section 9). */
export const API_PREFIX = '/api/public/v1';

interface EndpointProperties {
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
	/** The kind of resource that a write with an idempotency key makes; undefined for all other endpoints. */
	creates?: 'run' | 'workflow';
	/** What a person does after a change whose outcome is unknown; undefined for reads and creations. */
	check?: string;
	/** Whether the contract lists an idempotency key, as it does for everything that makes a resource. */
	takesIdempotencyKey: boolean;
}

/** A read; a write that makes a resource; or a write that changes one. */
type EndpointRow = Pick<EndpointProperties, 'path' | 'section' | 'purpose'> &
	(
		| ({ method: 'GET' } & Partial<Pick<EndpointProperties, 'scope' | 'returns'>>)
		| { method: 'POST'; creates: 'run' | 'workflow' }
		| { method: 'POST' | 'PATCH' | 'DELETE'; check: string }
	);

const WORKFLOWS = '/prospector/workflows';
const WORKFLOW = `${WORKFLOWS}/{workflow_id}`;
const RUN = '/prospector/runs/{run_id}';

/** The only table of the endpoints: the operations of the contract (section 4), and the identity of the API key. */
const endpointRows = {
	getIdentity: {
		method: 'GET',
		path: '/me',
		scope: 'me.read',
		section: 'section 5.1, rule 3',
		purpose: 'read its own identity',
	},
	getConfig: {
		method: 'GET',
		path: '/prospector/config',
		section: 'section 4, operation 1',
		purpose: 'read the prospecting settings',
	},
	listWorkflows: {
		method: 'GET',
		path: WORKFLOWS,
		returns: 'list',
		section: 'section 4, operation 2',
		purpose: 'list Prospector workflows',
	},
	createWorkflow: {
		method: 'POST',
		path: WORKFLOWS,
		creates: 'workflow',
		section: 'section 4, operation 3',
		purpose: 'create Prospector workflows',
	},
	getWorkflow: {
		method: 'GET',
		path: WORKFLOW,
		section: 'section 4, operation 4',
		purpose: 'read Prospector workflows',
	},
	updateWorkflow: {
		method: 'PATCH',
		path: WORKFLOW,
		section: 'section 4, operation 5',
		purpose: 'update Prospector workflows',
		check: 'Get the Prospector workflow',
	},
	deleteWorkflow: {
		method: 'DELETE',
		path: WORKFLOW,
		section: 'section 4, operation 6',
		purpose: 'delete Prospector workflows',
		check: 'Get the Prospector workflow',
	},
	runWorkflow: {
		method: 'POST',
		path: `${WORKFLOW}/run`,
		creates: 'run',
		section: 'section 4, operation 7',
		purpose: 'start runs',
	},
	listRuns: {
		method: 'GET',
		path: `${WORKFLOW}/runs`,
		returns: 'list',
		section: 'section 4, operation 8',
		purpose: 'list the runs of a Prospector workflow',
	},
	getRun: {
		method: 'GET',
		path: RUN,
		section: 'section 4, operation 9',
		purpose: 'read runs',
	},
	listResults: {
		method: 'GET',
		path: `${RUN}/results`,
		returns: 'list',
		section: 'section 4, operation 10',
		purpose: 'list the results of a run',
	},
} satisfies Record<string, EndpointRow>;

export type EndpointName = keyof typeof endpointRows;

export interface Endpoint extends EndpointProperties {
	name: EndpointName;
}

/** Complete: reads need the scope `prospector.read` and writes `prospector.run`, unless the row says otherwise. */
export const endpoints = Object.fromEntries(
	Object.entries<EndpointRow>(endpointRows).map(([name, row]) => {
		const scope = row.method === 'GET' ? 'prospector.read' : 'prospector.run';
		return [name, { scope, returns: 'resource', takesIdempotencyKey: 'creates' in row, ...row, name }];
	}),
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
