/** Every path of the service starts with this prefix (contract, section 9). */
export const API_PREFIX = '/api/public/v1';

interface EndpointProperties {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path below {@link API_PREFIX}, with `{workflow_id}` and `{run_id}` in place of IDs. */
	path: string;
	scope: 'me.read' | 'prospector.read' | 'prospector.run';
	/** Whether `data` is one resource or a page of them (contract, section 2.1). */
	returns: 'resource' | 'list';
	takesIdempotencyKey: boolean;
}

type EndpointRow = Pick<EndpointProperties, 'method' | 'path'> & Partial<EndpointProperties>;

/** The operations of the contract (section 4), and the identity of the API key (section 5.1). */
const endpointRows = {
	getIdentity: { method: 'GET', path: '/me', scope: 'me.read' },
	getConfig: { method: 'GET', path: '/prospector/config' },
	listWorkflows: { method: 'GET', path: '/prospector/workflows', returns: 'list' },
	createWorkflow: { method: 'POST', path: '/prospector/workflows', takesIdempotencyKey: true },
	getWorkflow: { method: 'GET', path: '/prospector/workflows/{workflow_id}' },
	updateWorkflow: { method: 'PATCH', path: '/prospector/workflows/{workflow_id}' },
	deleteWorkflow: { method: 'DELETE', path: '/prospector/workflows/{workflow_id}' },
	runWorkflow: { method: 'POST', path: '/prospector/workflows/{workflow_id}/run', takesIdempotencyKey: true },
	listRuns: { method: 'GET', path: '/prospector/workflows/{workflow_id}/runs', returns: 'list' },
	getRun: { method: 'GET', path: '/prospector/runs/{run_id}' },
	listResults: { method: 'GET', path: '/prospector/runs/{run_id}/results', returns: 'list' },
} satisfies Record<string, EndpointRow>;

export type EndpointName = keyof typeof endpointRows;

export interface Endpoint extends EndpointProperties {
	name: EndpointName;
}

export const endpoints = Object.fromEntries(
	Object.entries<EndpointRow>(endpointRows).map(([name, row]) => {
		const scope = row.method === 'GET' ? 'prospector.read' : 'prospector.run';
		return [name, { scope, returns: 'resource', takesIdempotencyKey: false, ...row, name }];
	}),
) as Record<EndpointName, Endpoint>;

/** The IDs in an endpoint's path (contract, section 4). */
export interface PathIds {
	workflow_id?: string;
	run_id?: string;
}

/** Returns the path of an endpoint from the host on. Each ID is encoded, so that it stays one path segment. */
export const endpointPath = ({ path }: Endpoint, ids: PathIds = {}): string =>
	API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name: keyof PathIds) => encodeURIComponent(ids[name] ?? ''));
