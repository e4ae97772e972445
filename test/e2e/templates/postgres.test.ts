import { isDeepStrictEqual } from 'node:util';
import { startEnvironment, type Environment } from '../environment';
import { failureOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { startPostgres, type Postgres } from '../outside/postgresServer';
import { activateTrigger, createCredential, importTemplate, seedLeads } from './importTemplate';

const HOUR_MS = 3_600_000;
const NIGHTLY_TRIGGER = 'Every night at two';

const ODD_NAMES = {
	quotes: `O'Neil & "Sons" \`Ltd\``,
	emoji: 'Zürich 🦄 株式会社',
	escapes: String.raw`back\slash \' \n $1 :name`,
	sql: `'); DROP TABLE prospector_leads; --`,
	lines: 'two\nlines\tand a tab',
	expression: '={{ 1 + 1 }}',
	empty: '',
};

interface Row {
	id: string;
	lead_id: string;
	company_name: string;
	run_id: string;
	found_at: Date;
}

let e2e: Environment;
let postgres: Postgres;
let workflowId: string;
let importWithPostgres: (file: string) => Promise<Saved>;

beforeAll(async () => {
	postgres = await startPostgres();
	e2e = await startEnvironment({ settings: { defaultPageSize: 50 } });
	[workflowId] = e2e.control.seed({ workflows: [{ name: 'Exported' }] }).workflows;
	const credentials = { ...e2e.full, ...(await createCredential(e2e, 'postgres', postgres.credential)) };
	importWithPostgres = async (file) => await importTemplate(e2e, file, { credentials, pollOften: true });
});
afterAll(async () => {
	await e2e?.close();
	await postgres?.close();
});

/** Rows of a template's table. The first execution creates the table. */
const rowsOf = async (table: string): Promise<Row[]> =>
	await postgres.query<Row>(`SELECT * FROM ${table}`).catch(() => []);

/** Lets Postgres refuse the next insertion into a table. Sequences also count in transactions that fail. */
const refuseOnce = async (table: string) =>
	await postgres.query(`
		CREATE SEQUENCE attempts;
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'The disk is full'; END IF;
			RETURN NEW;
		END $$;
		CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse();`);

async function countRefusals(table: string): Promise<number> {
	const [{ count }] = await postgres.query<{ count: string }>('SELECT last_value AS count FROM attempts');
	await postgres.query(`DROP TRIGGER refuse ON ${table}; DROP FUNCTION refuse; DROP SEQUENCE attempts;`);
	return Number(count);
}

test('leads-to-postgres stores one row per lead with any text when names are odd, repeated or missing', async () => {
	const TABLE = 'prospector_leads';
	const saved = await importWithPostgres('leads-to-postgres.json');
	await activateTrigger(e2e, saved);

	async function expectStored(expected: Record<string, string>): Promise<Row[]> {
		const stored = async () =>
			Object.fromEntries((await rowsOf(TABLE)).map((row) => [row.lead_id, row.company_name]));
		const isComplete = async () => isDeepStrictEqual(await stored(), expected);
		await eventually('all leads', isComplete).catch(() => {});
		expect(await stored()).toEqual(expected);
		return await rowsOf(TABLE);
	}

	const { runId } = seedLeads(e2e, workflowId, ODD_NAMES);
	for (const row of await expectStored(ODD_NAMES)) {
		expect(row.run_id).toBe(runId);
		expect(Math.abs(row.found_at.getTime() - Date.now())).toBeLessThan(60_000);
	}
	await refuseOnce(TABLE);
	const { results } = seedLeads(
		e2e,
		workflowId,
		{ quotes: 'Renamed', null: 'A\u0000B', new: 'First name', '': 'No lead' },
		{ new: 'Second name' },
	);
	const added = { quotes: 'Renamed', null: 'AB', new: 'Second name', [results[3]]: 'No lead' };
	await expectStored({ ...ODD_NAMES, ...added });
	expect(await countRefusals(TABLE)).toBeGreaterThan(1);
	const statuses = (await e2e.executions.of(saved.id)).map(({ status }) => status);
	expect(new Set(statuses)).toEqual(new Set(['success']));
	await e2e.workflows.deactivate(saved);
});

describe('A template that exports results each night', () => {
	const TABLE = 'prospector_results';
	let saved: Saved;

	/** Adds a run that ended some hours ago. */
	function addRun(results: number, hoursAgo: number) {
		const createdAt = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
		return e2e.control.seed({ runs: [{ workflowId, results, createdAt }] });
	}

	async function executeNight(): Promise<Row[]> {
		e2e.clearRequests();
		const ended = await e2e.executions.ended(await e2e.workflows.start(saved, NIGHTLY_TRIGGER));
		expect([ended.status, failureOf(ended)]).toEqual(['success', undefined]);
		return await rowsOf(TABLE);
	}

	async function importAnew(file: string) {
		saved = await importWithPostgres(file);
		await e2e.workflows.activate(saved);
		await postgres.query(`DROP TABLE IF EXISTS ${TABLE}`);
	}

	test('nightly-export stores each result of the last two days once when Postgres fails once', async () => {
		await importAnew('nightly-export.json');
		addRun(10, 50);
		const { runs, results } = addRun(120, 40);
		const ofRun = (rows: Row[]) => rows.filter((row) => row.run_id === runs[0]);
		const stored = ofRun(await executeNight());
		expect(stored.map(({ id }) => id).sort()).toEqual([...results].sort());
		for (const row of stored) {
			expect(row.lead_id).toMatch(/^lead_/);
			expect(row.company_name).not.toBe('');
			expect(Math.abs(row.found_at.getTime() - Date.now() + 40 * HOUR_MS)).toBeLessThan(60_000);
		}

		const leads = { runId: runs[0], leadId: 'same', companyName: `A\u0000 "B" 🦄` };
		const [added] = e2e.control.seed({ results: [leads] }).results;
		await refuseOnce(TABLE);
		const rows = ofRun(await executeNight());
		expect(await countRefusals(TABLE)).toBeGreaterThan(1);
		expect(rows).toEqual(expect.arrayContaining(stored));
		expect(rows).toHaveLength(stored.length + 1);
		expect(rows.find(({ id }) => id === added)?.company_name).toBe('A "B" 🦄');
	});

	test('resumable-export reads only new results when an earlier night has stored the others', async () => {
		await importAnew('advanced/resumable-export.json');
		const counts = e2e.control.runs().runs.map((run) => run.results);
		const pages = counts.map((count) => Math.max(1, Math.ceil(count / 50)));
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		const before = await executeNight();
		expect(before).toHaveLength(sum(counts));
		expect(e2e.requests('listResults')).toHaveLength(sum(pages));

		const { results } = addRun(5, 0);
		const after = await executeNight();
		expect(after.map(({ id }) => id).sort()).toEqual([...before.map(({ id }) => id), ...results].sort());
		expect(e2e.requests('listResults')).toHaveLength(1);
	});
});
