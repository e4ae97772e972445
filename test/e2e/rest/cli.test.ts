import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { PLACEHOLDERS, readExample } from '../../examples/examples';
import { PATIENT, startE2e, type E2e } from '../bench';

const FILE = 'run-and-collect.json';
const ID = 'runAndCollect001';

// Each command loads n8n anew.
jest.setTimeout(PATIENT);

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e({}, { resultsPerRun: 120 });
}, PATIENT);
afterAll(async () => await e2e.close());
beforeEach(() => e2e.forget());

const inFolder = (name: string) => join(e2e.n8n.folder, name);

/** Runs a command of n8n's, which must succeed. */
async function n8n(...args: string[]): Promise<string> {
	const { status, output } = await e2e.n8n.cli(...args);
	expect([status, status === 0 ? '' : output]).toEqual([0, '']);
	return output;
}

/** n8n's files hold lists. */
function write(name: string, content: object): string {
	writeFileSync(inFolder(name), JSON.stringify([content]));
	return `--input=${inFolder(name)}`;
}
const read = (name: string) => JSON.parse(readFileSync(inFolder(name), 'utf8')) as IDataObject[];

const credential = () => ({
	...PLACEHOLDERS.prospectorApi,
	type: 'prospectorApi',
	data: { apiKey: e2e.sandbox.keys.full, baseUrl: e2e.sandbox.baseUrl },
});

/** The execution that the command prints. */
const printed = (output: string) =>
	JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
		status: string;
		data: {
			resultData: { runData: Record<string, Array<{ data: { main: Array<Array<{ json: IDataObject }>> } }>> };
		};
	};

describe("n8n's command line", () => {
	it('imports credential and example and executes it: one run, all its results', async () => {
		expect(await n8n('import:credentials', write('credentials.json', credential()))).toContain(
			'Successfully imported 1 credential.',
		);
		// The file as it is, with the id to name it by.
		expect(
			await n8n('import:workflow', write('workflow.json', { ...readExample(FILE), id: ID, active: false })),
		).toContain('Successfully imported 1 workflow.');
		const execution = printed(await n8n('execute', `--id=${ID}`, '--rawOutput'));
		expect(execution.status).toBe('success');
		const { started, runs } = e2e.control.runs();
		expect(started).toBe(1);
		const { id } = runs.find(({ origin }) => origin === 'request')!;
		const [{ data }] = execution.data.resultData.runData['Collect the results'];
		const found = data.main[0].map(({ json }) => json);
		expect(new Set(found.map(({ lead_id }) => lead_id)).size).toBe(120);
		expect(e2e.requests('listResults').every(({ path }) => path.includes(id))).toBe(true);
		// Beside the n8n that runs: its list of executions shows this one.
		const listed = await e2e.executions.of(ID);
		expect(listed.map(({ mode, status }) => [mode, status])).toEqual([['cli', 'success']]);
	});

	it('starts another run when it is executed again, with a key of its own', async () => {
		await n8n('execute', `--id=${ID}`, '--rawOutput');
		expect(e2e.control.runs().started).toBe(2);
		const keys = e2e.control.runs().runs.map(({ idempotencyKey }) => idempotencyKey);
		expect(new Set(keys.filter(Boolean)).size).toBe(2);
	});

	it('says in words why an execution was refused, and fails', async () => {
		const revoked = { ...credential(), data: { ...credential().data, apiKey: e2e.sandbox.keys.revoked } };
		await n8n('import:credentials', write('revoked.json', revoked));
		const { status, output } = await e2e.n8n.cli('execute', `--id=${ID}`);
		const [{ requestId }] = e2e.control.journal();
		expect(output).toContain(`The API key was not accepted (request ${requestId})`);
		expect(output).toContain("Put a current key into 'API Key' of the credential, then retry.");
		expect(output).not.toContain(e2e.sandbox.keys.revoked);
		// As a rule 1, but on a busy machine n8n can crash while it exits.
		expect(status).not.toBe(0);
		expect(e2e.control.runs().started).toBe(2);
	});

	it('exports without the key in clear, and what it exported can be imported again', async () => {
		await n8n('import:credentials', write('credentials.json', credential()));
		await n8n('export:credentials', '--all', `--output=${inFolder('exported.json')}`);
		await n8n('export:workflow', `--id=${ID}`, `--output=${inFolder('exported-workflow.json')}`);
		const files = ['exported.json', 'exported-workflow.json'].map((name) =>
			readFileSync(inFolder(name), 'utf8'),
		);
		for (const text of files) expect(text).not.toContain(e2e.sandbox.keys.full);
		const exported = read('exported.json').find(({ id }) => id === PLACEHOLDERS.prospectorApi.id);
		expect(exported).toMatchObject({ type: 'prospectorApi', data: expect.any(String) });
		expect(read('exported-workflow.json')[0].nodes).toEqual(readExample(FILE).nodes);

		await n8n('import:credentials', `--input=${inFolder('exported.json')}`);
		await n8n('import:workflow', `--input=${inFolder('exported-workflow.json')}`);
		expect(printed(await n8n('execute', `--id=${ID}`, '--rawOutput')).status).toBe('success');
		expect(e2e.control.runs().started).toBe(3);
	});
});
