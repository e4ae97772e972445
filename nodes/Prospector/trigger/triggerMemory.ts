import { isTransientError } from '../transport/failure/requestError';

/** A time during which polls can't read everything. Milliseconds. */
export interface Outage {
	/** When the first failure after the last poll without one occurred. */
	since?: number;
	reportedAt?: number;
}

const HOUR_MS = 3_600_000;

/**
 * Decides whether to report a poll's failures: at once if one needs a person, after an hour if all are transient, and
 * at most once an hour. Only a poll without a failure that has read everything ends the outage. Pure.
 */
export function reportFailures(
	outage: Outage,
	{ failures, isComplete }: { failures: unknown[]; isComplete: boolean },
	now: number,
): { outage: Outage; reported?: unknown } {
	const { since = now, reportedAt = -Infinity } = outage;
	const failure = failures.find((error) => !isTransientError(error)) ?? failures[0];
	if (failure === undefined) return { outage: isComplete ? {} : { reportedAt } };
	const wait = isTransientError(failure) ? HOUR_MS : 0;
	const isDue = now >= reportedAt + HOUR_MS && now >= since + wait;
	if (isDue) return { outage: { since, reportedAt: now }, reported: failure };
	return { outage: { since, reportedAt } };
}

/** After this time, n8n has saved what a poll emitted, or has discarded it. */
const MAX_SAVE_MS = 30_000;

const memories = new Map<string, TriggerMemory>();

/** What this process remembers about a trigger between two polls. A context is the static data of a poll. */
export class TriggerMemory {
	outage: Outage = {};
	/** Context of the last poll that did not throw: n8n may be waiting for the first poll of another one. */
	lastContext?: object;
	/** State that n8n may not save, the stored text that it continues, and when a poll has emitted what is new since. */
	unsaved?: { stored: unknown; text: unknown; emittedAt?: number };
	private running?: { context: object; controller: AbortController };

	static of(triggerId: string): TriggerMemory {
		const memory = memories.get(triggerId) ?? new TriggerMemory();
		memories.set(triggerId, memory);
		return memory;
	}

	/**
	 * Starts a poll, and aborts a running one of another context, which n8n has replaced or abandoned.
	 *
	 * @param now milliseconds since the epoch
	 * @returns its abort signal; undefined while a poll of this context runs, or n8n may be saving the last one's items
	 */
	start(context: object, stored: unknown, now: number): AbortSignal | undefined {
		const { emittedAt = -Infinity, stored: before } = this.unsaved ?? {};
		const isBeingSaved = before === stored && now < emittedAt + MAX_SAVE_MS;
		if (isBeingSaved || this.running?.context === context) return undefined;
		this.running?.controller.abort();
		this.running = { context, controller: new AbortController() };
		return this.running.controller.signal;
	}

	/** Returns the newest state: the unsaved one if it continues what n8n has stored. */
	newestText = (stored: unknown): unknown =>
		this.unsaved && this.unsaved.stored === stored ? this.unsaved.text : stored;

	end(context: object): void {
		if (this.running?.context === context) this.running = undefined;
	}
}
