import type { Connection } from '../connection';
import { digest } from '../digest';
import { realTiming, type Timing } from '../timing';
import { RateGate } from './rateGate';

/** Milliseconds for which a learned limit is kept without any request: scheduled workflows come back to it. */
const KEPT = 60 * 60_000;

/** The gates of this process: everything that uses one API key of one service goes through the same. */
export class RateGates {
	private readonly gates = new Map<string, { gate: RateGate; usedAt: number }>();

	constructor(private readonly timing: Timing = realTiming) {}

	get size(): number {
		return this.gates.size;
	}

	/** The gate of a service and key. Keys are kept as digests only. */
	of({ baseUrl, apiKey }: Connection): RateGate {
		const now = this.timing.now();
		this.sweep(now);
		const name = digest(JSON.stringify([baseUrl, apiKey]));
		const entry = this.gates.get(name) ?? { gate: new RateGate(this.timing), usedAt: now };
		entry.usedAt = now;
		this.gates.set(name, entry);
		return entry.gate;
	}

	/** Forgets everything that was learned. */
	clear(): void {
		this.gates.clear();
	}

	private sweep(now: number): void {
		for (const [name, { gate, usedAt }] of this.gates) {
			if (now - usedAt > KEPT && gate.idleFrom() <= now) this.gates.delete(name);
		}
	}
}

/** Shared by all executions, and by the editor. */
export const rateGates = new RateGates();
