/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import { processorMsSince } from '../../processorTime';

/**
 * Watches the event loop. A gap between two checks counts only as far as this process used the processor in between: on
 * a busy machine it may have to wait for other processes.
 *
 * @returns a function that stops watching and returns the longest time in milliseconds for which the loop was blocked
 */
export function watchEventLoop(): () => number {
	let longestMs = 0;
	let last = performance.now();
	let cpu = process.cpuUsage();
	const check = () => {
		const now = performance.now();
		longestMs = Math.max(longestMs, Math.min(now - last, processorMsSince(cpu)));
		cpu = process.cpuUsage();
		last = now;
	};
	const timer = setInterval(check, 5);
	return () => {
		check();
		clearInterval(timer);
		return longestMs;
	};
}
