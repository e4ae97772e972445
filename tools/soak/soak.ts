/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { setTimeout as pause } from 'node:timers/promises';
import { isInProgress, type Execution } from '../../test/e2e/n8n/executions';
import { eventually } from '../../test/e2e/n8n/rest';
import type { Target } from '../../test/e2e/n8n/target';
import { Disturbances, type Counts } from './disturbances';
import { Monitor } from './monitor';
import { Person, RETRY_TIMEOUT_MS } from './person';
import type { PipelineName } from './pipelines';
import type { StoredResult } from './service';
import { startSystems, type Systems } from './systems';
import { DAY_MS, HOUR_MS, SPEED } from './time';
import { judge, type Evidence, type Verdict } from './verdict';

export interface SoakOptions {
	minutes: number;
	target: Target;
	log: (line: string) => void;
}

export interface SoakReport {
	minutes: number;
	n8n: string;
	verdict: Verdict;
	disturbances: Counts;
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

const CATCH_UP_TIMEOUT_MS = 8 * 60_000;
const LAST_EXECUTIONS_TIMEOUT_MS = 3 * 60_000;

/** Lets n8n, a database and the service work together for a time in which much goes wrong, and compares the data. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
	const { minutes, target, log } = options;
	const systems = await startSystems(target);
	const { service, n8n, ids, week } = systems;
	const monitor = new Monitor(n8n, ids.newResults);
	const person = new Person(systems.executions);
	try {
		monitor.start();
		log(`The week begins: ${minutes} minutes.`);
		const disturbances = await disturb(systems, person, options);
		const endedAt = Date.now();
		const expected = await service.readResults();
		log(`The week is over: ${expected.size} results. n8n catches up, and a person retries executions.`);
		await catchUp(systems, person, monitor, expected);
		await exportAll(systems, person);
		const catchUpSeconds = Math.round((Date.now() - endedAt) / 1000);
		// Nothing may be emitted twice in the following polls, either.
		await pause(60_000);
		await monitor.sample();
		await monitor.stop();

		const inactive = await deactivateAll(systems);
		const left = await person.look(Object.values(ids));
		const all = await listAll(systems);
		const evidence: Evidence = {
			...{ service, postgres: systems.postgres, expected, left, inactive, endedAt },
			...{ kills: n8n.kills, deletions: week.deletions, knownRuns: monitor.knownRuns },
			executions: new Map(all.map((each) => [each.id, each])),
		};
		const verdict = await judge(evidence);
		return {
			...{ minutes, n8n: target.version, verdict, disturbances, catchUpSeconds },
			runs: service.control.runs().runs.length,
			requests: count(service.journal().map(({ status }) => String(status ?? 0))),
			executions: countByWorkflow(all, ids),
			retriedByHand: person.retried.size,
		};
	} finally {
		await monitor.stop();
		await systems.close();
	}
}

/** The week with all its disturbances. Ends with every system working. */
async function disturb(systems: Systems, person: Person, { minutes, log }: SoakOptions): Promise<Counts> {
	const { week, ids } = systems;
	const disturbances = new Disturbances({ ...systems, log });
	let visit: Promise<unknown> | undefined;
	const visits = setInterval(() => {
		visit ??= person
			.look(Object.values(ids))
			.catch(() => {})
			.then(() => (visit = undefined));
	}, VISIT_MS);
	week.start();
	try {
		await disturbances.run(minutes * 60_000);
	} finally {
		clearInterval(visits);
		week.stop();
		await visit;
	}
	return disturbances.counts;
}

/** Waits until the trigger has emitted every result that it can know, while a person retries executions. */
async function catchUp(
	{ service, postgres, week, ids }: Systems,
	person: Person,
	monitor: Monitor,
	expected: Map<string, StoredResult>,
): Promise<void> {
	// Runs without changes are checked less and less often, so half a day passes.
	service.control.advanceClock(12 * HOUR_MS);
	const deleted = new Set(week.deletions.map(({ workflowId }) => workflowId));
	const { runs } = service.control.runs();
	const deletedRuns = new Set(runs.filter(({ workflowId }) => deleted.has(workflowId)).map(({ id }) => id));
	const wanted = [...expected.values()].filter(
		({ runId }) => monitor.knownRuns.has(runId) || !deletedRuns.has(runId),
	);
	const isComplete = async () => {
		await person.look(Object.values(ids));
		const rows = await postgres.query<{ id: string }>('SELECT DISTINCT result_id AS id FROM deliveries');
		const delivered = new Set(rows.map(({ id }) => id));
		if (wanted.every(({ id }) => delivered.has(id))) return true;
		await pause(2000);
		return false;
	};
	// The verdict says what is missing.
	await eventually('every result', isComplete, CATCH_UP_TIMEOUT_MS).catch(() => {});
}

/** The next nightly export reads what Prospector workflows contain that were not deleted. */
async function exportAll({ workflows, ids, executions }: Systems, person: Person): Promise<void> {
	const executionId = await workflows.start(await workflows.get(ids.nightlyExport));
	await executions.ended(executionId, RETRY_TIMEOUT_MS);
	await person.look(Object.values(ids));
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
