import { isDeepStrictEqual } from 'node:util';
import { startEnvironment, type Environment } from '../environment';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { startPostgres, type Postgres } from '../outside/postgresServer';
import { activateTrigger } from './activateTrigger';
import { createCredential, importTemplate } from './importTemplate';
import { retryFailed } from './retryFailed';
import { inventLeads, seedLeads, type Leads } from './seedLeads';
import { slowDown } from './slowTable';

/** The trigger emits 1,000 results per poll. */
const MANY = 10_000;
const MANY_TIMEOUT_MS = 150_000;

const TABLE = 'prospector_leads';

const ODD_NAMES: Leads = {
	quotes: `O'Neil & "Sons" \`Ltd\``,
	emoji: 'Zürich 🦄 株式会社',
	escapes: String.raw`back\slash \' \n $1 :name`,
	sql: `'); DROP TABLE ${TABLE}; --`,
	lines: 'two\nlines\tand a tab',
	expression: '={{ 1 + 1 }}',
	json: '{"a": [1]}',
	empty: '',
};

interface Row {
	lead_id: string;
	company_name: string;
	run_id: string;
	found_at: Date;
}

describe('The template leads-to-postgres', () => {
	let e2e: Environment;
	let postgres: Postgres;
	let saved: Saved;
	let prospectorWorkflow: string;
	/** What the table must contain. */
	const expected: Leads = {};

	/** Adds results to the service. If they name a lead several times, the last one counts. */
	function find(...leads: Leads[]) {
		Object.assign(expected, ...leads);
		return seedLeads(e2e, prospectorWorkflow, ...leads);
	}

	// The first execution creates the table.
	const rows = async (): Promise<Row[]> =>
		await postgres.query<Row>(`SELECT * FROM ${TABLE}`).catch(() => []);

	async function stored(): Promise<Leads> {
		return Object.fromEntries((await rows()).map((row) => [row.lead_id, row.company_name]));
	}

	async function expectAllStored(timeoutMs?: number): Promise<void> {
		const isComplete = async () => isDeepStrictEqual(await stored(), expected);
		await eventually('all leads', isComplete, timeoutMs).catch(() => {});
		expect(await stored()).toEqual(expected);
	}

	const statuses = async () => (await e2e.executions.of(saved.id)).map(({ status }) => status);

	beforeAll(async () => {
		postgres = await startPostgres();
		e2e = await startEnvironment({ ownN8n: {}, settings: { defaultPageSize: 1000, maxPageSize: 1000 } });
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Watched' }] }).workflows;
		saved = await importTemplate(e2e, 'leads-to-postgres.json', {
			credentials: { ...e2e.full, ...(await createCredential(e2e, 'postgres', postgres.credential)) },
			pollOften: true,
		});
		await activateTrigger(e2e, saved);
	});
	afterAll(async () => {
		await e2e?.close();
		await postgres?.close();
	});

	test('creates the table in an empty database, and writes any text as it is', async () => {
		const { runId } = find(ODD_NAMES);
		await expectAllStored();
		for (const row of await rows()) {
			expect(row.run_id).toBe(runId);
			expect(Math.abs(row.found_at.getTime() - Date.now())).toBeLessThan(60_000);
		}
	});

	test('has one row for a lead found twice, with the name of its last result', async () => {
		find({ quotes: 'Renamed', new: 'First name' }, { new: 'Second name' });
		await expectAllStored();
	});

	test('writes a name without null characters, which PostgreSQL does not accept, and the leads beside it', async () => {
		find({ null: 'A\u0000B', beside: 'Beside' });
		expected.null = 'AB';
		await expectAllStored();
	});

	test('writes a result without a lead by its own ID', async () => {
		const { results } = seedLeads(e2e, prospectorWorkflow, { '': 'No lead' });
		expected[results[0]] = 'No lead';
		await expectAllStored();
		expect(new Set(await statuses())).toEqual(new Set(['success']));
	});

	test('writes all of 10,000 leads once, although n8n and Postgres are killed meanwhile', async () => {
		const slow = await slowDown(postgres, TABLE);
		find(inventLeads(MANY, 'many'));

		await slow.afterRows(300);
		await e2e.n8n.kill();
		await e2e.n8n.start();
		await e2e.rest.logIn();
		const killed = await retryFailed(e2e, saved.id);
		expect(new Set(killed.before)).toEqual(new Set(['crashed']));
		expect(new Set(killed.after)).toEqual(new Set(['success']));

		await slow.afterRows(300);
		await postgres.kill();
		await eventually('a failed execution', async () => (await statuses()).includes('error'));
		await postgres.start();
		await slow.remove();
		const failed = await retryFailed(e2e, saved.id);
		expect(failed.before).toContain('error');
		expect(new Set(failed.after)).toEqual(new Set(['success']));
		await expectAllStored(MANY_TIMEOUT_MS);
	});
});
