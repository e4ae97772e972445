import { jsonOf } from '../n8n/executions';
import { clicked } from '../n8n/workflows';
import { PATIENT, startE2e, type E2e } from '../bench';

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e();
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => e2e.forget());

test('identity', async () => {
	const ended = await e2e.workflows.execute(
		clicked(e2e.prospector('Who', { resource: 'identity', operation: 'get' })),
	);
	expect(ended.status).toBe('success');
	expect(jsonOf(ended, 'Who')).toMatchObject([{ request_id: expect.any(String) }]);
});
