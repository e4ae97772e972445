// A contender's process: gets its job, loads, waits for the word to begin, works, reports, ends.
import { once } from 'node:events';
import { prepare } from './contenders';
import type { Job, Message, Report } from './job';
import { processorMsSince } from '../processorTime';
import { watchMemory } from './memory';

const tell = async (message: Message) =>
	await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));

async function main(): Promise<void> {
	const [job] = (await once(process, 'message')) as [Job];
	const work = await prepare(job);
	const memoryUsed = watchMemory();
	await tell({ type: 'ready' });
	await once(process, 'message');
	const begun = performance.now();
	const processorBefore = process.cpuUsage();
	const output = await work();
	const milliseconds = performance.now() - begun;
	const processorMs = processorMsSince(processorBefore);
	const memory = memoryUsed();
	// Read after the measurement, `output` cannot have been collected before it.
	const { failedItems } = output;
	await tell({
		type: 'done',
		report: { milliseconds, processorMs, failedItems, memory, distinct: distinct(output.resources) },
	});
}

function distinct(resources: unknown[]): Report['distinct'] {
	const ids = new Set(resources.map((resource) => (resource as { id?: string } | undefined)?.id));
	ids.delete(undefined);
	return ids.size;
}

// Nobody waits for it any more.
process.on('disconnect', () => process.exit());

main()
	.catch(async ({ message }: Error) => await tell({ type: 'failed', reason: message }))
	// Whatever a contender leaves open ends here.
	.finally(() => process.exit());
