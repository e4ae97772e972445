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
		const { credentialsUsed } = await executeNode({
			operation: 'account.getIdentity',
			rest: { getNode: () => ({ ...NODE, credentials }) },
		});
		const credentialsDecrypted = { ...reference, type: 'prospectorApi', data: CREDENTIAL_DATA };
		expect(credentialsUsed).toEqual([['prospectorApi', { credentialsDecrypted }]]);
	},
);

test('two executions with the same API key share what they learn about its limit', async () => {
	const dependencies = fakeDependencies();
	const sentAtMs: number[] = [];
	for (const response of [httpResponse(429, '', { 'retry-after': '7' }), itemResponse({})]) {
		await executeNode({
			operation: 'workflow.get',
			parameters: { workflowId: 'wf_1', options: { retryFor: sentAtMs.length === 0 ? 0 : 60 } },
			answers: [() => (sentAtMs.push(dependencies.clock.now()), response)],
			dependencies,
		});
	}
	expect(sentAtMs).toEqual([0, 7000]);
});
