import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { isInProgress, type Execution } from '../../test/e2e/n8n/executions';
import { eventually } from '../../test/eventually';
import type { Target } from '../../test/e2e/n8n/target';
import { log } from '../../test/e2e/setUp/commands';
import { withResources } from '../shared/resources';
import { disturb } from './disturbances';
import { Person } from './person';
import type { PipelineName } from './pipelines';
import { repeat } from './serial';
import type { StoredResult } from './service';
import { startSystems, type Systems } from './systems';
import { DAY_MS, HOUR_MS, SPEED } from './time';
import { judge, type Verdict } from './verdict';

export interface SoakReport {
	minutes: number;
	n8n: string;
	verdict: Verdict;
	disturbances: Awaited<ReturnType<typeof disturb>>;
	runs: number;
	/** Number of n8n's requests by status, 0 for those without a complete response. */
	requests: Record<string, number>;
	/** Number of executions by n8n workflow and status. */
	executions: Record<string, Record<string, number>>;
	/** Number of executions that a person retried. */
	retriedByHand: number;
	catchUpSeconds: number;
}

/** A person looks at the executions once a day. n8n may be stopped then. */
const VISIT_MS = DAY_MS / SPEED;

/** How often the state that n8n has saved is read. */
const SAMPLE_MS = 5000;

const CATCH_UP_TIMEOUT_MS = 8 * 60_000;
const LAST_EXECUTIONS_TIMEOUT_MS = 3 * 60_000;

/** Lets n8n, a database and the service work together for a time in which much goes wrong, and compares the data. */
export async function runSoak(minutes: number, target: Target): Promise<SoakReport> {
	return await withResources(async (open) => {
		const systems = await startSystems(open, target);
		const { service, n8n, ids, week, postgres, executions } = systems;
		const person = new Person(executions);
		const look = async () => await person.look(Object.values(ids));
		/** Runs that a saved state of the trigger has contained. */
		const knownRuns = new Set<string>();
		const sample = async () => {
			if (!n8n.isRunning) return;
			const path = `/rest/workflows/${ids.newResults}`;
			const { staticData } = await n8n.n8n.rest.get<{ staticData: unknown }>(path);
			for (const [run] of JSON.stringify(staticData ?? '').matchAll(/run_[0-9a-f]+/g)) knownRuns.add(run);
		};
		const sampling = await open(repeat(SAMPLE_MS, sample));
		log(`The week begins: ${minutes} minutes.`);
		const disturbances = await withResources(async (openForWeek) => {
			await openForWeek(repeat(VISIT_MS, async () => void (await look())));
			await openForWeek(week.start());
			return await disturb(systems, minutes * 60_000);
		});
		const endedAt = Date.now();
		const expected = await service.readResults();
		log(`The week is over: ${expected.size} results. n8n catches up, and a person retries executions.`);
		await catchUp(systems, look, knownRuns, expected);
		const catchUpSeconds = Math.round((Date.now() - endedAt) / 1000);
		// Nothing may be emitted twice in the following polls, either.
		await pause(60_000);
		await sampling.close();
		await sample();

		const inactive = await deactivateAll(systems);
		const left = await look();
		const all = await listAll(systems);
		const verdict = await judge({
			...{ service, postgres, expected, left, inactive, endedAt, knownRuns },
			...{ kills: n8n.kills, deletions: week.deletions },
			executions: new Map(all.map((each) => [each.id, each])),
		});
		return {
			...{ minutes, n8n: target.version, verdict, disturbances, catchUpSeconds },
			runs: service.control.runs().runs.length,
			requests: count(service.journal().map(({ status }) => String(status ?? 0))),
			executions: countByWorkflow(all, ids),
			retriedByHand: person.retried.size,
		};
	});
}

/** Waits until the trigger has emitted every result that it can know, while a person retries executions. */
async function catchUp(
	{ service, postgres, week }: Systems,
	look: () => Promise<unknown>,
	knownRuns: Set<string>,
	expected: Map<string, StoredResult>,
): Promise<void> {
	// Runs without changes are checked less and less often, so half a day passes.
	service.control.advanceClock(12 * HOUR_MS);
	const deleted = new Set(week.deletions.map(({ workflowId }) => workflowId));
	const { runs } = service.control.runs();
	const deletedRuns = new Set(runs.filter(({ workflowId }) => deleted.has(workflowId)).map(({ id }) => id));
	const wanted = [...expected.values()].filter(
		({ runId }) => knownRuns.has(runId) || !deletedRuns.has(runId),
	);
	const isComplete = async () => {
		await look();
		const rows = await postgres.query<{ id: string }>('SELECT DISTINCT result_id AS id FROM deliveries');
		const delivered = new Set(rows.map(({ id }) => id));
		if (wanted.every(({ id }) => delivered.has(id))) return true;
		await pause(2000);
		return false;
	};
	// The verdict says what is missing.
	await eventually('every result', isComplete, CATCH_UP_TIMEOUT_MS).catch(() => {});
}

/** Deactivates the n8n workflows and waits for their executions. Returns those that were not active any more. */
async function deactivateAll(systems: Systems): Promise<string[]> {
	const { workflows, ids } = systems;
	const inactive: string[] = [];
	for (const name of Object.keys(ids) as PipelineName[]) {
		const { active } = await workflows.get(ids[name]);
		if (!active) inactive.push(name);
		await workflows.deactivate({ id: ids[name] });
	}
	const haveEnded = async () => (await listAll(systems)).every(({ status }) => !isInProgress(status));
	await eventually('the last executions', haveEnded, LAST_EXECUTIONS_TIMEOUT_MS).catch(() => {});
	return inactive;
}

async function listAll({ ids, executions }: Systems): Promise<Execution[]> {
	const lists = Object.values(ids).map(async (id) => await executions.of(id));
	return (await Promise.all(lists)).flat();
}

function countByWorkflow(executions: Execution[], ids: Record<PipelineName, string>) {
	const names = Object.keys(ids) as PipelineName[];
	const statuses = (name: PipelineName) =>
		executions.filter(({ workflowId }) => workflowId === ids[name]).map(({ status }) => status);
	return Object.fromEntries(names.map((name) => [name, count(statuses(name))]));
}

function count(list: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const each of list.sort()) counts[each] = (counts[each] ?? 0) + 1;
	return counts;
}
