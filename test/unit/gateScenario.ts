import { LimitLearner, type Ticket, type Verdict } from '../../nodes/Prospector/transport/rate/limitLearner';
import { RateGate } from '../../nodes/Prospector/transport/rate/rateGate';
import type { RateReport } from '../../nodes/Prospector/transport/rate/rateReport';
import { manualTiming, settled } from './manualTiming';

/** A gate on a clock that is moved by hand, and a note of how everybody fares at it. */
export function gateScenario() {
	const clock = manualTiming();
	const gate = new RateGate(clock.timing, new LimitLearner(() => 0.5));
	/** Names in the order in which they were let in. */
	const entered: string[] = [];
	/** Milliseconds at which they were let in, held back or stopped, and what became of them. */
	const fates: Record<string, { at: number; how: 'sent' | 'stopped' | number }> = {};
	const tickets: Record<string, Ticket> = {};

	/** Comes to the gate. */
	function come(name: string, owner: object, { until = Infinity, signal }: Coming = {}) {
		void gate.enter(owner, until, signal).then((entry) => {
			const how = entry === 'stopped' ? entry : 'heldBackFor' in entry ? entry.heldBackFor : 'sent';
			fates[name] = { at: clock.timing.now(), how };
			if (how !== 'sent') return;
			entered.push(name);
			tickets[name] = entry as Ticket;
		});
	}

	/** Leaves again: one who was let in. */
	async function leave(name: string, verdict?: Verdict, report?: RateReport, mayEndOthers?: boolean) {
		gate.leave(tickets[name], verdict ?? 'accepted', report, mayEndOthers);
		await settled();
	}

	/** One after the other is let in and leaves, until nobody is left that can go now. */
	async function serveAll() {
		await settled();
		for (let i = 0; i < entered.length; i++) await leave(entered[i]);
	}

	/** Holds everybody from now on, as a Retry-After does. */
	async function hold(milliseconds: number) {
		const [nobody, name] = [{}, `hold at ${clock.timing.now()}`];
		come(name, nobody);
		await settled();
		await leave(name, 'unsent', { retryAfter: milliseconds });
		entered.splice(entered.indexOf(name), 1);
		delete fates[name];
	}

	/** Has two under way at the same time, as so many are known to fit: `one` and `two`. */
	async function pair() {
		for (const name of ['known', 'to fit']) {
			come(name, {});
			await settled();
			await leave(name);
		}
		await clock.pass(100_000);
		come('one', {});
		come('two', {});
		await settled();
		entered.splice(0, 2);
	}
	return { gate, ...clock, entered, fates, come, leave, serveAll, hold, pair };
}

interface Coming {
	until?: number;
	signal?: AbortSignal;
}
