import type { INodeCredentialTestResult } from 'n8n-workflow';
import { useEnvironment } from '../environment';
import { failureOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { manualWorkflow } from '../n8n/workflows';

/** n8n 1.123 has no such protection, so the request fails because nothing listens at the address. */
const MESSAGE = atLeast('2.0') ? "n8n blocked the request to 'Base URL'" : 'The service could not be reached';
const ADVICE = atLeast('2.0') ? 'to N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES' : '';
/** 100.64.0.1 is blocked by default in n8n 3 only. */
const HOST = atLeast('2.0') ? '100.64.0.1' : '127.0.0.2';

describe("n8n's protection of internal addresses (SSRF)", () => {
	const e2e = useEnvironment();

	test.each([
		['reach the service', '127.0.0.1', undefined],
		[`fail with "${MESSAGE}"`, HOST, MESSAGE],
	])('the node and the credential test %s when the address is %s', async (_, host, message) => {
		e2e.clearRequests();
		const data = {
			...{ apiKey: e2e.sandbox.keys.full, showAdvanced: true, allowHttp: true },
			baseUrl: e2e.sandbox.baseUrl.replace('127.0.0.1', host),
		};
		const credentials = await e2e.credential(host, data);
		const parameters = { resource: 'account', operation: 'getIdentity', options: { retryFor: 0 } };
		const execution = await e2e.workflows.execute(
			manualWorkflow(e2e.prospector('Node', parameters, { credentials })),
		);
		const test = await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
			credentials: { ...credentials.prospectorApi, type: 'prospectorApi', data },
		});
		expect(e2e.requests('getMe')).toHaveLength(message ? 0 : 2);
		if (!message) return expect([execution.status, test.status]).toEqual(['success', 'OK']);
		for (const shown of [failureOf(execution), test.message]) {
			expect(shown).toContain(message);
			expect(shown).toContain(ADVICE);
		}
	});
});
