import { isDeepStrictEqual } from 'node:util'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { closeAfterAll } from '../closeAfterAll';
import { startEnvironment, type Environment } from '../environment';
import { createCredential } from '../n8n/credentials';
import { failureOf } from '../n8n/executions';
import { eventually } from '../../eventually';
import type { Saved } from '../n8n/workflows';
import { startPostgres, type Postgres } from '../outside/postgresServer';
import { nextPoll } from '../trigger/polling';
import { createDataTable, importTemplate, seedLeads } from './importTemplate';
import type { DataTable, LeadRow, Leads } from './importTemplate';

const HOUR_MS = 3_600_000;
const LEADS = 'prospector_leads';
const RESULTS = 'prospector_results';

const ODD_NAMES: Leads = {
	quotes: `O'Neil & "Sons" \`Ltd\``,
	emoji: 'Zürich 🦄 株式会社',
	escapes: String.raw`back\slash \' \n $1 :name`,
	sql: `'); DROP TABLE ${LEADS}; --`,
	lines: 'two\nlines\tand a tab',
	expression: '={{ 1 + 1 }}',
};
/** More than a page of results, and more than a page of rows. */
const MANY: Leads = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`many_${n}`, `Company ${n}`]));

describe('Templates that fill a table', () => {
	const closeLater = closeAfterAll();
	let e2e: Environment;
	let postgres: Postgres;
	let dataTable: DataTable;
	let workflowId: string;

	beforeAll(async () => {
		postgres = closeLater(await startPostgres());
		e2e = closeLater(await startEnvironment({ settings: { defaultPageSize: 50 } }));
		[workflowId] = e2e.control.seed({ workflows: [{ name: 'Watched' }] }).workflows;
		dataTable = closeLater(await createDataTable(e2e));
	});

	const importWithPostgres = async (file: string): Promise<Saved> => {
		const account = await createCredential(e2e.rest, 'PostgreSQL', 'postgres', postgres.credential);
		const credentials = { ...e2e.full, ...account };
		return await importTemplate(e2e, file, { credentials });
	};

	/** Rows of a template's table. The first execution creates the table. */
	const rowsOf = async (table: string): Promise<LeadRow[]> =>
		await postgres.query<LeadRow>(`SELECT * FROM ${table}`).catch(() => []);

	/** Lets Postgres refuse the next insertion into a table. Sequences also count in transactions that fail. */
	const refuseOnce = async (table: string) =>
		await postgres.query(`
			CREATE SEQUENCE attempts;
			CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'The disk is full'; END IF;
				RETURN NEW;
			END $$;
			CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse();`);

	/** Expects that Postgres has refused an insertion, and that another one was tried. */
	async function expectRefused(table: string): Promise<void> {
		const [{ count }] = await postgres.query<{ count: string }>('SELECT last_value AS count FROM attempts');
		expect(Number(count)).toBeGreaterThan(1);
		await postgres.query(`DROP TRIGGER refuse ON ${table}; DROP FUNCTION refuse; DROP SEQUENCE attempts;`);
	}

	test.each(['leads-to-data-table.json', 'leads-to-postgres.json'])(
		'the template %s stores one row per lead even if names have special characters or leads occur twice',
		async (file) => {
			const isPostgres = file.includes('postgres');
			const chosen = { dataTableId: dataTable.reference };
			const parameters = { 'Add or update the lead': chosen, 'Complete a new lead': chosen };
			const saved = isPostgres
				? await importWithPostgres(file)
				: await importTemplate(e2e, file, { credentials: e2e.full, parameters });
			const rows = async () => await (isPostgres ? rowsOf(LEADS) : dataTable.rows());
			// Written last.
			const complete = async () => (await rows()).filter((row) => row.first_found_at);
			const stored = async () =>
				Object.fromEntries((await complete()).map((row) => [row.lead_id, row.company_name]));
			async function expectStored(leads: Leads): Promise<void> {
				const isComplete = async () => isDeepStrictEqual(await stored(), leads);
				await eventually('all leads', isComplete).catch(() => {});
				expect(await stored()).toEqual(leads);
				expect(await rows()).toHaveLength(Object.keys(leads).length);
			}

			await e2e.workflows.activate(saved);
			// What happens from now on is new to the trigger.
			await nextPoll(e2e.sandbox, 'full');
			const { runId } = seedLeads(e2e, workflowId, ODD_NAMES);
			await expectStored(ODD_NAMES);
			const isFirst = (row: LeadRow) => row.run_id === runId;
			for (const row of await rows()) {
				expect(isFirst(row)).toBe(true);
				expect([row.workflow_id, row.workflow_name]).toEqual([workflowId, 'Watched']);
				expect(new Date(row.first_found_at)).toEqual(new Date(row.last_found_at));
				expect(Math.abs(new Date(row.first_found_at).getTime() - Date.now())).toBeLessThan(60_000);
			}

			if (isPostgres) await refuseOnce(LEADS);
			const more = { quotes: 'Renamed', null: 'A\u0000B', new: 'First name', '': 'No lead', ...MANY };
			const { results } = seedLeads(e2e, workflowId, more, { new: 'Second name' });
			const changed = { quotes: 'Renamed', new: 'Second name', [results[3]]: 'No lead' };
			await expectStored({ ...ODD_NAMES, ...MANY, ...changed, null: isPostgres ? 'AB' : more.null });
			if (isPostgres) await expectRefused(LEADS);
			const first = (await rows()).filter(isFirst);
			expect(first).toHaveLength(Object.keys(ODD_NAMES).length);
			const again = first.find((row) => row.lead_id === 'quotes')!;
			expect(new Date(again.first_found_at) < new Date(again.last_found_at)).toBe(true);
			await e2e.workflows.deactivate(saved);
			for (const { id } of await e2e.executions.of(saved.id)) {
				expect((await e2e.executions.ended(id)).status).toBe('success');
			}
		},
	);

	/** Executes a template that exports results each night. */
	async function executeNight(saved: Saved): Promise<LeadRow[]> {
		e2e.clearRequests();
		const ended = await e2e.executions.ended(await e2e.workflows.start(saved, 'Every night at two'));
		expect([ended.status, failureOf(ended)]).toEqual(['success', undefined]);
		return await rowsOf(RESULTS);
	}

	/** Adds a run that ended some hours ago. */
	function addRun(results: number, hoursAgo: number) {
		const createdAt = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
		return e2e.control.seed({ runs: [{ workflowId, results, createdAt }] });
	}

	test('the template nightly-export.json stores each result of the last two days once even if Postgres fails once', async () => {
		const saved = await importWithPostgres('nightly-export.json');
		const old = addRun(10, 50);
		const recent = addRun(60, 40);
		const ofRun = (rows: LeadRow[], [runId]: string[]) => rows.filter((row) => row.run_id === runId);
		const stored = await executeNight(saved);
		expect(ofRun(stored, old.runs)).toEqual([]);
		const ids = ofRun(stored, recent.runs).map(({ id }) => id);
		expect(ids.sort()).toEqual([...recent.results].sort());
		for (const row of ofRun(stored, recent.runs)) {
			expect([row.workflow_id, row.workflow_name]).toEqual([workflowId, 'Watched']);
			const age = Date.now() - new Date(row.found_at).getTime();
			expect(Math.abs(age - 40 * HOUR_MS)).toBeLessThan(60_000);
		}

		const result = { runId: recent.runs[0], leadId: 'same', companyName: `A\u0000 "B" 🦄` };
		const [added] = e2e.control.seed({ results: [result] }).results;
		await refuseOnce(RESULTS);
		const rows = await executeNight(saved);
		await expectRefused(RESULTS);
		expect(rows).toEqual(expect.arrayContaining(stored));
		expect(rows).toHaveLength(stored.length + 1);
		expect(rows.find(({ id }) => id === added)?.company_name).toBe('A "B" 🦄');

		e2e.control.patchSettings({ timeFormat: 'missing' });
		const { results } = addRun(1, 0);
		expect((await executeNight(saved)).map(({ id }) => id)).toContain(results[0]);
		e2e.control.patchSettings({ timeFormat: 'utc' });
	});

	test('the template resumable-export.json reads only new results if an earlier execution stored all older results', async () => {
		const saved = await importWithPostgres('advanced/resumable-export.json');
		await e2e.workflows.activate(saved);
		await postgres.query(`DROP TABLE IF EXISTS ${RESULTS}`);
		const counts = e2e.control.runs().runs.map((run) => run.results);
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		const before = await executeNight(saved);
		expect(before).toHaveLength(sum(counts));
		const pages = counts.map((count) => Math.max(1, Math.ceil(count / 50)));
		expect(e2e.requests('listResults')).toHaveLength(sum(pages));

		const { results } = addRun(5, 0);
		const after = await executeNight(saved);
		expect(after.map(({ id }) => id).sort()).toEqual([...before.map(({ id }) => id), ...results].sort());
		expect(e2e.requests('listResults')).toHaveLength(1);
	});
});
