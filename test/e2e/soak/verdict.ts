import type { Execution } from '../n8n/executions';
import type { Postgres } from '../outside/postgresServer';
import { originalOf, type Unfinished } from './person';
import { DAY_KEY } from './pipelines';
import type { Service, StoredResult } from './service';
import { DAY_MS } from './time';
import type { Deletion } from './week';

/** n8n saves the trigger's state and the execution one after the other. A kill in between is a documented exception. */
const NEAR_KILL_MS = 15_000;

export interface Delivery {
	id: string;
	executionId: string;
}

/** Everything that the soak has found out in the end. */
export interface Evidence {
	service: Service;
	postgres: Postgres;
	/** Results that the service showed when the disturbances ended. */
	expected: Map<string, StoredResult>;
	/** Real times of SIGKILL. */
	kills: number[];
	deletions: Deletion[];
	/** Runs that a saved state of the trigger has contained, by trigger. */
	knownRuns: Map<string, Set<string>>;
	/** Executions of all n8n workflows, by ID. */
	executions: Map<string, Execution>;
	/** Executions that did not succeed, even when retried. */
	left: Unfinished[];
	inactive: string[];
	/** Real time at which the disturbances ended. */
	endedAt: number;
}

export interface Comparison {
	expected: number;
	missing: string[];
	/** Missing, but near a SIGKILL, as documented. */
	lostByKill: string[];
	/** Missing, because nobody could read the run's ID before its Prospector workflow was deleted. */
	unreadable: string[];
	/** Emitted more than once by the trigger. */
	repeated: string[];
	/** Emitted more than once, near a SIGKILL, as documented. */
	repeatedByKill: string[];
	/** Written again by a retry of the same execution. */
	writtenAgain: string[];
	/** Not the service's, or not expected. */
	invented: string[];
}

export interface Verdict {
	results: Comparison;
	failedRuns: Comparison;
	/** Results that are in no row of `leads`. */
	missingLeads: string[];
	leads: number;
	/** Runs per day key. */
	runsPerDay: Record<string, number>;
	days: number;
	hanging: string[];
	left: string[];
	inactive: string[];
	/** One line for each broken promise. */
	violations: string[];
}

/** Compares what the database holds with what the service has produced. */
export async function judge(evidence: Evidence): Promise<Verdict> {
	const { service, postgres, expected, executions, left, inactive } = evidence;
	const { runs } = service.control.runs();
	const all = await service.readResults();
	const leads = await postgres.query<{ result_id: string }>('SELECT result_id FROM leads');
	const leadIds = new Set(leads.map(({ result_id }) => result_id));
	const workflowOf = new Map(runs.map(({ id, workflowId }) => [id, workflowId]));

	const deliveries = await postgres.query<Delivery>(
		'SELECT result_id AS id, execution_id AS "executionId" FROM deliveries',
	);
	const results = compare(evidence, 'newResults', deliveries, {
		expected: new Map([...expected].map(([id, { runId, createdAt }]) => [id, { runId, createdAt }])),
		exists: (id) => all.has(id),
		workflowOf,
	});
	const failed = await postgres.query<Delivery>(
		'SELECT run_id AS id, execution_id AS "executionId" FROM failed_runs',
	);
	const failedNow = runs.filter(({ status }) => status === 'failed').map(({ id }) => id);
	const failedRuns = compare(evidence, 'failedRuns', failed, {
		expected: new Map(
			failedNow.map((id) => [id, { runId: id, createdAt: service.clock.toService(evidence.endedAt) }]),
		),
		exists: (id) => failedNow.includes(id),
		workflowOf,
	});

	const lastDay = Math.floor(((evidence.endedAt - service.clock.startedAt) * 168) / DAY_MS);
	const runsPerDay: Record<string, number> = {};
	for (let day = 0; day <= lastDay; day++) runsPerDay[`${DAY_KEY}${day}`] = 0;
	for (const { idempotencyKey } of runs)
		if (idempotencyKey) runsPerDay[idempotencyKey] = (runsPerDay[idempotencyKey] ?? 0) + 1;
	const unreadable = new Set(results.unreadable);
	const missingLeads = [...expected.keys()].filter((id) => !leadIds.has(id) && !unreadable.has(id));
	const hanging = [...executions.values()]
		.filter(({ status }) => ['new', 'running', 'unknown', 'waiting'].includes(status))
		.map(({ id }) => id);

	const violations: string[] = [];
	const require = (list: string[], text: string) => {
		if (list.length > 0) violations.push(`${list.length} ${text}: ${list.slice(0, 5).join(', ')}`);
	};
	require(missingLeads, 'results are not in the table of leads');
	for (const [what, { missing, repeated, invented }] of [
		['results', results],
		['failed runs', failedRuns],
	] as const) {
		require(missing, `${what} were never emitted by the trigger`);
		require(repeated, `${what} were emitted more than once by the trigger`);
		require(invented, `${what} were emitted that do not exist`);
	}
	// The last day can have begun a moment before the end.
	const wrongDays = Object.entries(runsPerDay).filter(
		([key, count]) => count > 1 || (count === 0 && key !== `${DAY_KEY}${lastDay}`),
	);
	require(wrongDays.map(([key, count]) => `${key}: ${count}`), 'days do not have exactly one run');
	require(hanging, 'executions hang');
	const unexpected = left.filter(({ message }) => !/was not found/.test(message));
	require(unexpected.map(
		({ execution, message }) => `${execution.id} ${message}`,
	), 'executions could not be retried');
	require(inactive, 'n8n workflows are not active any more');
	return {
		...{ results, failedRuns, missingLeads, leads: leadIds.size, runsPerDay, days: lastDay + 1, hanging },
		left: left.map(({ message }) => message),
		...{ inactive, violations },
	};
}

function compare(
	{ executions, kills, deletions, knownRuns, service }: Evidence,
	trigger: string,
	deliveries: Delivery[],
	{
		expected,
		exists,
		workflowOf,
	}: {
		expected: Map<string, { runId: string; createdAt: number }>;
		exists: (id: string) => boolean;
		workflowOf: Map<string, string>;
	},
): Comparison {
	const isNearKill = (at: number) => kills.some((kill) => Math.abs(kill - at) < NEAR_KILL_MS);
	const startedAt = (id: string) =>
		Date.parse((executions.get(id) as (Execution & { startedAt: string }) | undefined)?.startedAt ?? '');
	const emissions = new Map<string, Set<string>>();
	const rows = new Map<string, number>();
	for (const { id, executionId } of deliveries) {
		const originals = emissions.get(id) ?? new Set();
		emissions.set(id, originals.add(originalOf(executions, executionId)));
		rows.set(id, (rows.get(id) ?? 0) + 1);
	}
	const repeated = [...emissions].filter(([, originals]) => originals.size > 1);
	const byKill = repeated.filter(([, originals]) => [...originals].some((id) => isNearKill(startedAt(id))));
	const isDeletedUnknown = (runId: string) =>
		deletions.some(({ workflowId }) => workflowId === workflowOf.get(runId)) &&
		!knownRuns.get(trigger)?.has(runId);
	// A result is read by requests for its run. The last of them before a kill can have been in vain.
	const reads = service
		.journal()
		.filter(({ status }) => status === 200)
		.map(({ path, time }) => ({ path, at: service.clock.toReal(Date.parse(time)) }));
	const isLostByKill = ({ runId, createdAt }: { runId: string; createdAt: number }) => {
		const createdReal = service.clock.toReal(createdAt);
		return reads.some(
			({ path, at }) =>
				path.includes(runId) &&
				at >= createdReal &&
				kills.some((kill) => kill > at && kill - at < NEAR_KILL_MS),
		);
	};
	const absent = [...expected].filter(([id]) => !emissions.has(id));
	const ids = (entries: Array<[string, unknown]>) => entries.map(([id]) => id);
	const unreadable = absent.filter(([, { runId }]) => isDeletedUnknown(runId));
	const others = absent.filter((entry) => !unreadable.includes(entry));
	const lostByKill = others.filter(([, result]) => isLostByKill(result));
	return {
		expected: expected.size,
		missing: ids(others.filter((entry) => !lostByKill.includes(entry))),
		lostByKill: ids(lostByKill),
		unreadable: ids(unreadable),
		repeated: ids(repeated.filter((entry) => !byKill.includes(entry))),
		repeatedByKill: ids(byKill),
		writtenAgain: [...rows].filter(([id, count]) => count > emissions.get(id)!.size).map(([id]) => id),
		invented: [...emissions.keys()].filter((id) => !exists(id)),
	};
}
