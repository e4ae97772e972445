import type { IDataObject, INode } from 'n8n-workflow';
import type { ReadyMadeKeys } from '../../../sandbox/types';
import { node } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf } from '../n8n/executions';
import { clicked } from '../n8n/workflows';

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e();
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => e2e.forget());

/** An HTTP Request node with the credential that the Prospector node uses. */
async function request(parameters: IDataObject, credentials = e2e.full, extra: Partial<INode> = {}) {
	const call = node(
		'Call',
		'n8n-nodes-base.httpRequest',
		{
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'prospectorApi',
			options: {},
			...parameters,
		},
		{ typeVersion: 4.2, credentials, ...extra },
	);
	return await e2e.workflows.execute(clicked(call));
}

const url = (path: string) => `${e2e.sandbox.baseUrl}/api/public/v1${path}`;

describe('HTTP Request node with this credential', () => {
	it('sends the key, and gets what the service says', async () => {
		const ended = await request({ url: url('/prospector/config') });
		expect(ended.status).toBe('success');
		const journal = e2e.control.journal();
		expect(journal).toEqual([
			expect.objectContaining({ operation: 'getConfig', keyName: 'full', status: 200 }),
		]);
		expect(jsonOf(ended, 'Call')).toEqual([
			{
				data: expect.objectContaining({ object: 'prospector_config', timezone: 'Europe/Berlin' }),
				request_id: journal[0].requestId,
			},
		]);
	});

	it('starts a run with a header of its own beside the key', async () => {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const headers = { parameters: [{ name: 'Idempotency-Key', value: 'by hand' }] };
		const ended = await request({
			method: 'POST',
			url: url(`/prospector/workflows/${workflowId}/run`),
			sendHeaders: true,
			headerParameters: headers,
		});
		expect(ended.status).toBe('success');
		expect(e2e.control.runs().runs.at(-1)).toMatchObject({ workflowId, idempotencyKey: 'by hand' });
	});

	it.each<[keyof ReadyMadeKeys, string, string]>([
		['revoked', 'GET', '401'],
		['readOnlyScope', 'POST', '403'],
	])('shows that a call with the key %s was refused', async (key, method, httpCode) => {
		const ended = await request({ method, url: url('/prospector/workflows') }, await e2e.keyed(key));
		expect(ended.status).toBe('error');
		expect(ended.data?.resultData.error).toMatchObject({ httpCode });
		expect(e2e.control.journal().map(({ status }) => String(status))).toEqual([httpCode]);
		expect(JSON.stringify(ended)).not.toContain(e2e.sandbox.keys[key]);
	});
});
