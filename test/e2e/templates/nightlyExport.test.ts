import { startEnvironment, type Environment } from '../environment';
import type { Saved } from '../n8n/workflows';
import { startPostgres, type Postgres } from '../outside/postgresServer';
import { createCredential, importTemplate } from './importTemplate';
import { slowDown } from './slowTable';

const TABLE = 'prospector_results';
const TRIGGER = 'Every night at two';
const HOUR_MS = 3_600_000;

interface Row {
	id: string;
	run_id: string;
	lead_id: string;
	company_name: string;
	found_at: Date;
}

describe('The template nightly-export', () => {
	let e2e: Environment;
	let postgres: Postgres;
	let saved: Saved;
	let prospectorWorkflow: string;
	/** Runs added by the tests. */
	const runIds: string[] = [];
	/** Results of these runs that the table must contain. */
	const expected: string[] = [];

	const rows = async (): Promise<Row[]> =>
		await postgres.query<Row>(`SELECT * FROM ${TABLE} WHERE run_id = ANY ($1) ORDER BY id`, [runIds]);

	async function expectAllExported(): Promise<void> {
		expect((await rows()).map(({ id }) => id)).toEqual([...expected].sort());
	}

	/** Adds a run that ended some hours ago. */
	function addRun(results: number, hoursAgo: number) {
		const createdAt = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
		const added = e2e.control.seed({ runs: [{ workflowId: prospectorWorkflow, results, createdAt }] });
		runIds.push(...added.runs);
		return added;
	}

	const start = async () => await e2e.workflows.start(saved, TRIGGER);

	async function night(): Promise<string> {
		return (await e2e.executions.ended(await start())).status;
	}

	beforeAll(async () => {
		postgres = await startPostgres();
		e2e = await startEnvironment({ ownN8n: {}, settings: { defaultPageSize: 1000, maxPageSize: 1000 } });
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Exported' }] }).workflows;
		saved = await importTemplate(e2e, 'nightly-export.json', {
			credentials: { ...e2e.full, ...(await createCredential(e2e, 'postgres', postgres.credential)) },
		});
		await e2e.workflows.activate(saved);
	});
	afterAll(async () => {
		await e2e?.close();
		await postgres?.close();
	});

	test('creates the table in an empty database, and writes the results of runs of the last two days', async () => {
		addRun(10, 50);
		const { runs, results } = addRun(20, 40);
		expected.push(...results, ...addRun(30, 1).results);
		expect(await night()).toBe('success');
		await expectAllExported();
		const stored = (await rows()).filter((row) => row.run_id === runs[0]);
		expect(stored.map(({ id }) => id)).toEqual([...results].sort());
		for (const row of stored) {
			expect(row.lead_id).toMatch(/^lead_/);
			expect(row.company_name).not.toBe('');
			expect(Math.abs(row.found_at.getTime() - Date.now() + 40 * HOUR_MS)).toBeLessThan(60_000);
		}
	});

	test('has the same rows after a second night', async () => {
		const before = await rows();
		expect(await night()).toBe('success');
		expect(await rows()).toEqual(before);
	});

	test('adds what a run that was going on has found since, and updates companies', async () => {
		const [runId] = addRun(0, 0).runs;
		const find = (companyName: string) =>
			e2e.control.seed({ results: [{ runId, leadId: 'same', companyName }] }).results;
		expected.push(...find(`A\u0000 "B" 🦄`));
		expect(await night()).toBe('success');
		await expectAllExported();
		expected.push(...find('Found later'));
		expect(await night()).toBe('success');
		await expectAllExported();
		const names = (await rows()).filter((row) => row.lead_id === 'same').map((row) => row.company_name);
		expect(names.sort()).toEqual(['A "B" 🦄', 'Found later']);
	});

	test('completes a night in which n8n was killed by the next one', async () => {
		const slow = await slowDown(postgres, TABLE);
		expected.push(...addRun(600, 0).results);
		const killed = await start();
		await slow.afterRows(200);
		await e2e.n8n.kill();
		await e2e.n8n.start();
		await e2e.rest.logIn();
		await slow.remove();
		expect((await e2e.executions.ended(killed)).status).toBe('crashed');
		expect(await rows()).not.toHaveLength(expected.length);
		expect(await night()).toBe('success');
		await expectAllExported();
	});

	test('completes a night although Postgres is restarted meanwhile', async () => {
		const slow = await slowDown(postgres, TABLE);
		expected.push(...addRun(400, 0).results);
		const executionId = await start();
		await slow.afterRows(200);
		await postgres.kill();
		await postgres.start();
		await slow.remove();
		expect((await e2e.executions.ended(executionId)).status).toBe('success');
		await expectAllExported();
	});
});
