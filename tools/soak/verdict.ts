import type { Postgres } from '../../test/e2e/outside/postgresServer';
import { compare, type Comparison, type Delivery } from './compare';
import { isInProgress, type Execution } from '../../test/e2e/n8n/executions';
import type { Unfinished } from './person';
import { DAY_KEY } from './pipelines';
import type { Service, StoredResult } from './service';
import { DAY_MS, SPEED } from './time';
import type { Deletion } from './week';

/** Everything that the soak has found out in the end. */
export interface Evidence {
	service: Service;
	postgres: Postgres;
	/** Results that the service showed when the disturbances ended. */
	expected: Map<string, StoredResult>;
	/** Times of SIGKILL. */
	kills: number[];
	deletions: Deletion[];
	/** Runs that a saved state of the trigger has contained. */
	knownRuns: Set<string>;
	/** Executions of all n8n workflows, by ID. */
	executions: Map<string, Execution>;
	/** Executions that did not succeed, even when retried. */
	left: Unfinished[];
	/** n8n workflows that are not active any more. */
	inactive: string[];
	/** When the disturbances ended, in real time. */
	endedAt: number;
}

export interface Verdict {
	results: Comparison;
	/** Number of rows that the trigger has written. */
	leads: number;
	runsPerDay: Record<string, number>;
	/** Messages of executions that did not succeed, even when retried. */
	left: string[];
	/** One line for each broken promise. */
	violations: string[];
}

/** Compares what the database holds with what the service has produced. */
export async function judge(evidence: Evidence): Promise<Verdict> {
	const { service, postgres, expected, executions, left, inactive, endedAt } = evidence;
	const all = await service.readResults();
	const deliveries = await postgres.query<Delivery>(
		'SELECT result_id AS id, execution_id AS "executionId" FROM deliveries',
	);
	const results = compare(evidence, deliveries, new Set(all.keys()));
	const idsIn = async (sql: string) =>
		new Set((await postgres.query<{ id: string }>(sql)).map(({ id }) => id));
	const leads = await idsIn('SELECT lead_id AS id FROM prospector_leads');
	const exempt = new Set([...results.unreadable, ...results.lostByKill]);
	const missingLeads = [...expected.values()].filter(
		({ id, leadId }) => !leads.has(leadId) && !exempt.has(id),
	);
	const { runsPerDay, wrongDays } = countRunsPerDay(service, endedAt);

	const violations: string[] = [];
	const expectNone = (list: string[], text: string) => {
		if (list.length > 0) violations.push(`${list.length} ${text}: ${list.slice(0, 5).join(', ')}`);
	};
	expectNone(idsOf(missingLeads), 'results are not in the table of leads');
	expectNone(results.missing, 'results were never emitted by the trigger');
	expectNone(results.repeated, 'results were emitted more than once by the trigger');
	expectNone(results.invented, 'results were emitted that do not exist');
	expectNone(wrongDays, 'days do not have exactly one run');
	const hanging = [...executions.values()].filter(
		({ status }) => isInProgress(status) || status === 'waiting',
	);
	expectNone(idsOf(hanging), 'executions hang');
	const messages = left.map(({ message }) => message);
	expectNone(messages, 'executions could not be retried');
	expectNone(inactive, 'n8n workflows are not active any more');
	return { results, leads: leads.size, runsPerDay, left: messages, violations };
}

const idsOf = (items: Array<{ id: string }>) => items.map(({ id }) => id);

/** Every day has one scheduled run, however often the n8n workflow was executed. */
function countRunsPerDay({ clock, control }: Service, endedAt: number) {
	const lastDay = Math.floor(((endedAt - clock.startedAt) * SPEED) / DAY_MS);
	const runsPerDay: Record<string, number> = {};
	for (let day = 0; day <= lastDay; day++) runsPerDay[`${DAY_KEY}${day}`] = 0;
	for (const { idempotencyKey } of control.runs().runs)
		if (idempotencyKey) runsPerDay[idempotencyKey] = (runsPerDay[idempotencyKey] ?? 0) + 1;
	const wrongDays = Object.entries(runsPerDay)
		// The last day can have begun a moment before the end.
		.filter(([key, count]) => count > 1 || (count === 0 && key !== `${DAY_KEY}${lastDay}`))
		.map(([key, count]) => `${key}: ${count}`);
	return { runsPerDay, wrongDays };
}
