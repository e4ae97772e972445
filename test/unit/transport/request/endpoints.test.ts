import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import { endpointPath } from '../../../../nodes/Prospector/transport/path';

const ids = { workflow_id: 'wf_1', run_id: 'run_1' };

describe('the path of an endpoint', () => {
	test.each([
		['getIdentity', 'GET', '/me'],
		['getConfig', 'GET', '/prospector/config'],
		['listWorkflows', 'GET', '/prospector/workflows'],
		['createWorkflow', 'POST', '/prospector/workflows'],
		['getWorkflow', 'GET', '/prospector/workflows/wf_1'],
		['updateWorkflow', 'PATCH', '/prospector/workflows/wf_1'],
		['deleteWorkflow', 'DELETE', '/prospector/workflows/wf_1'],
		['runWorkflow', 'POST', '/prospector/workflows/wf_1/run'],
		['listRuns', 'GET', '/prospector/workflows/wf_1/runs'],
		['getRun', 'GET', '/prospector/runs/run_1'],
		['listResults', 'GET', '/prospector/runs/run_1/results'],
	] as const)('of %s is %s %s as in the contract', (name, method, path) => {
		expect(endpoints[name].method).toBe(method);
		expect(endpointPath(endpoints[name], ids)).toBe(`/api/public/v1${path}`);
	});

	test.each([
		['a/b', 'a%2Fb'],
		['../runs', '..%2Fruns'],
		['a b', 'a%20b'],
		['a?b=c', 'a%3Fb%3Dc'],
		['a#b', 'a%23b'],
		['a%2Fb', 'a%252Fb'],
		['a\\b', 'a%5Cb'],
		['ä€😀', '%C3%A4%E2%82%AC%F0%9F%98%80'],
		['$&', '%24%26'],
		["$'", "%24'"],
		['{run_id}', '%7Brun_id%7D'],
	])('holds the id %s as %s', (id, encoded) => {
		expect(endpointPath(endpoints.getRun, { run_id: id })).toBe(`/api/public/v1/prospector/runs/${encoded}`);
	});

	test('has nothing where an id is left out', () => {
		expect(endpointPath(endpoints.getRun)).toBe('/api/public/v1/prospector/runs/');
	});
});

describe('the table of endpoints', () => {
	test('has the contract’s ten operations and the identity check', () => {
		expect(Object.keys(endpoints)).toHaveLength(11);
	});

	test('names the scope that writes need for every write and no other', () => {
		const { getIdentity, ...prospector } = endpoints;
		expect(getIdentity.scope).toBe('me.read');
		for (const { method, scope } of Object.values(prospector)) {
			expect(scope).toBe(method === 'GET' ? 'prospector.read' : 'prospector.run');
		}
	});

	test('lets Create and Run alone take an idempotency key', () => {
		const takers = Object.entries(endpoints).filter(([, { takesIdempotencyKey }]) => takesIdempotencyKey);
		expect(takers.map(([name]) => name)).toEqual(['createWorkflow', 'runWorkflow']);
	});

	test('expects lists from the three list operations alone', () => {
		const lists = Object.entries(endpoints).filter(([, { reply }]) => reply === 'list');
		expect(lists.map(([name]) => name)).toEqual(['listWorkflows', 'listRuns', 'listResults']);
	});
});
