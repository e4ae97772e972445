import { readFileSync, writeFileSync } from 'node:fs';
import type { Memory } from './job';

/**
 * Begins to measure this process's memory.
 *
 * @returns ends it
 */
export function watchMemory(): () => Memory {
	globalThis.gc?.();
	forgetPeak();
	const { rss: baseline, heapUsed: before } = process.memoryUsage();
	return () => {
		const peak = Math.max(peakOfThisProcess(), baseline);
		globalThis.gc?.();
		return { baseline, peak, kept: process.memoryUsage().heapUsed - before };
	};
}

/**
 * Not `resourceUsage().maxRSS` where there is a better source: on Linux that figure begins with what the parent
 * process held when it started this one, and cannot be reset, so it also counts what loading took for a moment.
 */
function peakOfThisProcess(): number {
	try {
		const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
		if (kibibytes) return Number(kibibytes) * 1024;
	} catch {
		// Not Linux.
	}
	return process.resourceUsage().maxRSS * 1024;
}

function forgetPeak(): void {
	try {
		// See proc_pid_clear_refs(5): 5 resets the peak.
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Not Linux, or not allowed: the peak of loading then counts too.
	}
}
