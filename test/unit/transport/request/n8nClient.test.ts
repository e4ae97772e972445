import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { n8nClient } from '../../../../nodes/Prospector/transport/request/n8nClient';
import { fakeDependencies } from '../../helpers/fakeClock';
import { CONNECTION, CREDENTIAL_DATA, itemResponse, KEY, NODE } from '../../helpers/support';

const REFERENCE = { id: 'c1', name: 'Mine' };

/** A client in n8n, whose HTTP helper records how it was called. */
function n8nScenario(response: unknown, credentials?: object) {
	const calls: Array<{ context: IExecuteFunctions; type: string; options: unknown; rest: never }> = [];
	const context = {
		getNode: () => ({ ...NODE, ...(credentials && { credentials }) }),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => true,
		helpers: {
			async httpRequestWithAuthentication(
				this: IExecuteFunctions,
				type: string,
				options: unknown,
				rest: never,
			) {
				calls.push({ context: this, type, options, rest });
				return await Promise.resolve(response);
			},
		},
	} as unknown as IExecuteFunctions;
	const settings = { timeout: 7000, retryFor: 0, connection: CONNECTION, dependencies: fakeDependencies() };
	return { client: n8nClient(context, CREDENTIAL_DATA, settings), calls };
}

const getIdentity = { endpoint: endpoints.getIdentity };

describe('n8nClient', () => {
	test.each([
		['of the node', { prospectorApi: REFERENCE }, REFERENCE],
		['without a reference', undefined, { id: '', name: '' }],
		['of another type', { other: REFERENCE }, { id: '', name: '' }],
	])('sends with a copy of the credential %s', async (_, credentials, reference) => {
		const { client, calls } = n8nScenario(itemResponse({ id: 'me' }), credentials);
		expect(await client.request(getIdentity)).toEqual({ data: [{ id: 'me' }], requestId: 'req_1' });
		expect(calls).toMatchObject([
			{
				type: 'prospectorApi',
				options: { url: 'https://app.example.com/api/public/v1/me', timeout: 7000, encoding: 'stream' },
				rest: { credentialsDecrypted: { ...reference, type: 'prospectorApi', data: CREDENTIAL_DATA } },
			},
		]);
		const { credentialsDecrypted } = calls[0].rest as { credentialsDecrypted: { data: unknown } };
		expect(credentialsDecrypted.data).not.toBe(CREDENTIAL_DATA);
	});

	test('gives the helper a signal, and the context besides', async () => {
		const { client, calls } = n8nScenario(itemResponse({}));
		await client.request(getIdentity);
		const [{ context }] = calls;
		expect(context.getExecutionCancelSignal()).toBeInstanceOf(AbortSignal);
		expect(context.continueOnFail()).toBe(true);
	});

	test('returns data as the service sent it', async () => {
		const body = Readable.from([Buffer.from(JSON.stringify({ data: { a: KEY }, request_id: 'req_1' }))]);
		const { client } = n8nScenario({ statusCode: 200, headers: {}, body });
		expect((await client.request(getIdentity)).data).toEqual([{ a: KEY }]);
	});
});
