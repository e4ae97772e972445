import { isTransientError } from '../api/failure/requestError';
import type { UserError } from '../messages/userMessage';
import { DAY_MS, HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';

/** A time during which polls can't read everything. Milliseconds. */
interface Outage {
	/** When its first and its last failure occurred. */
	sinceMs?: number;
	failedAtMs?: number;
	reportedAtMs?: number;
	/** When losses were reported, by their advice, which is the same for losses of one kind. */
	lossesAtMs?: ReadonlyMap<string, number>;
}

/** After this time, n8n has saved what a poll emitted, or has discarded it. */
const MAX_SAVE_MS = 30_000;
/** A trigger that has not polled for this long is forgotten. It would only report an outage again. */
const MAX_IDLE_MS = 8 * DAY_MS;

/** What this process remembers about a trigger between two polls. A context is the static data of a poll. */
export class TriggerMemory {
	outage: Outage = {};
	/** When it polled last, on a clock that is never set. */
	usedAtMs = 0;
	/** Context of the last poll that did not throw: n8n may be waiting for the first poll of another one. */
	lastContext?: object;
	/** State that n8n may not save, the stored text that it continues, and when a poll has emitted what is new since. */
	unsaved?: { stored: unknown; text: unknown; emittedAtMs?: number };
	private running?: { context: object; controller: AbortController; untilMs: number };

	/**
	 * Starts a poll, and aborts a running one of another context, which n8n has replaced or abandoned.
	 *
	 * @param nowMs on a clock that is never set
	 * @param budgetMs time in which n8n does not abandon the poll
	 * @returns its abort signal; undefined while another poll runs, or n8n may be saving the last one's items
	 */
	start(context: object, stored: unknown, nowMs: number, budgetMs = 0): AbortSignal | undefined {
		const { emittedAtMs = -Infinity, stored: before } = this.unsaved ?? {};
		const isBeingSaved = before === stored && nowMs < emittedAtMs + MAX_SAVE_MS;
		const { running } = this;
		const isRunning = running && (running.context === context || nowMs < running.untilMs);
		if (isBeingSaved || isRunning) return undefined;
		running?.controller.abort();
		this.running = { context, controller: new AbortController(), untilMs: nowMs + budgetMs };
		return this.running.controller.signal;
	}

	/** Returns the newest state: the unsaved one if it continues what n8n has stored. */
	newestText = (stored: unknown): unknown =>
		this.unsaved && this.unsaved.stored === stored ? this.unsaved.text : stored;

	end(context: object): void {
		if (this.running?.context === context) this.running = undefined;
	}
}

/** @param nowMs as in `start` @returns the memory of a trigger; those of triggers that polled long ago are deleted */
export function getMemory(
	memories: Map<string, TriggerMemory>,
	triggerId: string,
	nowMs: number,
): TriggerMemory {
	const memory = memories.get(triggerId) ?? new TriggerMemory();
	memory.usedAtMs = nowMs;
	memories.set(triggerId, memory);
	for (const [id, { usedAtMs }] of memories) if (nowMs - usedAtMs > MAX_IDLE_MS) memories.delete(id);
	return memory;
}

/**
 * Decides what to report of a poll: a failure at once if it needs a person, and after an hour if all are transient; a
 * loss at once; and each of these at most once an hour. A poll without a failure that has read everything ends an outage,
 * and any other poll without one after an hour, because it may not have tried what fails. Pure.
 *
 * @returns the failure and the losses for failed executions
 */
export function reportPoll(
	last: Outage,
	poll: Pick<PollOutcome, 'failures' | 'losses' | 'isComplete'>,
	nowMs: number,
): { outage: Outage; failure?: unknown; losses: UserError[] } {
	const isHourAfter = (atMs = -Infinity) => nowMs >= atMs + HOUR_MS;
	const losses = poll.losses.filter(({ userMessage }) =>
		isHourAfter(last.lossesAtMs?.get(userMessage.description)),
	);
	const reported = losses.map(({ userMessage }) => [userMessage.description, nowMs] as const);
	const lossesAtMs = new Map([...(last.lossesAtMs ?? []), ...reported]);
	const failure = poll.failures.find((error) => !isTransientError(error)) ?? poll.failures[0];
	if (failure === undefined) {
		const isOver = poll.isComplete || isHourAfter(last.failedAtMs);
		return { outage: isOver ? { lossesAtMs } : { ...last, lossesAtMs }, losses };
	}
	const outage = { ...last, sinceMs: last.sinceMs ?? nowMs, failedAtMs: nowMs, lossesAtMs };
	const isDue =
		isHourAfter(outage.reportedAtMs) && (!isTransientError(failure) || isHourAfter(outage.sinceMs));
	return isDue ? { outage: { ...outage, reportedAtMs: nowMs }, failure, losses } : { outage, losses };
}
