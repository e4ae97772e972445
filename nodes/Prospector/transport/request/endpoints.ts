/** Every path of the service sits under this prefix (contract, section 9). */
export const API_PREFIX = '/api/public/v1';

export interface Endpoint {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path below {@link API_PREFIX}; `{workflow_id}` and `{run_id}` stand for encoded ids. */
	path: string;
	/** The scope that an API key needs for it (contract, section 4). */
	scope: string;
	/** Whether `data` is one resource or a page of them (contract, section 2.1). */
	reply: 'one' | 'list';
	/** Whether the contract lists an Idempotency-Key header for it (contract, section 4). */
	takesIdempotencyKey: boolean;
	/** Completes the sentence "This API key may not …". */
	purpose: string;
}

const endpoint = (
	method: Endpoint['method'],
	path: string,
	scope: string,
	reply: Endpoint['reply'],
	purpose: string,
	takesIdempotencyKey = false,
): Endpoint => ({ method, path, scope, reply, takesIdempotencyKey, purpose });

/** The contract's table of operations (section 4) and the identity check (section 5.1) as data. */
export const endpoints = {
	getIdentity: endpoint('GET', '/me', 'me.read', 'one', 'read its own identity'),
	getConfig: endpoint(
		'GET',
		'/prospector/config',
		'prospector.read',
		'one',
		'read the prospector configuration',
	),
	listWorkflows: endpoint(
		'GET',
		'/prospector/workflows',
		'prospector.read',
		'list',
		'list Prospector workflows',
	),
	createWorkflow: endpoint(
		'POST',
		'/prospector/workflows',
		'prospector.run',
		'one',
		'create Prospector workflows',
		true,
	),
	getWorkflow: endpoint(
		'GET',
		'/prospector/workflows/{workflow_id}',
		'prospector.read',
		'one',
		'read Prospector workflows',
	),
	updateWorkflow: endpoint(
		'PATCH',
		'/prospector/workflows/{workflow_id}',
		'prospector.run',
		'one',
		'change Prospector workflows',
	),
	deleteWorkflow: endpoint(
		'DELETE',
		'/prospector/workflows/{workflow_id}',
		'prospector.run',
		'one',
		'delete Prospector workflows',
	),
	runWorkflow: endpoint(
		'POST',
		'/prospector/workflows/{workflow_id}/run',
		'prospector.run',
		'one',
		'start runs',
		true,
	),
	listRuns: endpoint(
		'GET',
		'/prospector/workflows/{workflow_id}/runs',
		'prospector.read',
		'list',
		'list the runs of a Prospector workflow',
	),
	getRun: endpoint('GET', '/prospector/runs/{run_id}', 'prospector.read', 'one', 'read runs'),
	listResults: endpoint(
		'GET',
		'/prospector/runs/{run_id}/results',
		'prospector.read',
		'list',
		'list the results of a run',
	),
} as const satisfies Record<string, Endpoint>;
