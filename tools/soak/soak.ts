/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { setTimeout as pause } from 'node:timers/promises';
import { Executions, isInProgress } from '../../test/e2e/n8n/executions';
import { eventually } from '../../test/e2e/n8n/rest';
import type { Target } from '../../test/e2e/n8n/target';
import { Disturbances, type Counts } from './disturbances';
import { Monitor, type Sample } from './monitor';
import { listExecutions, Person, RETRY_TIMEOUT_MS, type Listed } from './person';
import type { PipelineName } from './pipelines';
import { saveEvidence } from './saveEvidence';
import type { StoredResult } from './service';
import { startSystems, type Systems } from './systems';
import { DAY_MS, HOUR_MS, SPEED } from './time';
import { judge, type Evidence, type Verdict } from './verdict';

export interface SoakOptions {
	minutes: number;
	seed: number;
	target: Target;
	log: (line: string) => void;
	/** A file for everything that the verdict is based on. */
	evidenceFile?: string;
}

export interface SoakReport {
	minutes: number;
	seed: number;
	n8n: string;
	verdict: Verdict;
	counts: Counts;
	deletedWithUnfinishedRuns: number;
	runs: number;
	/** Number of n8n's requests by status, 0 for those without a complete response. */
	requests: Record<string, number>;
	retriesLogged: number;
	skippedPolls: number;
	/** Number of executions by n8n workflow and status. */
	executions: Record<string, Record<string, number>>;
	/** Number of executions that a person retried, by message. */
	retriedByHand: Record<string, number>;
	samples: Sample[];
	catchUpSeconds: number;
}

/** A person looks at the executions once a day. n8n may be stopped then. */
const VISIT_MS = DAY_MS / SPEED;

const CATCH_UP_TIMEOUT_MS = 8 * 60_000;
const LAST_EXECUTIONS_TIMEOUT_MS = 3 * 60_000;

/** Lets n8n, a database and the service work together for a time in which much goes wrong, and compares the data. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
	const { minutes, seed, target, log, evidenceFile } = options;
	const isShort = minutes < 10;
	const systems = await startSystems({ seed, isShort, target });
	const { service, n8n, ids, week } = systems;
	const { rest } = n8n.n8n;
	const monitor = new Monitor(n8n, { newResults: ids.newResults, failedRuns: ids.failedRuns });
	const person = new Person(rest);
	try {
		monitor.start();
		log(`The week begins: ${minutes} minutes.`);
		const counts = await disturb(systems, person, options);
		const endedAt = Date.now();
		const expected = await service.readResults();
		const { runs } = service.control.runs();
		const failedRuns = runs.filter(({ status }) => status === 'failed').map(({ id }) => id);
		log(`The week is over: ${expected.size} results. n8n catches up, and a person retries executions.`);
		await catchUp(systems, person, monitor, expected);
		await exportAll(systems, person);
		const catchUpSeconds = Math.round((Date.now() - endedAt) / 1000);
		// Nothing may be emitted twice in the following polls, either.
		await pause(isShort ? 12_000 : 60_000);
		await monitor.sample();
		await monitor.stop();

		const inactive = await deactivateAll(systems);
		const left = await person.look(Object.values(ids));
		const all = await listAll(systems);
		const evidence: Evidence = {
			...{ service, postgres: systems.postgres, expected, failedRuns, left, inactive, endedAt },
			...{ kills: n8n.kills, deletions: week.deletions, knownRuns: monitor.knownRuns },
			executions: new Map(all.map((each) => [each.id, each])),
		};
		const verdict = await judge(evidence);
		const n8nLog = n8n.n8n.log();
		if (evidenceFile !== undefined) await saveEvidence(evidenceFile, evidence, verdict, n8nLog);
		const retried = [...person.retried.values()];
		return {
			...{ minutes, seed, n8n: target.version, verdict, counts, catchUpSeconds },
			deletedWithUnfinishedRuns: week.deletions.filter((each) => each.hasUnfinishedRuns).length,
			runs: service.control.runs().runs.length,
			requests: count(service.journal().map(({ status }) => String(status ?? 0))),
			retriesLogged: n8nLog.split('Trying again').length - 1,
			skippedPolls: n8nLog.split('so this one is skipped').length - 1,
			executions: countByWorkflow(all, ids),
			retriedByHand: count(retried.map(({ node, message }) => `${node}: ${withoutDetails(message)}`)),
			samples: monitor.samples,
		};
	} finally {
		await monitor.stop();
		await systems.close();
	}
}

/** The week with all its disturbances. Ends with every system working. */
async function disturb(systems: Systems, person: Person, { minutes, log }: SoakOptions): Promise<Counts> {
	const { week, ids, random } = systems;
	const maxSeconds = minutes < 10 ? 10 : 60;
	const disturbances = new Disturbances({
		...systems,
		...{ random: random('disturbances'), maxSeconds, log },
	});
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
	const known = monitor.knownRuns.get('newResults');
	const wanted = [...expected.values()].filter(({ runId }) => known?.has(runId) || !deletedRuns.has(runId));
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
async function exportAll({ workflows, ids, n8n }: Systems, person: Person): Promise<void> {
	const executionId = await workflows.start(await workflows.get(ids.nightlyExport));
	await new Executions(n8n.n8n.rest).ended(executionId, RETRY_TIMEOUT_MS);
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

async function listAll({ ids, n8n }: Systems): Promise<Listed[]> {
	const lists = Object.values(ids).map(async (id) => await listExecutions(n8n.n8n.rest, id));
	return (await Promise.all(lists)).flat();
}

function countByWorkflow(executions: Listed[], ids: Record<PipelineName, string>) {
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

/** Removes what differs between messages of the same kind. */
const withoutDetails = (message: string) =>
	message
		.replace(/ \(request \w+\)/g, '')
		.replace(/(?:wf|run|res|req)_\w+/g, '…')
		.replace(/:\d+$/, '');
