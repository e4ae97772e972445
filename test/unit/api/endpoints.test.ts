import { endpointPath, endpoints } from '../../../nodes/Prospector/api/endpoints';

/** Contract, section 4, and what a message says that the API key may not do. */
const ENDPOINTS = `GET /me (me.read): read its own identity
GET /prospector/config (prospector.read): read the prospecting settings
GET /prospector/workflows (prospector.read): list Prospector workflows
POST /prospector/workflows (prospector.run): create Prospector workflows
GET /prospector/workflows/w (prospector.read): read Prospector workflows
PATCH /prospector/workflows/w (prospector.run): update Prospector workflows
DELETE /prospector/workflows/w (prospector.run): delete Prospector workflows
POST /prospector/workflows/w/run (prospector.run): start runs
GET /prospector/workflows/w/runs (prospector.read): list the runs of a Prospector workflow
GET /prospector/runs/r (prospector.read): read runs
GET /prospector/runs/r/results (prospector.read): list the results of a run`.split('\n');

test('each endpoint has the method, the path and the scope of the contract, and a purpose', () => {
	const lines = Object.values(endpoints).map((endpoint) => {
		const { method, scope, purpose } = endpoint;
		const path = endpointPath(endpoint, { workflow_id: 'w', run_id: 'r' }).replace('/api/public/v1', '');
		return `${method} ${path} (${scope}): ${purpose}`;
	});
	expect(lines).toEqual(expect.arrayContaining(ENDPOINTS));
});

test('an ID stays one segment of the path, whatever it contains', () => {
	const path = endpointPath(endpoints.getRun, { run_id: '../a?b#c%2f ü' });
	expect(path).toBe('/api/public/v1/prospector/runs/..%2Fa%3Fb%23c%252f%20%C3%BC');
});
