import { isDeepStrictEqual } from 'node:util';
import { startEnvironment, type Environment } from '../environment';
import { eventually } from '../n8n/rest';
import { atLeast } from '../n8n/target';
import type { Saved } from '../n8n/workflows';
import { activateTrigger } from './activateTrigger';
import { importTemplate } from './importTemplate';
import { inventLeads, seedLeads, type Leads } from './seedLeads';

/** Largest page of n8n 1's list of rows. */
const PAGE_SIZE = 50;

interface Row {
	lead_id: string;
	company_name: string;
	run_id: string;
	found_at: string;
}

describe('The template leads-to-data-table', () => {
	let e2e: Environment;
	let saved: Saved;
	let tablePath: string;
	let prospectorWorkflow: string;
	const expected: Leads = {};

	function find(...leads: Leads[]) {
		Object.assign(expected, ...leads);
		return seedLeads(e2e, prospectorWorkflow, ...leads);
	}

	const page = async (skip: number) =>
		await e2e.rest.get<{ count: number; data: Row[] }>(
			`${tablePath}/rows?take=${PAGE_SIZE}&skip=${skip}&sortBy=id:asc`,
		);

	async function rows(): Promise<Row[]> {
		const all: Row[] = [];
		for (;;) {
			const { count, data } = await page(all.length);
			all.push(...data);
			if (all.length >= count || data.length === 0) return all;
		}
	}

	const leadsOf = (list: Row[]): string[] =>
		list.map(({ lead_id: id, company_name: name }) => `${id}: ${name}`).sort();

	async function expectAllStored(): Promise<Row[]> {
		const wanted = Object.entries(expected)
			.map(([id, name]) => `${id}: ${name}`)
			.sort();
		const isComplete = async () =>
			(await page(0)).count === wanted.length && isDeepStrictEqual(leadsOf(await rows()), wanted);
		await eventually('all leads', isComplete).catch(() => {});
		const stored = await rows();
		expect(leadsOf(stored)).toEqual(wanted);
		return stored;
	}

	beforeAll(async () => {
		e2e = await startEnvironment({
			settings: { defaultPageSize: 1000, maxPageSize: 1000 },
			// By default, n8n 1 has one connection to SQLite, and mixes up the transactions of data tables.
			...(!atLeast('2.0') && { ownN8n: { DB_SQLITE_POOL_SIZE: '2' } }),
		});
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Watched' }] }).workflows;
		const { id: project } = await e2e.rest.get<{ id: string }>('/rest/projects/personal');
		const tables = `/rest/projects/${project}/data-tables`;
		const { id: table } = await e2e.rest.post<{ id: string }>(tables, {
			name: 'Leads',
			columns: [
				...['lead_id', 'company_name', 'run_id'].map((name) => ({ name, type: 'string' })),
				{ name: 'found_at', type: 'date' },
			],
		});
		tablePath = `${tables}/${table}`;
		saved = await importTemplate(e2e, 'leads-to-data-table.json', {
			credentials: e2e.full,
			parameters: { 'Add or update the lead': { dataTableId: { __rl: true, mode: 'list', value: table } } },
			pollOften: true,
		});
		await activateTrigger(e2e, saved);
	});
	afterAll(async () => {
		await e2e.rest.call('DELETE', tablePath);
		await e2e.close();
	});

	test('writes each lead, and any text as it is', async () => {
		const { runId } = find({
			quotes: `O'Neil & "Sons"`,
			emoji: 'Zürich 🦄 株式会社',
			escapes: String.raw`back\slash \n $1`,
			null: 'A\u0000B',
			expression: '={{ 1 + 1 }}',
		});
		for (const row of await expectAllStored()) {
			expect(row.run_id).toBe(runId);
			expect(Math.abs(Date.parse(row.found_at) - Date.now())).toBeLessThan(60_000);
		}
	});

	test('has one row for a lead found twice, with the name of its last result', async () => {
		find({ quotes: 'Renamed', new: 'First name' }, { new: 'Second name' });
		await expectAllStored();
	});

	test('writes a result without a lead by its own ID', async () => {
		const { results } = seedLeads(e2e, prospectorWorkflow, { '': 'No lead' });
		expected[results[0]] = 'No lead';
		await expectAllStored();
	});

	test('writes 500 leads', async () => {
		find(inventLeads(500, 'many'));
		await expectAllStored();
		const executions = await e2e.executions.of(saved.id);
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
	});
});
