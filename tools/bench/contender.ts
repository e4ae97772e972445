/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
// A contender's process: receives its job, loads, waits for the start, works and reports.
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { processorMsSince } from '../../test/processorTime';
import { loadN8n } from './contenders/n8n';
import type { Job, Message } from './job';

/** How often the delay of the event loop is measured. */
const DELAY_RESOLUTION_MS = 1;

const send = async (message: Message) =>
	await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));

async function main(): Promise<void> {
	const [job] = (await once(process, 'message')) as [Job];
	const work = await loadN8n(job);
	await send({ type: 'ready' });
	await once(process, 'message');
	const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
	delay.enable();
	const begin = performance.now();
	const processorBegin = process.cpuUsage();
	const { failedItems, resources } = await work();
	const milliseconds = performance.now() - begin;
	const processorMs = processorMsSince(processorBegin);
	// A delay counts only after it has ended.
	await pause(10 * DELAY_RESOLUTION_MS);
	const longestDelayMs = delay.max / 1e6;
	const ids = new Set(resources.map((resource) => (resource as { id?: string } | undefined)?.id));
	ids.delete(undefined);
	await send({
		type: 'done',
		report: { milliseconds, processorMs, longestDelayMs, failedItems },
		distinct: ids.size,
	});
}

process.on('disconnect', () => process.exit());
main()
	.catch(async ({ message }: Error) => await send({ type: 'failed', reason: message }))
	// Closes what a contender has left open.
	.finally(() => process.exit());
