// What a process remembers of a trigger between polls, besides the stored state. Notices polls that overlap, and what
// n8n has not stored. Tests: test/unit/trigger/pollTrigger.test.ts.
import { DAY_MS } from '../utils';

/** After this time, what a poll emitted was saved or discarded (n8n-behaviour.md#polls). */
const MAX_SAVE_DURATION_MS = 30_000;
/** A trigger that has not polled for this long is forgotten. It would only report the same problem again. */
const MAX_IDLE_MS = 8 * DAY_MS;

/** What this process remembers about a trigger between two polls. */
export class TriggerMemory {
	/** When problems were reported last, by their kind, or logged, by their message; on a clock that is never set. */
	reportedAtMs: ReadonlyMap<string, number> = new Map();
	readonly workflowNames = new Map<string, string>();
	/** When it polled last, on a clock that is never set. */
	lastUsedAtMs = 0;
	/**
	 * Of the last poll that did not throw. After an activation, n8n passes another object (n8n-behaviour.md#activation).
	 */
	lastStaticData?: object;
	/** What n8n had stored, the state to continue from while it still has that, and when items were emitted. */
	unsavedState?: { baseText: unknown; stateText: unknown; emittedAtMs?: number };
	private runningPoll?: { staticData: object; controller: AbortController; endsAtMs: number };

	/**
	 * Starts a poll, and aborts a running one with other static data, which n8n has replaced or abandoned
	 * (n8n-behaviour.md#polls).
	 *
	 * @param nowMs on a clock that is never set
	 * @param budgetMs time in which n8n does not abandon the poll
	 * @returns its abort signal; undefined while another poll runs, or n8n may be saving the last one's items
	 */
	beginPoll(staticData: object, storedState: unknown, nowMs: number, budgetMs = 0): AbortSignal | undefined {
		const { emittedAtMs = -Infinity, baseText } = this.unsavedState ?? {};
		const isBeingSaved = baseText === storedState && nowMs < emittedAtMs + MAX_SAVE_DURATION_MS;
		const { runningPoll } = this;
		const isRunning = runningPoll && (runningPoll.staticData === staticData || nowMs < runningPoll.endsAtMs);
		if (isBeingSaved || isRunning) return undefined;
		runningPoll?.controller.abort();
		this.runningPoll = { staticData, controller: new AbortController(), endsAtMs: nowMs + budgetMs };
		return this.runningPoll.controller.signal;
	}

	/** Returns the newest state: the unsaved one if it continues what n8n has stored. */
	getNewestStateText = (storedState: unknown): unknown =>
		this.unsavedState?.baseText === storedState ? this.unsavedState?.stateText : storedState;

	endPoll(staticData: object): void {
		if (this.runningPoll?.staticData === staticData) this.runningPoll = undefined;
	}
}

/** @param nowMs as in `beginPoll` @returns the memory of a trigger; those idle for long are deleted */
export function getMemory(memories: Map<string, TriggerMemory>, triggerId: string, nowMs: number) {
	const memory = memories.get(triggerId) ?? new TriggerMemory();
	memory.lastUsedAtMs = nowMs;
	memories.set(triggerId, memory);
	for (const [id, { lastUsedAtMs }] of memories) if (nowMs - lastUsedAtMs > MAX_IDLE_MS) memories.delete(id);
	return memory;
}
