import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import type { ReadyMadeKeys } from '../../../sandbox/types';
import { PATIENT, startE2e, type E2e } from '../bench';
import { freePorts } from '../n8n/ports';
import { clicked } from '../n8n/workflows';
import { redirectTo, startOtherHost, webPage } from './otherHost';

interface SavedCredential {
	id: string;
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e({ env: { N8N_LOG_LEVEL: 'debug' } });
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => e2e.forget());

/** Saves a credential as its form does. */
async function save(name: string, data: ICredentialDataDecryptedObject = {}): Promise<SavedCredential> {
	const { baseUrl, keys } = e2e.sandbox;
	const filled = { apiKey: keys.full, baseUrl, ...data };
	return await e2e.rest.post('/rest/credentials', { name, type: 'prospectorApi', data: filled });
}

/** Opens a credential as its form does. */
const open = async ({ id }: SavedCredential) =>
	await e2e.rest.get<SavedCredential>(`/rest/credentials/${id}?includeData=true`);

/** What the form shows once it has tested what stands in it. */
const test = async ({ id, name, type, data }: SavedCredential) =>
	await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
		credentials: { id, name, type, data },
	});

/** Fills in the form, which saves and tests. */
async function tested(data: ICredentialDataDecryptedObject) {
	return await test(await open(await save('As filled in', data)));
}

const refusedKey = () =>
	`The API key was not accepted (request ${e2e.control.journal()[0]?.requestId}). It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Paste a current key into 'API Key'.`;
const connected = () => 'Connected';

describe('Credential test', () => {
	const ofKeys: Array<[keyof ReadyMadeKeys, string, string, () => string]> = [
		['full', 'full', 'OK', connected],
		['readOnlyScope', 'read_only_scope', 'OK', connected],
		['readOnlyMembership', 'read_only_membership', 'OK', connected],
		[
			'noMeRead',
			'no_me_read',
			'Error',
			() =>
				`The API key is good, but it lacks the scope 'me.read', so its identity cannot be read (request ${e2e.control.journal()[0]?.requestId}). Or the membership that issued it may not read it. Prospector operations may still work: they need 'prospector.read' and 'prospector.run'. You can save this credential as it is.`,
		],
		['revoked', 'revoked', 'Error', refusedKey],
		['expired', 'expired', 'Error', refusedKey],
	];

	it.each(ofKeys)('says of the key %s what is so, saved or not', async (key, keyName, status, message) => {
		const saved = await save(`Saved ${key}`, { apiKey: e2e.sandbox.keys[key] });
		const ofAnother = await save(`Edited to ${key}`, { apiKey: 'some-other-key' });
		const edited = { ...ofAnother, data: { apiKey: e2e.sandbox.keys[key], baseUrl: e2e.sandbox.baseUrl } };
		for (const form of [await open(saved), edited]) {
			e2e.forget();
			const result = await test(form);
			expect(result).toEqual({ status, message: message() });
			expect(e2e.control.journal()).toEqual([
				expect.objectContaining({ method: 'GET', path: '/api/public/v1/me', keyName, body: null, query: {} }),
			]);
		}
	});

	it('takes a Base URL with a slash or with the path of the API at its end', async () => {
		for (const end of ['/', '/api/public/v1', '/api/public/v1/']) {
			expect(await tested({ baseUrl: e2e.sandbox.baseUrl + end })).toEqual({
				status: 'OK',
				message: 'Connected',
			});
		}
	});

	it('says that the address is that of a web page', async () => {
		const site = await startOtherHost(webPage);
		const result = await tested({ baseUrl: site.url });
		await site.close();
		expect(result).toEqual({
			status: 'Error',
			message:
				"The address answered with a web page instead of Prospector data. Check that 'Base URL' of the credential is the address of the Prospector API and that no login page or proxy stands in front of it. Nothing was changed, so it is safe to retry.",
		});
		expect(site.received).toHaveLength(1);
	});

	it('says that nobody answers at the address', async () => {
		const [port] = await freePorts(1);
		expect(await tested({ baseUrl: `http://127.0.0.1:${port}` })).toEqual({
			status: 'Error',
			message:
				"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' of the credential and the network of this n8n, then retry.",
		});
	});

	it('follows no redirect, and keeps the key from where it leads', async () => {
		const elsewhere = await startOtherHost();
		const site = await startOtherHost(redirectTo(`${elsewhere.url}/login?from=here`));
		const result = await tested({ baseUrl: site.url });
		await Promise.all([site.close(), elsewhere.close()]);
		expect(result).toEqual({
			status: 'Error',
			message: `'Base URL' of the credential leads to a redirect to ${elsewhere.url}, which is not followed. Following it would hand the API key to another address. Put the final address into 'Base URL' if you trust it.`,
		});
		expect(site.received).toHaveLength(1);
		expect(elsewhere.received).toEqual([]);
	});

	it("says that the minute's requests are used up, and that the key is good", async () => {
		e2e.control.addFault({ kind: 'status', status: 429 });
		const result = await tested({});
		expect(result).toEqual({
			status: 'Error',
			message: `The API key's requests for this minute are used up (request ${e2e.control.journal()[0]?.requestId}). The key itself was accepted. Wait a minute and test again.`,
		});
	});

	it.each<[string, ICredentialDataDecryptedObject, string]>([
		[
			'plain http to another machine',
			{ baseUrl: 'http://app.example.com' },
			"'Base URL' of the credential uses http://, which would send the API key unencrypted.",
		],
		['a blank API key', { apiKey: ' ' }, "The credential has no 'API Key'."],
	])('refuses %s before anything is sent', async (_, data, message) => {
		const result = await tested(data);
		expect(result.status).toBe('Error');
		expect(result.message.slice(0, message.length)).toBe(message);
		expect(e2e.control.journal()).toEqual([]);
	});

	it('never lets the secret out: not by the REST API, in an execution, a log or a file', async () => {
		const { full: secret } = e2e.sandbox.keys;
		const saved = await save('Secret');
		const opened = await open(saved);
		const renamed = await e2e.rest.patch(`/rest/credentials/${saved.id}`, { ...opened, name: 'Secret too' });
		const refused = e2e.prospector(
			'Refused',
			{ resource: 'run', operation: 'get', runId: 'no_such_run' },
			{ credentials: { prospectorApi: { id: saved.id, name: 'Secret too' } } },
		);
		const ended = await e2e.workflows.execute(clicked(refused));
		expect(ended.status).toBe('error');
		const said = {
			opened,
			renamed,
			ended,
			tested: await test(opened),
			one: await e2e.rest.get(`/rest/credentials/${saved.id}`),
			all: await e2e.rest.get('/rest/credentials?includeScopes=true'),
			workflow: await e2e.workflows.get(ended.workflowId),
		};
		expect(said.tested).toEqual({ status: 'OK', message: 'Connected' });
		for (const [where, what] of Object.entries(said)) {
			expect([where, JSON.stringify(what).includes(secret)]).toEqual([where, false]);
		}
		// The log tells of this execution, so there was something to find.
		expect(e2e.n8n.log()).toContain('Refused');
		const files = filesIn(e2e.n8n.folder).map((file) => [file, readFileSync(file)] as const);
		expect(files.map(([file]) => file)).toContainEqual(expect.stringMatching(/\.sqlite$/));
		expect(files.filter(([, content]) => content.includes(secret)).map(([file]) => file)).toEqual([]);
	});
});

/** Files of n8n's own: its log, its database, its settings. */
function filesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
		return entry.isFile() ? [path] : [];
	});
}
