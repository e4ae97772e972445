import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import type { ReadyMadeKeys } from '../../../sandbox/types';
import { startEnvironment, type Environment } from '../environment';
import { freePorts } from '../n8n/ports';
import { manualWorkflow } from '../n8n/workflows';
import { startOtherHost } from './otherHosts';

interface SavedCredential {
	id: string;
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

let e2e: Environment;
beforeAll(async () => {
	e2e = await startEnvironment();
});
afterAll(async () => await e2e.close());
beforeEach(() => e2e.clearRequests());

/** Saves a credential as its form does. */
async function save(name: string, data: ICredentialDataDecryptedObject = {}): Promise<SavedCredential> {
	const { baseUrl, keys } = e2e.sandbox;
	return await e2e.rest.post('/rest/credentials', {
		name,
		type: 'prospectorApi',
		data: { apiKey: keys.full, baseUrl, ...data },
	});
}

/** Opens a credential as its form does. */
const open = async ({ id }: SavedCredential) =>
	await e2e.rest.get<SavedCredential>(`/rest/credentials/${id}?includeData=true`);

/** Tests the values in the form. */
const test = async ({ id, name, type, data }: SavedCredential) =>
	await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
		credentials: { id, name, type, data },
	});

const saveAndTest = async (data: ICredentialDataDecryptedObject) =>
	await test(await open(await save('New', data)));

const OK = { status: 'OK', message: 'Connected' };
const NOT_ACCEPTED = [
	'The API key was not accepted (request REQUEST_ID).',
	'It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Paste a current key into \'API Key\', then test again. The service said: "Unauthorized".',
].join(' ');
const NO_ME_READ = [
	"The API key is good, but it lacks the scope 'me.read', so its identity cannot be read (request REQUEST_ID).",
	"Or the membership that issued it may not read it. Prospector operations may still work: they need 'prospector.read' and 'prospector.run'. You can save this credential as it is.",
].join(' ');

describe('Credential test', () => {
	const keyResults: Array<[keyof ReadyMadeKeys, string, string]> = [
		['full', 'full', 'Connected'],
		['readOnlyScope', 'read_only_scope', 'Connected'],
		['readOnlyMembership', 'read_only_membership', 'Connected'],
		['noMeRead', 'no_me_read', NO_ME_READ],
		['revoked', 'revoked', NOT_ACCEPTED],
		['expired', 'expired', NOT_ACCEPTED],
	];

	it.each(keyResults)(
		'reports the result for the API key %s, saved or edited',
		async (key, keyName, expected) => {
			const saved = await save(`Saved ${key}`, { apiKey: e2e.sandbox.keys[key] });
			const other = await save(`Edited to ${key}`, { apiKey: 'some-other-key' });
			const edited = { ...other, data: { apiKey: e2e.sandbox.keys[key], baseUrl: e2e.sandbox.baseUrl } };
			for (const form of [await open(saved), edited]) {
				e2e.clearRequests();
				const { status, message } = await test(form);
				const journal = e2e.control.journal();
				expect(journal).toEqual([
					expect.objectContaining({
						...{ method: 'GET', path: '/api/public/v1/me', keyName, body: null, query: {} },
					}),
				]);
				expect([status, message]).toEqual([
					expected === 'Connected' ? 'OK' : 'Error',
					expected.replace('REQUEST_ID', journal[0].requestId as string),
				]);
			}
		},
	);

	it('accepts a Base URL that ends with a slash or with the path of the API', async () => {
		for (const end of ['/', '/api/public/v1', '/api/public/v1/']) {
			expect(await saveAndTest({ baseUrl: e2e.sandbox.baseUrl + end })).toEqual(OK);
		}
	});

	it('says that nothing listens at the address', async () => {
		const [port] = await freePorts(1);
		expect(await saveAndTest({ baseUrl: `http://127.0.0.1:${port}` })).toEqual({
			status: 'Error',
			message:
				"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' of the credential and the network of this n8n, then test again.",
		});
	});

	it('does not follow a redirect, so the API key reaches no other host', async () => {
		const other = await startOtherHost();
		const host = await startOtherHost((_, response) =>
			response.writeHead(302, { location: `${other.url}/login?from=here` }).end(),
		);
		const result = await saveAndTest({ baseUrl: host.url });
		await Promise.all([host.close(), other.close()]);
		expect(result).toEqual({
			status: 'Error',
			message: `'Base URL' of the credential leads to a redirect to ${other.url}, which is not followed. Following it would hand the API key to another address. Put the final address into 'Base URL' if you trust it.`,
		});
		expect([host.received.length, other.received]).toEqual([1, []]);
	});

	it.each<[string, ICredentialDataDecryptedObject, string]>([
		[
			'plain http to another machine',
			{ baseUrl: 'http://app.example.com' },
			"'Base URL' of the credential uses http://, which would send the API key unencrypted.",
		],
		['a blank API key', { apiKey: ' ' }, "The credential has no 'API Key'."],
	])('rejects %s and sends nothing', async (_, data, message) => {
		const result = await saveAndTest(data);
		expect(result.status).toBe('Error');
		expect(result.message.slice(0, message.length)).toBe(message);
		expect(e2e.control.journal()).toEqual([]);
	});

	it('keeps the API key out of REST responses, executions, logs and files', async () => {
		const { full: secret } = e2e.sandbox.keys;
		const saved = await save('Secret');
		const opened = await open(saved);
		const failing = e2e.prospector(
			'Failing',
			{ resource: 'run', operation: 'get', runId: 'no_such_run' },
			{ credentials: { prospectorApi: { id: saved.id, name: 'Secret' } } },
		);
		const ended = await e2e.workflows.execute(manualWorkflow(failing));
		expect(ended.status).toBe('error');
		const responses = {
			opened,
			ended,
			renamed: await e2e.rest.patch(`/rest/credentials/${saved.id}`, { ...opened, name: 'Renamed' }),
			tested: await test(opened),
			credential: await e2e.rest.get(`/rest/credentials/${saved.id}`),
			credentials: await e2e.rest.get('/rest/credentials?includeScopes=true'),
			workflow: await e2e.workflows.get(ended.workflowId),
		};
		expect(responses.tested).toEqual(OK);
		for (const [name, response] of Object.entries(responses)) {
			expect([name, JSON.stringify(response).includes(secret)]).toEqual([name, false]);
		}
		expect(e2e.n8n.log()).toContain('Failing');
		const files = listFiles(e2e.n8n.folder);
		expect(files).toContainEqual(expect.stringMatching(/\.sqlite$/));
		expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
	});
});

/** Lists the files of n8n: its log, its database, its settings. */
const listFiles = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(path);
		return entry.isFile() ? [path] : [];
	});
