import type { Call, Failure } from '../../nodes/Prospector/transport/failure';
import type { Ticket } from '../../nodes/Prospector/transport/rate/limitLearner';
import type { HeldBack, RateGate } from '../../nodes/Prospector/transport/rate/rateGate';
import type { Reply } from '../../nodes/Prospector/transport/reply';
import { withRetries, type Outcome, type Retrying } from '../../nodes/Prospector/transport/retrying';
import { calls } from './everyFailure';
import { fakeTiming } from './support';

export const GOOD: Reply = { data: [{ id: 'x' }], requestId: 'req_1' };
const TICKET: Ticket = { sentAt: 0, isProbe: false, isRisky: false, isAlone: false };

interface Situation extends Partial<Retrying> {
	call?: Call;
	/** What becomes of the tries; the last of them for ever. */
	outcomes: Array<Outcome | Outcome['result'] | Error>;
	/** What the gate says to who comes; it lets everybody in from then on. */
	entries?: Array<HeldBack | 'stopped' | 'letIn'>;
	/** Milliseconds that every try takes. */
	takes?: number;
	onSleep?: (slept: number[]) => boolean;
}

/** A request with its retries, at a gate and on a clock that wait for nobody. */
export function retryScenario(situation: Situation) {
	const { call = calls['a read'], outcomes, entries = [], takes = 0, onSleep, ...rest } = situation;
	const time = fakeTiming(onSleep);
	const owner = {};
	const entered: unknown[][] = [];
	const left: unknown[][] = [];
	/** Tickets that were given out and not handed back. */
	const out = new Set<unknown>();
	const told: Array<[Failure, number]> = [];
	let sent = 0;
	const gate = {
		async enter(...given: unknown[]) {
			entered.push(given);
			const entry = entries[entered.length - 1] ?? 'letIn';
			if (entry !== 'letIn') return entry;
			const ticket = { ...TICKET };
			out.add(ticket);
			return ticket;
		},
		leave(ticket: unknown, ...rest: unknown[]) {
			if (!out.delete(ticket)) throw new Error('This ticket was not out');
			left.push(rest);
		},
	} as unknown as RateGate;
	const send = async (): Promise<Outcome> => {
		const outcome = outcomes[Math.min(sent, outcomes.length - 1)];
		if (++sent > 1000) throw new Error('Tries without end');
		time.pass(takes);
		if (outcome instanceof Error) throw outcome;
		return 'result' in outcome ? outcome : { result: outcome };
	};
	const run = async () =>
		await withRetries(call, send, {
			...{ gate, owner, timing: time.timing, random: () => 0.5, maxWait: 60_000 },
			onRetry: (failure, pause) => told.push([failure, pause]),
			...rest,
		});
	return { run, owner, entered, left, out, told, sent: () => sent, ...time };
}
