import { startEnvironment, type Environment } from '../environment';
import type { Saved } from '../n8n/workflows';
import { startPostgres, type Postgres } from '../outside/postgresServer';
import { createCredential, importTemplate } from './importTemplate';

const PAGE_SIZE = 50;

describe('The template advanced/resumable-export', () => {
	let e2e: Environment;
	let postgres: Postgres;
	let saved: Saved;

	const exported = async () =>
		(await postgres.query<{ id: string }>('SELECT id FROM prospector_results')).map(({ id }) => id).sort();

	const resultCounts = () => e2e.control.runs().runs.map(({ results }) => results);
	const reads = () => e2e.requests('listResults').length;

	async function night(): Promise<void> {
		e2e.clearRequests();
		const ended = await e2e.executions.ended(await e2e.workflows.start(saved, 'Every night at two'));
		expect([ended.status, ended.data?.resultData.error?.message]).toEqual(['success', undefined]);
	}

	beforeAll(async () => {
		postgres = await startPostgres();
		e2e = await startEnvironment({ settings: { defaultPageSize: PAGE_SIZE } });
		saved = await importTemplate(e2e, 'advanced/resumable-export.json', {
			credentials: { ...e2e.full, ...(await createCredential(e2e, 'postgres', postgres.credential)) },
		});
		await e2e.workflows.activate(saved);
	});
	afterAll(async () => {
		await e2e?.close();
		await postgres?.close();
	});

	test('creates the table, and exports every result of every run page by page', async () => {
		const { results } = e2e.control.seed({ workflows: [{ runs: [{ results: 120 }, { results: 0 }] }] });
		await night();
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		const ids = await exported();
		expect(ids).toHaveLength(sum(resultCounts()));
		expect(ids).toEqual(expect.arrayContaining(results));
		const pages = resultCounts().map((count) => Math.max(1, Math.ceil(count / PAGE_SIZE)));
		expect(reads()).toBe(sum(pages));
	});

	test('exports only new results in the next night', async () => {
		const before = await exported();
		const { results } = e2e.control.seed({ workflows: [{ runs: [{ results: 5 }] }] });
		await night();
		expect(await exported()).toEqual([...before, ...results].sort());
		expect(reads()).toBe(1);
	});

	test('continues with the page that Postgres refused', async () => {
		const before = await exported();
		const { results } = e2e.control.seed({ workflows: [{ runs: [{ results: 120 }] }] });
		const [refused] = await postgres.query<{ count: string }>('SELECT count(*) FROM prospector_results');
		await postgres.query(`
			CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				IF (SELECT count(*) FROM prospector_results) >= ${Number(refused.count) + PAGE_SIZE} THEN
					RAISE EXCEPTION 'The disk is full';
				END IF;
				RETURN NEW;
			END $$;
			CREATE TRIGGER refuse BEFORE INSERT ON prospector_results FOR EACH ROW EXECUTE FUNCTION refuse();`);
		const ended = await e2e.executions.ended(await e2e.workflows.start(saved, 'Every night at two'), 180_000);
		expect(ended.status).toBe('error');
		expect(await exported()).toHaveLength(before.length + PAGE_SIZE);
		await postgres.query('DROP TRIGGER refuse ON prospector_results');
		await night();
		expect(await exported()).toEqual([...before, ...results].sort());
		expect(reads()).toBe(2);
	});
});
