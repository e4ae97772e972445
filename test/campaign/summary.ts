import type { Truth } from './checks';
import type { Evidence } from './evidence';
import type { Operation } from './plan';

/** A campaign in numbers. */
export interface Summary {
	operations: number;
	executions: number;
	retries: number;
	interruptions: number;
	/** Failed items that were repeated; of these, how many with a key that their message did not name. */
	repeated: number;
	repeatedWithoutKey: number;
	requests: number;
	faults: Record<string, number>;
	/** Refusals by the service's own limit, without those that were faults. */
	refusedByLimit: number;
	replayed: number;
	runsStarted: number;
	workflowsCreated: number;
	messages: Record<string, number>;
	/** Waits of node and persons on the fast clock. */
	waits: number;
	/** Real ones. */
	milliseconds: number;
}

export function summaryOf(
	operations: Operation[],
	evidence: Evidence,
	{ journal, runs, workflowsCreated }: Truth,
	waits: number,
	milliseconds: number,
): Summary {
	const faults: Record<string, number> = {};
	for (const { fault } of journal) if (fault) faults[fault.kind] = (faults[fault.kind] ?? 0) + 1;
	return {
		operations: operations.length,
		executions: evidence.executions,
		retries: evidence.retries,
		interruptions: evidence.interruptions,
		repeated: evidence.repeated,
		repeatedWithoutKey: evidence.withoutKey,
		requests: journal.length,
		faults,
		refusedByLimit: journal.filter(({ status, fault }) => status === 429 && !fault).length,
		replayed: journal.filter(({ replayed }) => replayed).length,
		runsStarted: runs.started,
		workflowsCreated,
		messages: Object.fromEntries(evidence.messages),
		waits,
		milliseconds,
	};
}
