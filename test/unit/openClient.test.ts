import type { IExecuteFunctions } from 'n8n-workflow';
import { endpoints } from '../../nodes/Prospector/api/endpoints';
import { Redactor } from '../../nodes/Prospector/messages/redact';
import { openClient } from '../../nodes/Prospector/openClient';
import { fakeDependencies } from './helpers/fakeClock';
import {
	CREDENTIAL_DATA,
	executeNode,
	httpResponse,
	itemResponse,
	listResponse,
	NODE,
} from './helpers/support';

test('the node logs a warning that starts with the name of the node when it retries a request', async () => {
	const warnings: string[] = [];
	await executeNode({
		operation: 'workflow.getAll',
		parameters: { options: { retryFor: 60 } },
		answers: [httpResponse(503, ''), listResponse([])],
		rest: { logger: { warn: (line: string) => void warnings.push(line) } },
	});
	expect(warnings).toEqual([expect.stringMatching(/^Prospector: .*503.*\. Trying again in \d+\.\d s$/)]);
});

test.each([
	['its ID and name', { prospectorApi: { id: 'c1', name: 'Mine' } }, { id: 'c1', name: 'Mine' }],
	['empty texts as ID and name', { other: { id: 'c2', name: 'Other' } }, { id: '', name: '' }],
	['an empty text as ID', { prospectorApi: { id: null, name: 'Mine' } }, { id: '', name: 'Mine' }],
	['empty texts as ID and name', undefined, { id: '', name: '' }],
])(
	"n8n's HTTP helper gets a copy of the credential with %s if the node has the credential references %j",
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
		const limits = { timeoutMs: 7000, retryForMs: 0 };
		const client = openClient(
			{ context, redactor: new Redactor() },
			CREDENTIAL_DATA,
			limits,
			fakeDependencies(),
		);
		expect(await client.request({ endpoint: endpoints.getIdentity })).toMatchObject({ data: [{ id: 'me' }] });
		const [[usedContext, type, options, rest]] = calls;
		expect([usedContext.continueOnFail(), type]).toEqual([true, 'prospectorApi']);
		expect(usedContext.getExecutionCancelSignal()).toBeInstanceOf(AbortSignal);
		expect(options).toMatchObject({ timeout: 7000, encoding: 'stream' });
		const data = expect.objectContaining(CREDENTIAL_DATA) as unknown;
		expect(rest).toEqual({ credentialsDecrypted: { ...reference, type: 'prospectorApi', data } });
	},
);
