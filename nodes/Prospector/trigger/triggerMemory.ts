import { canResolveItself } from '../api/failure/requestError';
import type { UserMessage } from '../messages/userMessage';
import { DAY_MS, HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';

/** What was reported, and since when polls can't read everything. Milliseconds. */
interface Reported {
	failingSinceMs?: number;
	lastFailedAtMs?: number;
	reportedAtMs?: number;
	/** When losses were reported, by their advice, which is the same for losses of one kind. */
	lossReportTimesMs?: ReadonlyMap<string, number>;
}

/** After this time, n8n has saved what a poll emitted, or has discarded it. */
const MAX_SAVE_DURATION_MS = 30_000;
/** A trigger that has not polled for this long is forgotten. It would only report an outage again. */
const MAX_IDLE_MS = 8 * DAY_MS;

/** What this process remembers about a trigger between two polls. */
export class TriggerMemory {
	reported: Reported = {};
	readonly workflowNames = new Map<string, string>();
	/** When it polled last, on a clock that is never set. */
	lastUsedAtMs = 0;
	/** Of the last poll that did not throw. After an activation, n8n passes another object, and waits for the poll. */
	lastStaticData?: object;
	/** What n8n had stored, the state to continue from while it still has that, and when items were emitted. */
	unsavedState?: { baseText: unknown; stateText: unknown; emittedAtMs?: number };
	private runningPoll?: { staticData: object; controller: AbortController; endsAtMs: number };

	/**
	 * Starts a poll, and aborts a running one with other static data, which n8n has replaced or abandoned.
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

/**
 * Decides what to report of a poll: a failure at once if it needs a person, and after an hour if all are transient; a
 * loss at once; and each of these at most once an hour. A poll without a failure that has read everything ends an outage,
 * and any other poll without one after an hour, because it may not have tried what fails. Pure.
 *
 * @returns the failure and the losses for failed executions
 */
export function decidePollReport(
	last: Reported,
	outcome: Pick<PollOutcome, 'failures' | 'losses' | 'hasReadAll'>,
	nowMs: number,
): { reported: Reported; failure?: unknown; losses: UserMessage[] } {
	const isHourAgo = (sinceMs = -Infinity) => nowMs >= sinceMs + HOUR_MS;
	const { lossReportTimesMs: lastTimesMs = new Map<string, number>() } = last;
	const losses = outcome.losses.filter(({ description }) => isHourAgo(lastTimesMs.get(description)));
	const reportTimes = losses.map(({ description }) => [description, nowMs] as const);
	const lossReportTimesMs = new Map([...lastTimesMs, ...reportTimes]);
	const failure = outcome.failures.find((error) => !canResolveItself(error)) ?? outcome.failures[0];
	if (failure === undefined) {
		const isOutageOver = outcome.hasReadAll || isHourAgo(last.lastFailedAtMs);
		return { reported: isOutageOver ? { lossReportTimesMs } : { ...last, lossReportTimesMs }, losses };
	}
	const { failingSinceMs = nowMs, reportedAtMs } = last;
	const reported = { failingSinceMs, lastFailedAtMs: nowMs, reportedAtMs, lossReportTimesMs };
	const isReportDue = isHourAgo(reportedAtMs) && (!canResolveItself(failure) || isHourAgo(failingSinceMs));
	if (!isReportDue) return { reported, losses };
	return { reported: { ...reported, reportedAtMs: nowMs }, failure, losses };
}
