import { endpointPath, endpoints } from '../../../nodes/Prospector/api/endpoints';

/** The contract's section, the request, the scope, and what a message says that the API key may not do. */
const ENDPOINTS = `5.1, rule 3: GET /me (me.read): read its own identity
4, operation 1: GET /prospector/config (prospector.read): read the prospecting settings
4, operation 2: GET /prospector/workflows (prospector.read): list Prospector workflows
4, operation 3: POST /prospector/workflows (prospector.run): create Prospector workflows
4, operation 4: GET /prospector/workflows/w (prospector.read): read Prospector workflows
4, operation 5: PATCH /prospector/workflows/w (prospector.run): update Prospector workflows
4, operation 6: DELETE /prospector/workflows/w (prospector.run): delete Prospector workflows
4, operation 7: POST /prospector/workflows/w/run (prospector.run): start runs
4, operation 8: GET /prospector/workflows/w/runs (prospector.read): list the runs of a Prospector workflow
4, operation 9: GET /prospector/runs/r (prospector.read): read runs
4, operation 10: GET /prospector/runs/r/results (prospector.read): list the results of a run`.split('\n');

test('each endpoint has the section, the method, the path and the scope of the contract, and a purpose', () => {
	const lines = Object.values(endpoints).map((endpoint) => {
		const { section, method, scope, purpose } = endpoint;
		const path = endpointPath(endpoint, { workflow_id: 'w', run_id: 'r' }).replace('/api/public/v1', '');
		return `${section}: ${method} ${path} (${scope}): ${purpose}`;
	});
	expect(lines).toEqual(expect.arrayContaining(ENDPOINTS));
});

test('an ID stays one segment of the path, whatever it contains', () => {
	const path = endpointPath(endpoints.getRun, { run_id: '../a?b#c%2f ü' });
	expect(path).toBe('/api/public/v1/prospector/runs/..%2Fa%3Fb%23c%252f%20%C3%BC');
});
