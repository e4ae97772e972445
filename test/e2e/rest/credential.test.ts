import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { startEnvironment, type Environment } from '../environment';
import { manualWorkflow } from '../n8n/workflows';

interface SavedCredential {
	id: string;
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** API keys, and the status and the message of their credential test. */
const KEYS = {
	full: ['OK', 'Connected'],
	read_only_scope: [
		'OK',
		"Connected. This API key can't start runs or change Prospector workflows: it lacks the scope 'prospector.run'",
	],
	revoked: ['Error', 'The API key was not accepted (request REQUEST_ID).'],
	leads_only: ['Error', 'The API key is valid, but not allowed to use Prospector (request REQUEST_ID).'],
} as const;
type KeyName = keyof typeof KEYS;

describe('Credential test', () => {
	let e2e: Environment;
	let secrets: Record<KeyName, string>;
	beforeAll(async () => {
		e2e = await startEnvironment();
		const { full, revoked, readOnlyScope } = e2e.sandbox.keys;
		const { secret } = e2e.control.createKey({ name: 'leads_only', scopes: ['me.read', 'leads.read'] });
		secrets = { full, revoked, read_only_scope: readOnlyScope, leads_only: secret };
	});
	afterAll(async () => await e2e.close());

	/** Saves a credential and opens it again, as its form does. */
	async function saveAndOpen(name: string, apiKey: string): Promise<SavedCredential> {
		const data = { apiKey, baseUrl: e2e.sandbox.baseUrl };
		const { id } = await e2e.rest.post<SavedCredential>('/rest/credentials', {
			...{ name, type: 'prospectorApi', data },
		});
		return await e2e.rest.get<SavedCredential>(`/rest/credentials/${id}?includeData=true`);
	}

	/** Tests the values in the form. */
	const test = async ({ id, name, type, data }: SavedCredential) =>
		await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
			credentials: { id, name, type, data },
		});

	it.each(Object.keys(KEYS) as KeyName[])(
		'the credential form shows the documented test message if the API key is "%s"',
		async (keyName) => {
			const saved = await saveAndOpen(`Saved ${keyName}`, secrets[keyName]);
			const other = await saveAndOpen(`Edited to ${keyName}`, 'some-other-key');
			const edited = { ...other, data: { ...saved.data, apiKey: secrets[keyName] } };
			for (const form of [saved, edited]) {
				e2e.clearRequests();
				const result = await test(form);
				const journal = e2e.control.journal();
				expect(journal.every((request) => request.keyName === keyName)).toBe(true);
				const [status, message] = KEYS[keyName];
				const expected = message.replace('REQUEST_ID', String(journal.at(-1)?.requestId));
				expect([result.status, result.message.slice(0, expected.length)]).toEqual([status, expected]);
			}
		},
	);

	it('the API key appears in no REST response, execution, log or file when a credential is saved and used', async () => {
		const { full: secret } = secrets;
		const opened = await saveAndOpen('Secret', secret);
		const failing = e2e.prospector(
			'Failing',
			{ resource: 'run', operation: 'get', runId: 'no_such_run' },
			{ credentials: { prospectorApi: { id: opened.id, name: 'Secret' } } },
		);
		const ended = await e2e.workflows.execute(manualWorkflow(failing));
		expect(ended.status).toBe('error');
		const responses = {
			opened,
			ended,
			renamed: await e2e.rest.patch(`/rest/credentials/${opened.id}`, { ...opened, name: 'Renamed' }),
			tested: await test(opened),
			credentials: await e2e.rest.get('/rest/credentials?includeScopes=true'),
			workflow: await e2e.workflows.get(ended.workflowId),
		};
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
