import { dice } from '../../sandbox/ids';
import type { RateReport } from '../../nodes/Prospector/transport/rate/rateReport';
import { LimitLearner } from '../../nodes/Prospector/transport/rate/limitLearner';

const WINDOW = 60_000;

/** A service with a rolling limit, and processes that each send as many requests as their gate lets them. */
export interface Scenario {
	/** Requests per window; several follow each other in equal parts of the time. */
	limits: number[];
	/** Milliseconds from request to answer, give or take a tenth. */
	latency: number;
	/** Processes on the same API key. */
	gates: number;
	/** How long, in windows of a minute. */
	windows: number;
	/** Requests that a process may have under way. */
	concurrency?: number;
	/** Whether every answer tells the limit, what is left of it, and when there is room again. */
	tells?: boolean;
	seed?: number;
}

export interface Outcome {
	/** Part of the quota that was used, or of what the concurrency can carry at this latency where that is less. */
	use: number;
	/** Refused requests per window and gate, on average. */
	refused: number;
	/** The most requests that one gate had refused in one window. */
	worst: number;
}

/** Plays a scenario in virtual time, event by event. */
export function simulate(scenario: Scenario): Outcome {
	const { limits, latency, gates, windows, concurrency = 5, tells = false, seed = 1 } = scenario;
	const random = dice(seed);
	const end = windows * WINDOW;
	const limitAt = (time: number) =>
		limits[Math.min(limits.length - 1, Math.floor((time * limits.length) / end))];
	const service = rollingLimit(limitAt);
	const { at, run } = events();
	const refusals = Array.from({ length: gates }, () => new Array<number>(windows).fill(0));

	for (const refused of refusals) {
		const learner = new LimitLearner(random);
		let busy = 0;
		let wakesAt = Infinity;
		const wake = (time: number) => {
			if (time >= wakesAt || time >= end) return;
			wakesAt = time;
			at(time, (now) => {
				if (now >= wakesAt) wakesAt = Infinity;
				go(now);
			});
		};
		const go = (now: number) => {
			while (busy < concurrency) {
				const opensAt = learner.opensAt(now);
				if (opensAt > now) {
					wake(opensAt);
					return;
				}
				const ticket = learner.sent(now);
				busy++;
				const answerAt = now + latency * (0.9 + 0.2 * random());
				at((now + answerAt) / 2, (arrival) => {
					const accepted = service.take(arrival);
					const report = tells ? service.report(arrival) : undefined;
					at(answerAt, (time) => {
						busy--;
						if (!accepted) refused[Math.floor(time / WINDOW)]++;
						learner.answered(ticket, time, accepted ? 'accepted' : 'refused', report);
						go(time);
					});
				});
			}
		};
		at(random() * 100, go);
	}
	run(end);

	const carried = (gates * concurrency * WINDOW) / latency;
	const quota = Array.from({ length: windows }, (_, i) => Math.min(limitAt(i * WINDOW), carried));
	return {
		use: service.accepted() / sum(quota),
		refused: sum(refusals.flat()) / windows / gates,
		worst: Math.max(...refusals.flat()),
	};
}

/** What the contract says of the limit (section 8): rolling, and only what is accepted counts. */
function rollingLimit(limitAt: (time: number) => number) {
	const counted: number[] = [];
	let accepted = 0;
	return {
		accepted: () => accepted,
		/** After a request was taken or refused. */
		report: (time: number): RateReport => ({
			limit: limitAt(time),
			remaining: Math.max(0, limitAt(time) - counted.length),
			reset: counted[0] + WINDOW - time,
		}),
		take(time: number): boolean {
			while (counted.length > 0 && counted[0] <= time - WINDOW) counted.shift();
			if (counted.length >= limitAt(time)) return false;
			counted.push(time);
			accepted++;
			return true;
		},
	};
}

/** Runs what is due in the order of its time. */
function events() {
	const due: Array<{ time: number; act: (time: number) => void }> = [];
	return {
		at(time: number, act: (time: number) => void) {
			const after = due.findIndex((other) => other.time > time);
			due.splice(after === -1 ? due.length : after, 0, { time, act });
		},
		run(end: number) {
			for (let next = due.shift(); next && next.time < end; next = due.shift()) next.act(next.time);
		},
	};
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
