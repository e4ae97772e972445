import { originalOf } from './person';
import type { PipelineName } from './pipelines';
import type { Evidence } from './verdict';

/**
 * n8n saves the trigger's state and starts the execution one after the other. The documentation says that a kill in
 * between can lose or repeat items, so the verdict counts these apart.
 */
const NEAR_KILL_MS = 15_000;

/** An item that the database has received. */
export interface Delivery {
	/** Of the result or run. */
	id: string;
	executionId: string;
}

export interface Expectation {
	trigger: PipelineName;
	/** What must have been emitted, with the run and the creation time on the service's clock. */
	expected: Array<{ id: string; runId: string; createdAt: number }>;
	/** Whether the service has this result or failed run now. */
	exists: (id: string) => boolean;
}

/** IDs of results or runs. All but `expected` and `writtenAgain` should be empty. */
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

/** Compares what a trigger has emitted with what it had to emit. */
export function compare(
	{
		executions,
		kills,
		deletions,
		knownRuns,
		service,
	}: Pick<Evidence, 'executions' | 'kills' | 'deletions' | 'knownRuns' | 'service'>,
	deliveries: Delivery[],
	{ trigger, expected, exists }: Expectation,
): Comparison {
	const emissions = new Map<string, Set<string>>();
	const rows = new Map<string, number>();
	for (const { id, executionId } of deliveries) {
		emissions.set(id, (emissions.get(id) ?? new Set()).add(originalOf(executions, executionId)));
		rows.set(id, (rows.get(id) ?? 0) + 1);
	}

	const startedAt = (id: string) => Date.parse(executions.get(id)?.startedAt ?? '');
	const isNearKill = (id: string) => kills.some((kill) => Math.abs(kill - startedAt(id)) < NEAR_KILL_MS);
	const repeated = [...emissions].filter(([, originals]) => originals.size > 1);
	const byKill = repeated.filter(([, originals]) => [...originals].some(isNearKill));

	const workflowOf = new Map(service.control.runs().runs.map(({ id, workflowId }) => [id, workflowId]));
	const deleted = new Set(deletions.map(({ workflowId }) => workflowId));
	const known = knownRuns.get(trigger);
	const isReadable = (runId: string) => known?.has(runId) || !deleted.has(workflowOf.get(runId) ?? '');
	const readsBeforeKill = service
		.journal()
		.map(({ path, status, time }) => ({ path, status, at: service.clock.toReal(Date.parse(time)) }))
		.filter(
			({ status, at }) => status === 200 && kills.some((kill) => kill > at && kill - at < NEAR_KILL_MS),
		);
	const absent = expected.filter(({ id }) => !emissions.has(id));
	const readable = absent.filter(({ runId }) => isReadable(runId));
	const lost = readable.filter(({ runId, createdAt }) =>
		readsBeforeKill.some(({ path, at }) => path.includes(runId) && at >= service.clock.toReal(createdAt)),
	);

	const idsOf = (items: Array<{ id: string }>) => items.map(({ id }) => id);
	const keysOf = (entries: Array<[string, unknown]>) => entries.map(([id]) => id);
	return {
		expected: expected.length,
		missing: idsOf(readable.filter((item) => !lost.includes(item))),
		lostByKill: idsOf(lost),
		unreadable: idsOf(absent.filter((item) => !readable.includes(item))),
		repeated: keysOf(repeated.filter((entry) => !byKill.includes(entry))),
		repeatedByKill: keysOf(byKill),
		writtenAgain: keysOf([...rows].filter(([id, count]) => count > (emissions.get(id)?.size ?? 0))),
		invented: [...emissions.keys()].filter((id) => !exists(id)),
	};
}
