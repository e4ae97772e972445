import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import { n8nClient } from '../../../../nodes/Prospector/transport/request/n8nClient';
import { systemClock } from '../../../../nodes/Prospector/transport/retry/clock';
import {
	CREDENTIAL_DATA,
	fakeExecution,
	httpResponse,
	NODE,
	itemResponse,
	expectError,
} from '../../helpers/support';

const ONCE = { timeout: 1, maxWait: 0 };
const ask = { endpoint: endpoints.getIdentity };

describe('a client in n8n', () => {
	test('sends through n8n’s helper with the credential that was read', async () => {
		const reference = { id: 'c1', name: 'Mine' };
		const node = { ...NODE, credentials: { prospectorApi: reference } };
		const { context, requests, credentialsUsed } = fakeExecution({
			answers: [itemResponse({ id: 'me' })],
			rest: { getNode: () => node },
		});
		const reply = await n8nClient(context, CREDENTIAL_DATA, { timeout: 7000, maxWait: 0 }).request(ask);
		expect(reply.data).toEqual([{ id: 'me' }]);
		expect(requests).toMatchObject([{ url: 'https://app.example.com/api/public/v1/me', timeout: 7000 }]);
		const credentialsDecrypted = { ...reference, type: 'prospectorApi', data: CREDENTIAL_DATA };
		expect(credentialsUsed).toEqual([['prospectorApi', { credentialsDecrypted }]]);
	});

	test('hands over a copy of the credential, which n8n changes', async () => {
		const { context, credentialsUsed } = fakeExecution({ answers: [itemResponse({})] });
		await n8nClient(context, CREDENTIAL_DATA, ONCE).request(ask);
		const [[, { credentialsDecrypted }]] = credentialsUsed as [[string, { credentialsDecrypted: never }]];
		expect(credentialsDecrypted).toEqual({ id: '', name: '', type: 'prospectorApi', data: CREDENTIAL_DATA });
		expect(credentialsDecrypted['data']).not.toBe(CREDENTIAL_DATA);
	});

	test('sends nothing where the credential cannot work', async () => {
		const { context, requests } = fakeExecution();
		const error = await expectError(() => n8nClient(context, { apiKey: 'a', baseUrl: 'nowhere' }, ONCE));
		expect(error.message).toBe("'Base URL' of the credential is not a web address");
		expect(requests).toEqual([]);
	});

	test('writes a line into the log before every further try', async () => {
		jest.spyOn(systemClock, 'sleep').mockResolvedValue(true);
		const { context, log } = fakeExecution({
			answers: [httpResponse(503, ''), httpResponse(503, ''), itemResponse({})],
		});
		await n8nClient(context, CREDENTIAL_DATA, { timeout: 1, maxWait: 60_000 }).request(ask);
		expect(log).toHaveLength(2);
		const line =
			/^Prospector: The service had trouble with the request: status 503\. Trying again in \d+\.\d s$/;
		for (const said of log) expect(said).toMatch(line);
		jest.restoreAllMocks();
	});
});
