import { DAY_MS } from '../utils';
import type { Outage } from './outage';

/** After this time, n8n has saved what a poll emitted, or has discarded it. */
const MAX_SAVE_MS = 30_000;
/** A trigger that has not polled for this long is forgotten. It would only report an outage again. */
const MAX_IDLE_MS = 8 * DAY_MS;

/** What this process remembers about a trigger between two polls. A context is the static data of a poll. */
export class TriggerMemory {
	outage: Outage = {};
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

/** The triggers of this process. */
export class TriggerMemories {
	private readonly memories = new Map<string, { memory: TriggerMemory; usedAtMs: number }>();

	/** @param nowMs as in `start` */
	of(triggerId: string, nowMs: number): TriggerMemory {
		const { memory } = this.memories.get(triggerId) ?? { memory: new TriggerMemory() };
		this.memories.set(triggerId, { memory, usedAtMs: nowMs });
		for (const [id, { usedAtMs }] of this.memories)
			if (nowMs - usedAtMs > MAX_IDLE_MS) this.memories.delete(id);
		return memory;
	}
}
