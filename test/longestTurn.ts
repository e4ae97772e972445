/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from './built';

/** Returns for how many milliseconds the main thread has used a processor: other processes do not change it. */
function mainThreadMs(): number {
	try {
		const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
		return Number(nanoseconds) / 1e6;
	} catch {
		// Not on Linux.
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	}
}

interface Turn {
	beginMs: number;
	endMs: number;
	processorMs: number;
}

/**
 * Runs a task with turns whose clock is the processor time of the main thread.
 *
 * @returns the longest turn of the event loop in milliseconds of processor time, without garbage collection
 */
export async function longestTurn(
	task: (turns: InstanceType<typeof Turns>) => Promise<unknown>,
): Promise<number> {
	const collections: Array<{ startTime: number; duration: number }> = [];
	const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
	observer.observe({ entryTypes: ['gc'] });
	const turns: Turn[] = [];
	let begin = { wallClockMs: performance.now(), processorMs: mainThreadMs() };
	let isOver = false;
	const endTurn = () => {
		const end = { wallClockMs: performance.now(), processorMs: mainThreadMs() };
		const processorMs = end.processorMs - begin.processorMs;
		if (processorMs > 5) turns.push({ beginMs: begin.wallClockMs, endMs: end.wallClockMs, processorMs });
		begin = end;
		if (!isOver) setImmediate(endTurn);
	};
	setImmediate(endTurn);
	await task(new Turns({ now: mainThreadMs }));
	isOver = true;
	endTurn();
	// The observer gets its entries later.
	await pause(20);
	observer.disconnect();
	const withoutCollection = turns.map(({ beginMs, endMs, processorMs }) => {
		const within = collections.filter(({ startTime }) => startTime >= beginMs && startTime < endMs);
		return processorMs - within.reduce((sum, { duration }) => sum + duration, 0);
	});
	return Math.max(0, ...withoutCollection);
}
