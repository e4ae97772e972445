import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { DEMO_FILE, PLACEHOLDERS, readExample } from '../../examples/examples';
import { startEnvironment, type Environment } from '../environment';

const ID = 'runAndCollect001';

describe("n8n's command line", () => {
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

	/** Runs a command of n8n and expects that it succeeds. */
	async function n8n(...args: string[]): Promise<string> {
		const { exitCode, output } = await e2e.n8n.cli(...args);
		expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
		return output;
	}

	async function importFile(kind: 'credentials' | 'workflow', content: object): Promise<void> {
		writeFileSync(join(folder, kind), JSON.stringify([content]));
		await n8n(`import:${kind}`, `--input=${join(folder, kind)}`);
	}

	it('the command "n8n execute" starts one run and outputs its 120 results when the n8n workflow was imported', async () => {
		const data = { apiKey: e2e.sandbox.keys.full, baseUrl: e2e.sandbox.baseUrl };
		await importFile('credentials', { ...PLACEHOLDERS.prospectorApi, type: 'prospectorApi', data });
		await importFile('workflow', { ...readExample(DEMO_FILE), id: ID, active: false });
		const output = await n8n('execute', `--id=${ID}`, '--rawOutput');
		const execution = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
			status: string;
			data: {
				resultData: {
					runData: Record<string, Array<{ data: { main: Array<Array<{ json: IDataObject }>> } }>>;
				};
			};
		};
		expect([execution.status, e2e.control.runs().started]).toEqual(['success', 1]);
		const [{ data: items }] = execution.data.resultData.runData['Run it and get its leads'];
		expect(new Set(items.main[0].map(({ json }) => json.lead_id)).size).toBe(120);
		// The n8n that is running at the same time lists the execution.
		const listed = await e2e.executions.of(ID);
		expect(listed.map(({ mode, status }) => [mode, status])).toEqual([['cli', 'success']]);
	});

	it('the output file of "n8n export:credentials" contains no API key', async () => {
		const file = join(folder, 'exported');
		await n8n('export:credentials', '--all', `--output=${file}`);
		const text = readFileSync(file, 'utf8');
		expect(text).toContain(PLACEHOLDERS.prospectorApi.id);
		expect(text).not.toContain(e2e.sandbox.keys.full);
	});
});
