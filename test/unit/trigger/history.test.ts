import fc from 'fast-check';
import { histories, play, type Told } from './history';

const RUNS = Number(process.env.HISTORIES ?? 150);
const check = async (event: string, holds: (told: Told) => void) =>
	await fc.assert(
		fc.asyncProperty(histories, async (history) => holds(await play(history, event))),
		{ numRuns: RUNS, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
	);

const sorted = (ids: unknown[]) => [...ids].map(String).sort();

/** Whether anybody can find what belongs to this workflow. */
const canBeFound = ({ service, watched }: Told, workflowId: string) =>
	watched.has(workflowId) && !service.deleted.has(workflowId);

test('New Run: what is put out is what was started, each once, whatever happens', async () => {
	await check('newRun', (told) => {
		const { service, existed, emitted } = told;
		const ids = emitted.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const started = service.runs.filter(({ id }) => !existed.has(id));
		const findable = started.filter((run) => canBeFound(told, run.of));
		expect(sorted(ids.filter((id) => findable.some((run) => run.id === id)))).toEqual(
			sorted(findable.map(({ id }) => id)),
		);
		// Of a workflow that was deleted, what was found before.
		const others = ids.filter((id) => !findable.some((run) => run.id === id));
		expect(started.map(({ id }) => id)).toEqual(expect.arrayContaining(others));
	});
}, 300_000);

test('New Result: what is put out is what was found, each once, whatever happens', async () => {
	await check('newResult', (told) => {
		const { service, existed, emitted } = told;
		const ids = emitted.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const workflowOf = new Map(service.runs.map((run) => [run.id, run.of]));
		const brought = service.results.filter(({ id }) => !existed.has(id));
		const findable = brought.filter((result) => canBeFound(told, workflowOf.get(result.of)!));
		expect(sorted(ids.filter((id) => findable.some((result) => result.id === id)))).toEqual(
			sorted(findable.map(({ id }) => id)),
		);
		const others = ids.filter((id) => !findable.some((result) => result.id === id));
		expect(brought.map(({ id }) => id)).toEqual(expect.arrayContaining(others));
	});
}, 300_000);

test('Run Status Changed: an unbroken chain up to what is true now, whatever happens', async () => {
	await check('runStatusChanged', (told) => {
		const { service, existed, emitted, statuses } = told;
		for (const run of service.runs) {
			const changes = emitted.filter(({ id }) => id === run.id);
			const history = statuses.get(run.id)!;
			let before = existed.has(run.id) ? history[0] : null;
			let position = existed.has(run.id) ? 0 : -1;
			for (const { previous_status: previous, status } of changes) {
				expect(previous).toBe(before);
				expect(status).not.toBe(before);
				position = history.indexOf(status as string, position + 1);
				expect(position).toBeGreaterThanOrEqual(0);
				before = status as string;
			}
			if (canBeFound(told, run.of)) expect(before).toBe(run.status);
		}
	});
}, 300_000);
