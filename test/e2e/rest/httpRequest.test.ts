import type { IDataObject } from 'n8n-workflow';
import { node } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { clicked } from '../n8n/workflows';
import { startOtherHost } from './otherHost';

/** From version 4.4 on, that node keeps the key from another address; n8n 1.123 has no such version. */
const VERSIONS = atLeast('2.0') ? [4.1, 4.2, 4.3, 4.4] : [4.1, 4.2, 4.3];
const NEWEST = VERSIONS[VERSIONS.length - 1];

let e2e: E2e;
let elsewhere: Awaited<ReturnType<typeof startOtherHost>>;

/** n8n's own HTTP Request node with the Prospector credential, in the way that the README tells. */
async function request(
	path: string,
	{ version = 4.2, key = 'full', ...more }: IDataObject & { version?: number; key?: 'full' | 'revoked' } = {},
): Promise<Execution> {
	return await e2e.workflows.execute(
		clicked(
			node(
				'HTTP Request',
				'n8n-nodes-base.httpRequest',
				{
					url: `${e2e.sandbox.baseUrl}/api/public/v1/${path}`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'prospectorApi',
					options: {},
					...more,
				},
				{ typeVersion: version, credentials: await e2e.keyed(key) },
			),
		),
	);
}

describe("n8n's HTTP Request node with the Prospector credential", () => {
	beforeAll(async () => {
		e2e = await startE2e();
		elsewhere = await startOtherHost((_, response) =>
			response.setHeader('content-type', 'application/json').end('{"reached":true}'),
		);
	}, PATIENT);
	afterAll(async () => {
		await elsewhere.close();
		await e2e.close();
	});
	beforeEach(() => {
		e2e.forget();
		elsewhere.received.length = 0;
	});

	test('reads the identity', async () => {
		const ended = await request('me');
		expect(jsonOf(ended, 'HTTP Request')).toMatchObject([{ data: {}, request_id: expect.any(String) }]);
		expect(e2e.control.journal()).toMatchObject([{ operation: 'getMe', keyName: 'full', status: 200 }]);
	});

	test('reads a list', async () => {
		const { workflows } = e2e.control.seed({ workflows: [{ name: 'By HTTP' }] });
		const [{ data }] = jsonOf(await request('prospector/workflows'), 'HTTP Request') as Array<{
			data: IDataObject[];
		}>;
		expect(data.map(({ id }) => id)).toContain(workflows[0]);
		expect(e2e.control.journal()).toMatchObject([
			{ operation: 'listWorkflows', keyName: 'full', status: 200 },
		]);
	});

	test('the key goes out as a bearer token', async () => {
		const ended = await request('', { url: elsewhere.url });
		expect(jsonOf(ended, 'HTTP Request')).toEqual([{ reached: true }]);
		expect(elsewhere.received).toMatchObject([
			{ headers: { authorization: `Bearer ${e2e.sandbox.keys.full}` } },
		]);
	});

	test('starts a run with an idempotency key by hand', async () => {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const ended = await request(`prospector/workflows/${workflowId}/run`, {
			method: 'POST',
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'Idempotency-Key', value: 'by hand' }] },
		});
		expect(ended.status).toBe('success');
		expect(e2e.control.runs().runs.at(-1)).toMatchObject({ workflowId, idempotencyKey: 'by hand' });
	});

	test("a refused call fails, with n8n's words for it", async () => {
		const ended = await request('me', { key: 'revoked' });
		expect(ended.status).toBe('error');
		expect(failureOf(ended)).toBe('Authorization failed - please check your credentials\nUnauthorized');
		expect(jsonOf(ended, 'HTTP Request')).toEqual([]);
		expect(e2e.control.journal()).toMatchObject([{ keyName: 'revoked', status: 401 }]);
	});

	describe('a redirect to another address', () => {
		const redirected = async (more: Parameters<typeof request>[1]) => {
			e2e.control.addFault({ kind: 'redirect', location: `${elsewhere.url}/away`, times: 0 });
			return await request('me', more);
		};
		const keysThere = () => elsewhere.received.map(({ headers }) => headers.authorization);

		test.each([4.1, 4.2, 4.3])('is followed with the key: version %s', async (version) => {
			expect((await redirected({ version })).status).toBe('success');
			expect(keysThere()).toEqual([`Bearer ${e2e.sandbox.keys.full}`]);
		});

		test.each(VERSIONS)('is not followed where that is turned off: version %s', async (version) => {
			const off = { redirect: { redirect: { followRedirects: false } } };
			const ended = await redirected({ version, options: off });
			expect(failureOf(ended)).toMatch(/^302/);
			expect(elsewhere.received).toEqual([]);
		});

		if (NEWEST === 4.4) {
			test('is followed without the key: version 4.4', async () => {
				expect((await redirected({ version: 4.4 })).status).toBe('success');
				expect(keysThere()).toEqual([undefined]);
			});
		} else {
			test('version 4.4, which follows it without the key, is not there yet', async () => {
				await expect(request('me', { version: 4.4 })).rejects.toThrow(/\/run: 500/);
			});
		}

		test('is not followed by the Prospector node', async () => {
			e2e.control.addFault({ kind: 'redirect', location: `${elsewhere.url}/away`, times: 0 });
			const ended = await e2e.workflows.execute(
				clicked(e2e.prospector('Prospector', { resource: 'identity', operation: 'get' })),
			);
			expect(failureOf(ended)).toMatch(/^'Base URL' of the credential leads to a redirect/);
			expect(elsewhere.received).toEqual([]);
		});
	});
});
