import { PATIENT, startE2e, type E2e } from '../bench';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { clicked } from '../n8n/workflows';

const PROTECTED = { N8N_SSRF_PROTECTION_ENABLED: 'true' };
const ALLOWED = { ...PROTECTED, N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' };
/** Where n8n has no such protection yet (1.123), its settings change nothing. */
const protects = atLeast('2.0');

const MESSAGE = "This n8n does not allow requests to the credential's 'Base URL'";
const ADVICE =
	"Its protection against requests to internal addresses is on. Check 'Base URL' of the credential, or ask whoever runs this n8n to allow the address.";

let e2e: E2e;

const who = async (): Promise<Execution> =>
	await e2e.workflows.execute(clicked(e2e.prospector('Who', { resource: 'identity', operation: 'get' })));

const testCredential = async () =>
	await e2e.rest.post<{ status: string; message: string }>('/rest/credentials/test', {
		credentials: {
			...e2e.full.prospectorApi,
			type: 'prospectorApi',
			data: { apiKey: e2e.sandbox.keys.full, baseUrl: e2e.sandbox.baseUrl },
		},
	});

async function itWorks(): Promise<void> {
	expect(jsonOf(await who(), 'Who')).toMatchObject([{ request_id: expect.any(String) }]);
	expect(await testCredential()).toEqual({ status: 'OK', message: 'Connected' });
	expect(e2e.requests('getMe')).toHaveLength(2);
}

// That it is off unless somebody turns it on, all other tests show.
describe("n8n's protection of internal addresses (SSRF)", () => {
	afterEach(async () => await e2e.close());

	test(
		protects ? 'on: node and credential test say why nothing was asked' : 'not there yet: nothing is blocked',
		async () => {
			e2e = await startE2e({ env: PROTECTED });
			if (!protects) return await itWorks();
			const ended = await who();
			expect(ended.status).toBe('error');
			expect(failureOf(ended)).toBe(`${MESSAGE}\n${ADVICE}`);
			expect(await testCredential()).toEqual({ status: 'Error', message: `${MESSAGE}. ${ADVICE}` });
			expect(e2e.control.journal()).toEqual([]);
		},
		PATIENT,
	);

	test(
		'on, with the address allowed: all works',
		async () => {
			e2e = await startE2e({ env: ALLOWED });
			await itWorks();
		},
		PATIENT,
	);
});
