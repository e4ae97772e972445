import { isDeepStrictEqual } from 'node:util';
import { startEnvironment, type Environment } from '../environment';
import { eventually } from '../n8n/rest';
import { atLeast } from '../n8n/target';
import type { Saved } from '../n8n/workflows';
import {
	activateTrigger,
	createDataTable,
	importTemplate,
	seedLeads,
	type DataTable,
} from './importTemplate';

const MANY = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`many_${n}`, `Company ${n}`]));

describe('The template leads-to-data-table', () => {
	let e2e: Environment;
	let saved: Saved;
	let table: DataTable;
	let workflowId: string;

	beforeAll(async () => {
		e2e = await startEnvironment({
			settings: { defaultPageSize: 1000, maxPageSize: 1000 },
			// By default, n8n 1 has one connection to SQLite, and mixes up the transactions of data tables.
			...(!atLeast('2.0') && { ownN8n: { DB_SQLITE_POOL_SIZE: '2' } }),
		});
		[workflowId] = e2e.control.seed({ workflows: [{ name: 'Watched' }] }).workflows;
		table = await createDataTable(e2e);
		saved = await importTemplate(e2e, 'leads-to-data-table.json', {
			credentials: e2e.full,
			parameters: { 'Add or update the lead': { dataTableId: table.reference } },
			pollOften: true,
		});
		await activateTrigger(e2e, saved);
	});
	afterAll(async () => {
		await table?.remove();
		await e2e?.close();
	});

	/** Waits until the table contains exactly these leads. */
	async function expectStored(expected: Record<string, string>) {
		const stored = async () =>
			(await table.rows()).map((row) => `${row.lead_id}: ${row.company_name}`).sort();
		const wanted = Object.entries(expected).map(([id, name]) => `${id}: ${name}`);
		await eventually('all leads', async () => isDeepStrictEqual(await stored(), wanted.sort())).catch(
			() => {},
		);
		expect(await stored()).toEqual(wanted.sort());
		return await table.rows();
	}

	test('the table has one row per lead with any text when leads are repeated or missing', async () => {
		const names = {
			quotes: `O'Neil & "Sons"`,
			emoji: 'Zürich 🦄 株式会社',
			escapes: String.raw`back\slash \n $1`,
			null: 'A\u0000B',
			expression: '={{ 1 + 1 }}',
		};
		const { runId } = seedLeads(e2e, workflowId, names);
		for (const row of await expectStored(names)) {
			expect(row.run_id).toBe(runId);
			expect(Math.abs(Date.parse(row.found_at) - Date.now())).toBeLessThan(60_000);
		}
		const repeated = { quotes: 'Renamed', new: 'First name', '': 'No lead', ...MANY };
		const { results } = seedLeads(e2e, workflowId, repeated, { new: 'Second name' });
		const added = { ...MANY, quotes: 'Renamed', new: 'Second name', [results[2]]: 'No lead' };
		await expectStored({ ...names, ...added });
		const executions = await e2e.executions.of(saved.id);
		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
	});
});
