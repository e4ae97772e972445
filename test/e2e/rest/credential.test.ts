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
	'It is mistyped, expired or revoked (also by rotating it). Paste a current one into \'API Key\', then test again. The service said: "Unauthorized".',
].join(' ');
const NOT_ALLOWED = [
	'The API key is valid, but not allowed to use Prospector (request REQUEST_ID).',
	"It needs the scopes 'prospector.read' and 'prospector.run'. Ask a workspace admin for such an API key.",
].join(' ');
const READ_ONLY = "Connected. This API key can't start runs or change Prospector workflows: it";

const ME = '/api/public/v1/me';
const SETTINGS = '/api/public/v1/prospector/config';

describe('Credential test', () => {
	/** Expects a result of a form's test, and that it sends only these requests. */
	async function expectResult(
		form: SavedCredential,
		keyName: string,
		expected: { status?: string; message: string; paths: string[] },
	) {
		e2e.clearRequests();
		const result = await test(form);
		const journal = e2e.control.journal();
		expect(journal).toEqual(
			expected.paths.map((path) =>
				expect.objectContaining({ method: 'GET', path, keyName, body: null, query: {} }),
			),
		);
		const message = expected.message.replace('REQUEST_ID', journal.at(-1)?.requestId as string);
		expect(result).toEqual({ status: expected.status ?? 'OK', message });
	}

	it.each<[keyof ReadyMadeKeys, string, Parameters<typeof expectResult>[2]]>([
		['full', 'full', { message: 'Connected', paths: [ME] }],
		[
			'readOnlyScope',
			'read_only_scope',
			{ message: `${READ_ONLY} lacks the scope 'prospector.run'`, paths: [ME] },
		],
		[
			'readOnlyMembership',
			'read_only_membership',
			{ message: `${READ_ONLY} belongs to a read-only member`, paths: [ME] },
		],
		['noMeRead', 'no_me_read', { message: 'Connected', paths: [ME, SETTINGS] }],
		['revoked', 'revoked', { status: 'Error', message: NOT_ACCEPTED, paths: [ME] }],
		['expired', 'expired', { status: 'Error', message: NOT_ACCEPTED, paths: [ME] }],
	])('reports the result for the API key %s, saved or edited', async (key, keyName, expected) => {
		const saved = await save(`Saved ${key}`, { apiKey: e2e.sandbox.keys[key] });
		const other = await save(`Edited to ${key}`, { apiKey: 'some-other-key' });
		const edited = { ...other, data: { apiKey: e2e.sandbox.keys[key], baseUrl: e2e.sandbox.baseUrl } };
		for (const form of [await open(saved), edited]) await expectResult(form, keyName, expected);
	});

	it.each([
		['that may read nothing', 'nothing_to_read', ['leads.write']],
		['without the scopes of Prospector', 'leads_only', ['me.read', 'leads.read']],
	])('rejects an API key %s', async (_, name, scopes) => {
		const { secret } = e2e.control.createKey({ name, scopes });
		const expected = { status: 'Error', message: NOT_ALLOWED, paths: [ME, SETTINGS] };
		await expectResult(await open(await save(name, { apiKey: secret })), name, expected);
	});

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
				"The service could not be reached. Nothing was sent (ECONNREFUSED). Check 'Base URL' and n8n's network, then test again.",
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
			message: `'Base URL' redirects to ${other.url}. The API key is not sent there. If you trust that address, enter it in 'Base URL'.`,
		});
		expect([host.received.length, other.received]).toEqual([1, []]);
	});

	it.each<[string, ICredentialDataDecryptedObject, string]>([
		[
			'plain http to another machine',
			{ baseUrl: 'http://app.example.com' },
			"'Base URL' starts with http://.",
		],
		['a blank API key', { apiKey: ' ' }, "'API Key' is empty."],
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
