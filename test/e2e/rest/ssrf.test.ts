import type { INodeCredentialTestResult } from 'n8n-workflow';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { manualWorkflow } from '../n8n/workflows';

const MESSAGE = "n8n blocked the request to 'Base URL'";
const ADVICE =
	"This n8n does not allow internal addresses. Ask your n8n admin to allow this address, or change 'Base URL'.";

/** n8n 1.123 has no such protection, so the request fails because nothing listens at the address. */
const isProtected = atLeast('2.0');
const NOT_REACHED = 'The service could not be reached';

describe("n8n's protection of internal addresses (SSRF)", () => {
	let e2e: Environment;
	beforeAll(async () => {
		e2e = await startEnvironment({
			ownN8n: { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' },
		});
	});
	afterAll(async () => await e2e.close());

	/** Reads the identity with a node, and tests the same credential. */
	async function use(baseUrl: string) {
		const data = { apiKey: e2e.sandbox.keys.full, baseUrl };
		const credentials = await e2e.credential(baseUrl, data);
		const parameters = { resource: 'account', operation: 'getIdentity', options: { retryFor: 0 } };
		const node = e2e.prospector('Node', parameters, { credentials });
		const execution = await e2e.workflows.execute(manualWorkflow(node));
		const test = await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
			credentials: { ...credentials.prospectorApi, type: 'prospectorApi', data },
		});
		return { execution, test };
	}

	test(`an address that is not allowed is ${isProtected ? 'blocked, with a message' : 'not blocked'}`, async () => {
		const { port } = new URL(e2e.sandbox.baseUrl);
		const { execution, test } = await use(`http://127.0.0.2:${port}`);
		if (isProtected) {
			expect(failureOf(execution)).toBe(`${MESSAGE}\n${ADVICE}`);
			expect(test).toEqual({ status: 'Error', message: `${MESSAGE}. ${ADVICE}` });
		} else {
			expect([failureOf(execution), test.message]).toEqual(
				Array(2).fill(expect.stringContaining(NOT_REACHED)),
			);
		}
		expect(e2e.control.journal()).toEqual([]);
	});

	test('the node and the credential test use an allowed address', async () => {
		const { execution, test } = await use(e2e.sandbox.baseUrl);
		expect(jsonOf(execution, 'Node')).toMatchObject([{ request_id: expect.any(String) }]);
		expect(test).toEqual({ status: 'OK', message: 'Connected' });
		expect(e2e.requests('getMe')).toHaveLength(2);
	});
});
