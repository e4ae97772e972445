import { originalOf } from './person';
import type { Evidence } from './verdict';

/**
 * n8n saves the trigger's state and starts the execution one after the other. docs/n8n-behaviour.md says that a kill in between
 * can lose or repeat items, so the verdict counts these apart.
 */
const NEAR_KILL_MS = 15_000;

/** An item that the database has received. */
export interface Delivery {
	/** Of the result. */
	id: string;
	executionId: string;
}

/** IDs of results. All but `expected` and `writtenAgain` should be empty. */
export interface Comparison {
	expected: number;
	/** Never emitted. */
	missing: string[];
	/** Never emitted, but read just before a SIGKILL. */
	lostByKill: string[];
	/** Never emitted: the Prospector workflow was deleted before n8n had saved a state with the run. */
	unreadable: string[];
	/** Emitted more than once. */
	repeated: string[];
	/** Emitted more than once, one time just before or after a SIGKILL. */
	repeatedByKill: string[];
	/** Emitted once, but written again by a retry of the same execution. */
	writtenAgain: string[];
	/** Emitted, but unknown to the service. */
	invented: string[];
}

/**
 * Compares what the trigger has emitted with what it had to emit.
 *
 * @param existing IDs of the results that the service has now
 */
export function compare(
	{ executions, kills, deletions, knownRuns, service, expected }: Evidence,
	deliveries: Delivery[],
	existing: Set<string>,
): Comparison {
	const emissions = new Map<string, Set<string>>();
	const rows = new Map<string, number>();
	for (const { id, executionId } of deliveries) {
		emissions.set(id, (emissions.get(id) ?? new Set()).add(originalOf(executions, executionId)));
		rows.set(id, (rows.get(id) ?? 0) + 1);
	}

	const isNear = (atMs: number) => kills.some((kill) => Math.abs(kill - atMs) < NEAR_KILL_MS);
	const isExecutionNear = (id: string) => isNear(Date.parse(executions.get(id)?.startedAt ?? ''));
	const repeated = [...emissions].filter(([, originals]) => originals.size > 1);
	const byKill = repeated.filter(([, originals]) => [...originals].some(isExecutionNear));

	const workflowOf = new Map(service.control.runs().runs.map(({ id, workflowId }) => [id, workflowId]));
	const deleted = new Set(deletions.map(({ workflowId }) => workflowId));
	const isReadable = (runId: string) => knownRuns.has(runId) || !deleted.has(workflowOf.get(runId) ?? '');
	const absent = [...expected.values()].filter(({ id }) => !emissions.has(id));
	const readable = absent.filter(({ runId }) => isReadable(runId));
	const readsNearKill = service
		.journal()
		.map(({ path, status, time }) => ({ path, status, atMs: service.clock.toReal(Date.parse(time)) }))
		.filter(({ status, atMs }) => status === 200 && isNear(atMs));
	const lost = readable.filter(({ runId, createdAt }) =>
		readsNearKill.some(({ path, atMs }) => path.includes(runId) && atMs >= service.clock.toReal(createdAt)),
	);

	const idsOf = (items: Array<{ id: string }>) => items.map(({ id }) => id);
	const keysOf = (entries: Array<[string, unknown]>) => entries.map(([id]) => id);
	return {
		expected: expected.size,
		missing: idsOf(readable.filter((item) => !lost.includes(item))),
		lostByKill: idsOf(lost),
		unreadable: idsOf(absent.filter((item) => !readable.includes(item))),
		repeated: keysOf(repeated.filter((entry) => !byKill.includes(entry))),
		repeatedByKill: keysOf(byKill),
		writtenAgain: keysOf([...rows].filter(([id, count]) => count > (emissions.get(id)?.size ?? 0))),
		invented: [...emissions.keys()].filter((id) => !existing.has(id)),
	};
}
