import type { IExecuteFunctions } from 'n8n-workflow';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { n8nClient } from '../../../../nodes/Prospector/transport/request/n8nClient';
import { fakeDependencies } from '../../helpers/fakeClock';
import { CONNECTION, CREDENTIAL_DATA, itemResponse, NODE } from '../../helpers/support';

test.each([
	['its reference', { prospectorApi: { id: 'c1', name: 'Mine' } }, { id: 'c1', name: 'Mine' }],
	['an empty reference', { other: { id: 'c2', name: 'Other' } }, { id: '', name: '' }],
	['an empty reference', undefined, { id: '', name: '' }],
])(
	'the client gives n8n a copy of the credential with %s, and its signal, when the node has %j',
	async (_, credentials, reference) => {
		const calls: Array<[context: IExecuteFunctions, type: string, options: object, rest: object]> = [];
		const context = {
			getNode: () => ({ ...NODE, credentials }),
			getExecutionCancelSignal: () => undefined,
			continueOnFail: () => true,
			helpers: {
				async httpRequestWithAuthentication(
					this: IExecuteFunctions,
					...args: [type: string, options: object, rest: object]
				) {
					calls.push([this, ...args]);
					return await Promise.resolve(itemResponse({ id: 'me' }));
				},
			},
		} as unknown as IExecuteFunctions;
		const settings = { timeoutMs: 7000, retryForMs: 0, connection: CONNECTION, dependencies: fakeDependencies() };
		const client = n8nClient(context, CREDENTIAL_DATA, settings);
		expect(await client.request({ endpoint: endpoints.getIdentity })).toMatchObject({ data: [{ id: 'me' }] });
		const [[usedContext, type, options, rest]] = calls;
		expect([usedContext.continueOnFail(), type]).toEqual([true, 'prospectorApi']);
		expect(usedContext.getExecutionCancelSignal()).toBeInstanceOf(AbortSignal);
		expect(options).toMatchObject({ timeout: 7000, encoding: 'stream' });
		const data = expect.objectContaining(CREDENTIAL_DATA) as unknown;
		expect(rest).toEqual({ credentialsDecrypted: { ...reference, type: 'prospectorApi', data } });
	},
);
