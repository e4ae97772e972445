import type { Timing } from '../timing';
import { AbortWatch } from './abortWatch';
import { LimitLearner, type Ticket, type Verdict } from './limitLearner';
import type { RateReport } from './rateReport';

/** The request would have to wait longer than it may. */
export interface HeldBack {
	/** Milliseconds until the next request may be sent. */
	heldBackFor: number;
}

interface Waiter {
	until: number;
	signal?: AbortSignal;
	settle(entry: Ticket | HeldBack | 'stopped'): void;
}

/**
 * Where requests with one API key wait for their turn. Those who wait are served in turns, so that an execution with
 * thousands of items does not keep out one with a single item.
 */
export class RateGate {
	private readonly waiting = new Map<object, Waiter[]>();
	private readonly stops = new AbortWatch((signal) => {
		this.sendAway((waiter) => waiter.signal === signal, 'stopped');
		this.dispatch();
	});
	private wake?: { at: number; controller: AbortController };

	constructor(
		private readonly timing: Timing,
		private readonly learner = new LimitLearner(),
	) {}

	/**
	 * Waits until a request may be sent.
	 *
	 * @param owner whose turn it is: an execution of a node
	 * @param until the latest moment, on the gate's clock, for which it is worth waiting
	 * @returns the ticket to {@link leave} with; or why the request is not to be sent
	 */
	async enter(owner: object, until: number, signal?: AbortSignal): Promise<Ticket | HeldBack | 'stopped'> {
		if (signal?.aborted) return 'stopped';
		return await new Promise((resolve) => {
			const settle: Waiter['settle'] = (entry) => {
				if (signal) this.stops.unwatch(signal);
				resolve(entry);
			};
			this.waiting.set(owner, [...(this.waiting.get(owner) ?? []), { until, signal, settle }]);
			if (signal) this.stops.watch(signal);
			this.dispatch();
		});
	}

	/**
	 * Tells what became of a request, and lets others go.
	 *
	 * @param mayEndOthers after a failure, which may end the execution: the others go when it had the time to do so
	 */
	leave(ticket: Ticket, verdict: Verdict, report?: RateReport, mayEndOthers = false): void {
		this.learner.answered(ticket, this.timing.now(), verdict, report);
		if (mayEndOthers) void this.timing.sleep(1).then(() => this.dispatch());
		else this.dispatch();
	}

	/** From when on nothing is known that could hold a request back; Infinity while somebody waits. */
	idleFrom(): number {
		return this.waiting.size > 0 ? Infinity : this.learner.idleFrom(this.timing.now());
	}

	private dispatch(): void {
		while (this.waiting.size > 0) {
			const now = this.timing.now();
			const opensAt = this.learner.opensAt(now);
			if (opensAt <= now) {
				this.next().settle(this.learner.sent(now));
				continue;
			}
			// Until an answer comes, nobody knows: that wait is short.
			const isTooLate = ({ until }: Waiter) => until < opensAt;
			if (opensAt !== Infinity) this.sendAway(isTooLate, { heldBackFor: opensAt - now });
			if (this.waiting.size > 0) return this.wakeAt(opensAt, now);
		}
		this.wake?.controller.abort();
		this.wake = undefined;
	}

	/** The first of the owner whose turn it is, who then goes to the end. */
	private next(): Waiter {
		const [[owner, [waiter, ...others]]] = this.waiting;
		this.waiting.delete(owner);
		if (others.length > 0) this.waiting.set(owner, others);
		return waiter;
	}

	private sendAway(isMeant: (waiter: Waiter) => boolean, entry: HeldBack | 'stopped'): void {
		for (const [owner, waiters] of [...this.waiting]) {
			const others = waiters.filter((waiter) => !isMeant(waiter));
			if (others.length > 0) this.waiting.set(owner, others);
			else this.waiting.delete(owner);
			for (const waiter of waiters.filter(isMeant)) waiter.settle(entry);
		}
	}

	private wakeAt(at: number, now: number): void {
		if (this.wake?.at === at) return;
		this.wake?.controller.abort();
		this.wake = undefined;
		if (at === Infinity) return;
		const controller = new AbortController();
		const wake = { at, controller };
		this.wake = wake;
		void this.timing.sleep(at - now, controller.signal).then(() => {
			if (this.wake !== wake) return;
			this.wake = undefined;
			this.dispatch();
		});
	}
}
