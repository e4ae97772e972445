import type { Candidate } from './candidates';

/** A trigger's turn to poll. */
export interface Turn {
	/** The object that n8n keeps the trigger's memory in: a new one with every activation. */
	memory: WeakRef<object>;
	isPolling: boolean;
	/** Whether the activation is not through yet: n8n waits for the end of the poll, and repeats one that throws. */
	isActivation: boolean;
	/** Set when another activation has taken over: what this poll finds, that one will find. */
	isSuperseded: boolean;
	trouble?: Trouble;
}

/** Since when nothing could be read, in milliseconds. */
export interface Trouble {
	since: number;
	/** When it was last made an execution that failed. */
	toldAt?: number;
}

const turns = new Map<string, Turn>();

/** Finds that have to wait for a later poll. Lost with the process, and then found again. */
const held = new WeakMap<object, Candidate[]>();

/**
 * Begins a poll, unless the poll before is still under way: n8n does not wait for it.
 *
 * @param trigger names the trigger among all of this process
 * @param memory where n8n keeps what it remembers
 */
export function beginTurn(trigger: string, memory: object): Turn | undefined {
	const before = turns.get(trigger);
	if (before?.memory.deref() === memory) {
		if (before.isPolling) return undefined;
		before.isPolling = true;
		return before;
	}
	if (before) before.isSuperseded = true;
	const flags = { isPolling: true, isActivation: true, isSuperseded: false };
	const turn: Turn = { memory: new WeakRef(memory), ...flags };
	if (before?.trouble) turn.trouble = before.trouble;
	turns.set(trigger, turn);
	return turn;
}

export function endTurn(turn: Turn): void {
	turn.isPolling = false;
}

/** Finds of earlier polls that are still to be put out, the oldest first. */
export const takeHeld = (memory: object): Candidate[] => held.get(memory) ?? [];

export function hold(memory: object, candidates: Candidate[]): void {
	if (candidates.length > 0) held.set(memory, candidates);
	else held.delete(memory);
}

const HOUR = 3_600_000;

/**
 * Whether a person is to be told that nothing could be read: at once of what only a person can mend, and then once an
 * hour; of what may pass by itself when it has lasted for an hour.
 *
 * @returns what to remember of it, with `toldAt` set to now where it is to be told
 */
export function troubleWith(before: Trouble | undefined, mayPass: boolean, now: number): Trouble {
	const { since, toldAt = mayPass ? since : -Infinity } = before ?? { since: now };
	return now - toldAt >= HOUR ? { since, toldAt: now } : { since, ...(before?.toldAt && { toldAt }) };
}
