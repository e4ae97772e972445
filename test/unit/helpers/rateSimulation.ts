import { seededRandom as dice } from '../../../sandbox/ids';
import { RateLimitEstimator } from '../../../nodes/Prospector/transport/rate/rateLimitEstimator';
import type { RateLimitHeaders } from '../../../nodes/Prospector/transport/rate/rateLimitHeaders';

const MINUTE = 60_000;

/** A service with a rolling limit, and processes that each send as many requests as their estimator permits. */
export interface Scenario {
	/** Requests per window; several follow each other in equal parts of the time. */
	limits: number[];
	/** Milliseconds from request to response, plus or minus a tenth. */
	latency: number;
	/** Processes with the same API key. */
	processes: number;
	/** Duration. */
	minutes: number;
	/** Requests that a process may have in flight. */
	concurrency?: number;
	/** `quota`: every response has limit, remaining and reset; a number: every 429 has Retry-After in milliseconds. */
	headers?: 'quota' | 'retryAfter' | number;
	/** Milliseconds of the service's window. */
	window?: number;
	/** The service's clock is off by up to this many milliseconds, differently for each request. */
	jitter?: number;
	/** Share of requests that hang for 60 s, and whether they reach the service. */
	hanging?: { share: number; areCounted: boolean };
	/** The processes start at random times within this many milliseconds. */
	startWithin?: number;
	seed?: number;
}

export interface Outcome {
	/** Share of the quota that was used; the quota is at most what the concurrency permits at this latency. */
	use: number;
	/** Rejected requests per minute and process on average. */
	rejected: number;
	/** Most rejected requests of one process in the first minute. */
	firstMinute: number;
	/** Most rejected requests of one process in a later minute. */
	worstMinute: number;
	/** Rejected requests per minute and process on average, without the first minute. */
	rejectedLater: number;
	/** Longest time in milliseconds during which a process got nothing. */
	longestGap: number;
}

/** Simulates a scenario in virtual time, event by event. */
export function simulate(scenario: Scenario): Outcome {
	const { limits, latency, processes, minutes, concurrency = 5, headers, seed = 1 } = scenario;
	const {
		window = MINUTE,
		jitter = 0,
		startWithin = 100,
		hanging = { share: 0, areCounted: false },
	} = scenario;
	const random = dice(seed);
	// A separate random source, so that these options do not change the other random numbers.
	const fault = dice(seed + 1000);
	const end = minutes * MINUTE;
	const limitAt = (time: number) =>
		limits[Math.min(limits.length - 1, Math.floor((time * limits.length) / end))];
	const service = rollingLimit(limitAt, window);
	const { at, run } = eventQueue();
	const rejections = Array.from({ length: processes }, () => new Array<number>(minutes).fill(0));
	let longestGap = 0;

	for (const rejected of rejections) {
		const estimator = new RateLimitEstimator(random);
		const startsAt = random() * startWithin;
		let acceptedAt = startsAt;
		let inFlight = 0;
		let wakesAt = Infinity;
		const wake = (time: number) => {
			if (time >= wakesAt || time >= end) return;
			wakesAt = time;
			at(time, (now) => {
				if (now >= wakesAt) wakesAt = Infinity;
				sendAll(now);
			});
		};
		const sendAll = (now: number) => {
			while (inFlight < concurrency) {
				const allowedAt = estimator.nextAllowedAt(now);
				// The limiter checks again after a second at the latest.
				if (allowedAt > now) return wake(Math.min(allowedAt, now + 1000));
				const permit = estimator.recordSent(now);
				inFlight++;
				const hangs = fault() < hanging.share;
				const answerAt = now + (hangs ? MINUTE : latency * (0.9 + 0.2 * random()));
				at(hangs ? now + latency / 2 : (now + answerAt) / 2, (arrival) => {
					const isLost = hangs && !hanging.areCounted;
					const isAccepted = isLost || service.accept(arrival + jitter * (2 * fault() - 1));
					const shownHeaders = hangs ? {} : service.headers(arrival, isAccepted, headers);
					at(answerAt, (time) => {
						inFlight--;
						const quotaUse = hangs || isAccepted ? 'counted' : 'rejected';
						if (isAccepted) {
							longestGap = Math.max(longestGap, time - acceptedAt);
							acceptedAt = time;
						}
						if (quotaUse === 'rejected') rejected[Math.floor(time / MINUTE)]++;
						estimator.recordResult(permit, time, quotaUse, shownHeaders);
						sendAll(time);
					});
				});
			}
		};
		at(startsAt, sendAll);
		at(end - 1, (time) => (longestGap = Math.max(longestGap, time - acceptedAt)));
	}
	run(end);

	const meanLatency = hanging.share * MINUTE + (1 - hanging.share) * latency;
	const carried = (processes * concurrency * MINUTE) / meanLatency;
	const quota = Array.from({ length: minutes }, (_, i) =>
		Math.min((limitAt(i * MINUTE) * MINUTE) / window, carried),
	);
	const later = rejections.flatMap(([, ...others]) => others);
	return {
		use: service.accepted() / sum(quota),
		rejected: sum(rejections.flat()) / minutes / processes,
		firstMinute: Math.max(...rejections.map(([first]) => first)),
		worstMinute: Math.max(0, ...later),
		rejectedLater: sum(later) / later.length,
		longestGap,
	};
}

/** What the contract says of the limit (section 8): rolling, and only accepted requests count. */
function rollingLimit(limitAt: (time: number) => number, window: number) {
	/** Ascending. */
	const counted: number[] = [];
	let accepted = 0;
	return {
		accepted: () => accepted,
		headers(time: number, isAccepted: boolean, kind: Scenario['headers']): RateLimitHeaders {
			const reset = counted[0] + window - time;
			if (kind === 'quota') {
				return { limit: limitAt(time), remaining: Math.max(0, limitAt(time) - counted.length), reset };
			}
			if (isAccepted || kind === undefined) return {};
			return { retryAfter: kind === 'retryAfter' ? Math.max(0, reset) : kind };
		},
		accept(time: number): boolean {
			while (counted.length > 0 && counted[0] <= time - window) counted.shift();
			if (counted.length >= limitAt(time)) return false;
			let index = counted.length;
			while (index > 0 && counted[index - 1] > time) index--;
			counted.splice(index, 0, time);
			accepted++;
			return true;
		},
	};
}

interface Event {
	time: number;
	act: (time: number) => void;
}

/** Runs events in the order of their times: a binary heap. */
function eventQueue() {
	const heap: Event[] = [];
	const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b], heap[a]]);
	const isEarlier = (a: number, b: number) => b >= heap.length || heap[a].time <= heap[b].time;
	const takeFirst = (): Event => {
		swap(0, heap.length - 1);
		const first = heap.pop() as Event;
		for (let parent = 0; ;) {
			const child = isEarlier(2 * parent + 1, 2 * parent + 2) ? 2 * parent + 1 : 2 * parent + 2;
			if (child >= heap.length || isEarlier(parent, child)) return first;
			swap(parent, child);
			parent = child;
		}
	};
	return {
		at(time: number, act: Event['act']) {
			heap.push({ time, act });
			for (let child = heap.length - 1; child > 0;) {
				const parent = (child - 1) >> 1;
				if (isEarlier(parent, child)) return;
				swap(parent, child);
				child = parent;
			}
		},
		run(end: number) {
			while (heap.length > 0 && heap[0].time < end) {
				const { time, act } = takeFirst();
				act(time);
			}
		},
	};
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
