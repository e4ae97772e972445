import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { DEMO_FILE, PLACEHOLDERS, readExample } from '../../examples/examples';
import { startEnvironment, type Environment } from '../environment';

const ID = 'runAndCollect001';

let e2e: Environment;
let folder: string;
beforeAll(async () => {
	e2e = await startEnvironment({ settings: { resultsPerRun: 120 } });
	folder = mkdtempSync(join(tmpdir(), 'prospector-cli-'));
});
afterAll(async () => {
	await e2e.close();
	rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => e2e.clearRequests());

/** Runs a command of n8n and expects that it succeeds. */
async function n8n(...args: string[]): Promise<string> {
	const { exitCode, output } = await e2e.n8n.cli(...args);
	expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
	return output;
}

const path = (name: string) => join(folder, name);

async function importFile(kind: 'credentials' | 'workflow', content: object): Promise<string> {
	writeFileSync(path(kind), JSON.stringify([content]));
	return await n8n(`import:${kind}`, `--input=${path(kind)}`);
}

async function exportFile(kind: 'credentials' | 'workflow', what: string) {
	await n8n(`export:${kind}`, what, `--output=${path(kind)}`);
	const text = readFileSync(path(kind), 'utf8');
	expect(text).not.toContain(e2e.sandbox.keys.full);
	return JSON.parse(text) as IDataObject[];
}

const credential = () => ({
	...PLACEHOLDERS.prospectorApi,
	type: 'prospectorApi',
	data: { apiKey: e2e.sandbox.keys.full, baseUrl: e2e.sandbox.baseUrl },
});

/** Executes the n8n workflow and returns the execution that the command prints. */
async function execute() {
	const output = await n8n('execute', `--id=${ID}`, '--rawOutput');
	return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
		status: string;
		data: {
			resultData: { runData: Record<string, Array<{ data: { main: Array<Array<{ json: IDataObject }>> } }>> };
		};
	};
}

describe("n8n's command line", () => {
	it('imports a credential and an n8n workflow and executes it: one run with all its results', async () => {
		expect(await importFile('credentials', credential())).toContain('Successfully imported 1 credential.');
		expect(await importFile('workflow', { ...readExample(DEMO_FILE), id: ID, active: false })).toContain(
			'Successfully imported 1 workflow.',
		);
		const execution = await execute();
		expect(execution.status).toBe('success');
		const { started, runs } = e2e.control.runs();
		expect(started).toBe(1);
		const { id } = runs.find(({ origin }) => origin === 'request')!;
		const [{ data }] = execution.data.resultData.runData['Run it and get its leads'];
		expect(new Set(data.main[0].map(({ json }) => json.lead_id)).size).toBe(120);
		expect(e2e.requests('listResults').every((request) => request.path.includes(id))).toBe(true);
		// The n8n that is running at the same time lists the execution.
		const listed = await e2e.executions.of(ID);
		expect(listed.map(({ mode, status }) => [mode, status])).toEqual([['cli', 'success']]);
	});

	it('exports no API key, and a second execution after an import starts another run', async () => {
		const credentials = await exportFile('credentials', '--all');
		const exported = credentials.find(({ id }) => id === PLACEHOLDERS.prospectorApi.id)!;
		expect(exported).toMatchObject({ type: 'prospectorApi', data: expect.any(String) });
		const [workflow] = await exportFile('workflow', `--id=${ID}`);
		expect(workflow.nodes).toEqual(readExample(DEMO_FILE).nodes);

		await importFile('credentials', exported);
		await importFile('workflow', workflow);
		expect((await execute()).status).toBe('success');
		const keys = e2e.control.runs().runs.map(({ idempotencyKey }) => idempotencyKey);
		expect(new Set(keys.filter(Boolean)).size).toBe(2);
		expect(e2e.control.runs().started).toBe(2);
	});

	it('fails with a message that does not contain the key when the API key is revoked', async () => {
		e2e.control.revokeKey('full');
		const { exitCode, output } = await e2e.n8n.cli('execute', `--id=${ID}`);
		const [{ requestId }] = e2e.control.journal();
		expect(output).toContain(`The API key was not accepted (request ${requestId})`);
		expect(output).toContain("Paste a current one into 'API Key' of the credential, then try again.");
		expect(output).not.toContain(e2e.sandbox.keys.full);
		// Usually 1, but on a busy machine n8n can crash while it exits.
		expect(exitCode).not.toBe(0);
		expect(e2e.control.runs().started).toBe(2);
	});
});
