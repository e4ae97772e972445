/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleepRealMs } from 'node:timers/promises';
import type { Clock } from '../nodes/Prospector/transport/clock';
import { processorMsSince } from './processorTime';

/** Maximum milliseconds that the clock counts between two readings. */
const MAX_STEP_MS = 10;

/** Milliseconds in which this process waited or computed. Those in which it waited for a busy CPU do not count. */
const ownTime = () => performance.eventLoopUtilization().idle + processorMsSince({ user: 0, system: 0 });

/**
 * Creates a clock that runs faster than the real one. It stops while the process stalls or waits for the CPU, because a
 * second of that would otherwise count as a minute.
 *
 * @param speed seconds on this clock per real second
 * @returns `now()` in epoch milliseconds, and `timing` as the node uses it
 */
export function fastClock(speed: number) {
	let time = Date.now();
	let lastReading = ownTime();
	let active = 0;
	let ticker: NodeJS.Timeout | undefined;
	const now = () => {
		const reading = ownTime();
		time += Math.min(reading - lastReading, MAX_STEP_MS) * speed;
		lastReading = reading;
		return time;
	};
	const sleep: Clock['sleep'] = async (milliseconds, signal) => {
		const end = now() + milliseconds;
		active++;
		ticker ??= setInterval(now, MAX_STEP_MS / 2);
		try {
			// The clock can stop, and a timer can fire a fraction of a millisecond early.
			while (now() < end) await sleepRealMs((end - now()) / speed, undefined, { signal });
			return !signal?.aborted;
		} catch {
			return false;
		} finally {
			active--;
			if (active === 0) {
				clearInterval(ticker);
				ticker = undefined;
			}
		}
	};
	const timing: Clock = { now, sleep };
	return { now, timing };
}
