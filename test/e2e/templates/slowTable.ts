import { eventually } from '../n8n/rest';
import type { Postgres } from '../outside/postgresServer';

/**
 * Makes inserting into an existing table slow, and counts the rows, so that a test can interrupt it half-way.
 * Call `remove()` in the end.
 */
export async function slowDown({ query }: Postgres, table: string) {
	await query(`
		CREATE SEQUENCE attempts;
		CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN PERFORM nextval('attempts'); PERFORM pg_sleep(0.002); RETURN NEW; END $$;
		CREATE TRIGGER slow BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION slow();`);

	/** Number of rows that n8n has tried to insert. Sequences count rows of open transactions too. */
	async function attempts(): Promise<number> {
		const [{ count }] = await query<{ count: string }>('SELECT last_value AS count FROM attempts');
		return Number(count);
	}

	return {
		/** Waits until another `rows` rows are on their way into the table. */
		async afterRows(rows: number): Promise<void> {
			const before = await attempts();
			await eventually(`${rows} rows`, async () => (await attempts()) >= before + rows);
		},
		async remove(): Promise<void> {
			await query(`DROP TRIGGER slow ON ${table}; DROP FUNCTION slow; DROP SEQUENCE attempts;`);
		},
	};
}
