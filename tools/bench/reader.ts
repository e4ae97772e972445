import type * as ReadJson from '../../nodes/Prospector/transport/request/readJson';
import type * as System from '../../nodes/Prospector/transport/dependencies';
import { startSandbox } from '../../sandbox/sandbox';
import { fromDist } from '../../test/fromDist';
import { processorTime } from '../../test/processorTime';
import { withResources } from '../shared/resources';
import type { Round } from './figures';
import { runPath } from './nodesFor';

const BATCHES = 40;
/** About 20 ms: more than the clock's step, and few enough bytes for the copies. */
const BATCH_BYTES = 4_000_000;

/** Measures the package's reader of JSON responses and JSON.parse, on a page of the sandbox. */
export async function measureReader(pageSize: number): Promise<Round[]> {
	const { readJson } = fromDist<typeof ReadJson>('nodes/Prospector/transport/request/readJson');
	const { systemDependencies } = fromDist<typeof System>('nodes/Prospector/transport/dependencies');
	const page = await fetchPage(pageSize);
	const contenders = {
		'The reader': async (bytes: Buffer) => await readJson(bytes, systemDependencies.turns),
		'JSON.parse': (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown,
	};
	const rounds: Round[] = [];
	// Alternates, so that both are measured while the machine is equally busy.
	for (let batch = 0; batch < BATCHES; batch++) {
		for (const [label, read] of Object.entries(contenders)) {
			rounds.push({ label, figures: { microseconds: await microsecondsPerPage(page, read) } });
		}
	}
	// The first half also compiles.
	return rounds.slice(rounds.length / 2);
}

async function fetchPage(pageSize: number): Promise<Buffer> {
	return await withResources(async (open) => {
		const { baseUrl, control, keys } = await open(
			startSandbox({ settings: { maxPageSize: pageSize }, seed: false }),
		);
		// The page has a cursor, as most have.
		const { runs } = control.seed({ workflows: [{ runs: [{ results: pageSize + 1 }] }] });
		const url = `${baseUrl}${runPath(runs[0])}/results?limit=${pageSize}`;
		const response = await fetch(url, { headers: { authorization: `Bearer ${keys.full}` } });
		return Buffer.from(await response.arrayBuffer());
	});
}

async function microsecondsPerPage(page: Buffer, read: (bytes: Buffer) => unknown): Promise<number> {
	// The reader may change the bytes. The copies are made before the measurement, for both.
	const copies = Array.from({ length: Math.ceil(BATCH_BYTES / page.length) }, () => Buffer.from(page));
	const milliseconds = await processorTime(async () => {
		for (const bytes of copies) await read(bytes);
	});
	return (milliseconds * 1000) / copies.length;
}
