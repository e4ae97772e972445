import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import { manualWorkflow } from '../n8n/workflows';

/** Version of the HTTP Request node → whether it sends the API key to the address that a redirect names. */
const SENDS_KEY: Array<[version: number, sendsKey: boolean]> = [
	[4.1, true],
	[4.3, true],
	// n8n 1.123 does not have this version.
	...(atLeast('2.0') ? [[4.4, false] as [number, boolean]] : []),
];

describe("n8n's HTTP Request node with the Prospector credential", () => {
	let e2e: Environment;
	let otherHost: Server;
	/** The Authorization headers that the other host has received. */
	const received: Array<string | undefined> = [];
	beforeAll(async () => {
		e2e = await startEnvironment();
		otherHost = createServer(({ headers }, response) => {
			received.push(headers.authorization);
			response.setHeader('content-type', 'application/json').end('{}');
		});
		await new Promise<void>((listening) => otherHost.listen(0, '127.0.0.1', listening));
	});
	afterAll(async () => {
		otherHost.close();
		await e2e.close();
	});
	beforeEach(() => e2e.clearRequests());

	/** Executes an HTTP Request node that is set up as docs/operations.md says. */
	async function request(parameters: IDataObject = {}, typeVersion = 4.2): Promise<Execution> {
		const all = {
			url: `${e2e.sandbox.baseUrl}/api/public/v1/me`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'prospectorApi',
			options: {},
			...parameters,
		};
		const extra = { typeVersion, credentials: e2e.full };
		return await e2e.workflows.execute(
			manualWorkflow(node('HTTP Request', 'n8n-nodes-base.httpRequest', all, extra)),
		);
	}

	test('the HTTP Request node sends the API key when it uses the Prospector credential', async () => {
		const ended = await request();
		expect(jsonOf(ended, 'HTTP Request')).toMatchObject([{ data: {}, request_id: expect.any(String) }]);
		expect(e2e.control.journal()).toMatchObject([{ operation: 'getMe', keyName: 'full', status: 200 }]);
	});

	test.each(SENDS_KEY)(
		'version %d of the HTTP Request node calls another host (API key sent: %s) only when it follows a redirect',
		async (version, sendsKey) => {
			const location = `http://127.0.0.1:${(otherHost.address() as AddressInfo).port}/away`;
			e2e.control.addFault({ kind: 'redirect', location, times: 0 });
			received.length = 0;
			const options = { redirect: { redirect: { followRedirects: false } } };
			expect(failureOf(await request({ options }, version))).toMatch(/^302/);
			expect(received).toEqual([]);
			expect((await request({}, version)).status).toBe('success');
			expect(received).toEqual([sendsKey ? `Bearer ${e2e.sandbox.keys.full}` : undefined]);
		},
	);
});
