import type { IDataObject } from 'n8n-workflow';
import { node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { manualWorkflow } from '../n8n/workflows';
import { startOtherHost } from './otherHosts';

interface Redirect {
	version: number;
	follow: boolean;
	keySent?: boolean;
}

const REDIRECTS: Redirect[] = [
	...[4.1, 4.2, 4.3].flatMap((version) => [
		{ version, follow: true, keySent: true },
		{ version, follow: false },
	]),
	// n8n 1.123 does not have this version.
	...(atLeast('2.0')
		? [
				{ version: 4.4, follow: true, keySent: false },
				{ version: 4.4, follow: false },
			]
		: []),
];

describe("n8n's HTTP Request node with the Prospector credential", () => {
	let e2e: Environment;
	let elsewhere: Awaited<ReturnType<typeof startOtherHost>>;
	beforeAll(async () => {
		e2e = await startEnvironment();
		elsewhere = await startOtherHost((_, response) =>
			response.setHeader('content-type', 'application/json').end('{"reached":true}'),
		);
	});
	afterAll(async () => {
		await elsewhere.close();
		await e2e.close();
	});
	beforeEach(() => {
		e2e.clearRequests();
		elsewhere.received.length = 0;
	});

	/** Executes an HTTP Request node that is set up as docs/operations.md says. */
	async function request(
		path: string,
		parameters: IDataObject = {},
		{ version = 4.2, key = 'full' }: { version?: number; key?: 'full' | 'revoked' } = {},
	): Promise<Execution> {
		return await e2e.workflows.execute(
			manualWorkflow(
				node(
					'HTTP Request',
					'n8n-nodes-base.httpRequest',
					{
						url: `${e2e.sandbox.baseUrl}/api/public/v1/${path}`,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: 'prospectorApi',
						options: {},
						...parameters,
					},
					{ typeVersion: version, credentials: await e2e.credentialWithKey(key) },
				),
			),
		);
	}

	test('sends the API key with a read', async () => {
		const ended = await request('me');
		expect(jsonOf(ended, 'HTTP Request')).toMatchObject([{ data: {}, request_id: expect.any(String) }]);
		expect(e2e.control.journal()).toMatchObject([{ operation: 'getMe', keyName: 'full', status: 200 }]);
	});

	test('starts a run with an Idempotency-Key header', async () => {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const ended = await request(`prospector/workflows/${workflowId}/run`, {
			method: 'POST',
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'Idempotency-Key', value: 'own-key' }] },
		});
		expect(ended.status).toBe('success');
		expect(e2e.control.runs().runs.at(-1)).toMatchObject({ workflowId, idempotencyKey: 'own-key' });
	});

	test("fails with n8n's message when the API key is revoked", async () => {
		const ended = await request('me', {}, { key: 'revoked' });
		expect(failureOf(ended)).toBe('Authorization failed - please check your credentials\nUnauthorized');
		expect(e2e.control.journal()).toMatchObject([{ keyName: 'revoked', status: 401 }]);
	});

	test.each(REDIRECTS)(
		'version $version: a redirect to another address, when followed: $follow, gets the API key: $keySent',
		async ({ version, follow, keySent }) => {
			e2e.control.addFault({ kind: 'redirect', location: `${elsewhere.url}/away`, times: 0 });
			const options = follow ? {} : { redirect: { redirect: { followRedirects: false } } };
			const ended = await request('me', { options }, { version });
			expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual(
				follow ? [keySent ? `Bearer ${e2e.sandbox.keys.full}` : undefined] : [],
			);
			expect(failureOf(ended) ?? ended.status).toMatch(follow ? /^success$/ : /^302/);
		},
	);
});
