import { RequestStats } from '../transport/retry/requestStats';

/** Statuses of runs by their ids, '' where the service shows none. */
export type StatusByRun = Map<string, string>;

/**
 * What an execution of the node has to tell a person beside its items, collected over all input items so that each
 * thing is said once.
 */
export class HintCollector {
	/** Retry and throttling counts of its requests. */
	readonly stats = new RequestStats();
	/** Lists that go on after the limit. */
	cutLists = 0;
	/** Items whose own idempotency key was not used, since the mode is Automatic. */
	keysNotUsed = 0;
	/** Items that were sent without an idempotency key, since n8n names no execution. */
	keysNotSent = 0;
	/** Runs that ended without results where results were wanted. */
	readonly withoutResults: StatusByRun = new Map();
	/** Runs that had not finished when their results were read. */
	readonly unfinished: StatusByRun = new Map();
	/** What looking at a run has shown, by its id: undefined where it could not be seen. */
	readonly looks = new Map<string, Promise<string | undefined>>();
}
