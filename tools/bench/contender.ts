/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
// A contender's process: receives its job, loads, waits for the start, works and reports.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { processorMsSince } from '../../test/processorTime';
import type { Job, Memory, Message, Work } from './job';

const send = async (message: Message) =>
	await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));

async function main(): Promise<void> {
	const [job] = (await once(process, 'message')) as [Job];
	const work = await load(job);
	const endMemoryWatch = watchMemory();
	await send({ type: 'ready' });
	await once(process, 'message');
	const begin = performance.now();
	const processorBegin = process.cpuUsage();
	const output = await work();
	const milliseconds = performance.now() - begin;
	const processorMs = processorMsSince(processorBegin);
	const memory = endMemoryWatch();
	// Used after the measurement, so that `output` is not collected before it.
	const { failedItems, resources } = output;
	const ids = new Set(resources.map((resource) => (resource as { id?: string } | undefined)?.id));
	ids.delete(undefined);
	await send({
		type: 'done',
		report: { milliseconds, processorMs, failedItems, memory, distinct: ids.size },
	});
}

/** Loads only this contender, so that no other one counts as its memory. */
async function load(job: Job): Promise<Work> {
	if (job.means.by === 'undici') return (await import('./contenders/undici')).loadUndici(job, job.means);
	return await (await import('./contenders/n8n')).loadN8n(job);
}

/** @returns a function that ends the measurement */
function watchMemory(): () => Memory {
	globalThis.gc?.();
	try {
		// Resets the peak; see proc_pid_clear_refs(5).
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Not on Linux, or not allowed: the peak of loading counts too.
	}
	const { rss: baseline, heapUsed: before } = process.memoryUsage();
	return () => {
		const peak = Math.max(peakMemory(), baseline);
		globalThis.gc?.();
		return { baseline, peak, kept: process.memoryUsage().heapUsed - before };
	};
}

/** On Linux, `resourceUsage().maxRSS` includes the memory of the parent process and cannot be reset. */
function peakMemory(): number {
	try {
		const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
		if (kibibytes) return Number(kibibytes) * 1024;
	} catch {
		// Not on Linux.
	}
	return process.resourceUsage().maxRSS * 1024;
}

process.on('disconnect', () => process.exit());
main()
	.catch(async ({ message }: Error) => await send({ type: 'failed', reason: message }))
	// Closes what a contender has left open.
	.finally(() => process.exit());
