/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { processorTime } from '../../test/processorTime';
import { spreadOf, type ReaderFigures } from './figures';
import { resultsPath } from './job';
import type { BenchOptions } from './options';
import { startService } from './service';

const PAGE_SIZES = [20, 100, 1000];
const BATCHES = 40;
/** About 20 ms: more than the clock's step, and few enough bytes for the copies. */
const BATCH_BYTES = 4_000_000;

type Read = (bytes: Buffer) => unknown;

/** Measures the package's reader of JSON responses and JSON.parse, on pages of the sandbox. */
export async function measureReader({ packageDirectory }: BenchOptions): Promise<ReaderFigures[]> {
	const read = loadReader(packageDirectory);
	const figures: ReaderFigures[] = [];
	for (const pageSize of PAGE_SIZES) figures.push(await compare(await fetchPage(pageSize), pageSize, read));
	return figures;
}

/** The only place that knows how the package reads a response. */
function loadReader(packageDirectory: string): Read {
	const load = createRequire(join(resolve(packageDirectory), 'dist/nodes/Prospector/transport/_'));
	const { readJson } = load('./request/readJson.js') as {
		readJson(bytes: Buffer, turns: unknown): Promise<unknown>;
	};
	const { systemDependencies } = load('./dependencies.js') as { systemDependencies: { turns: unknown } };
	return async (bytes) => await readJson(bytes, systemDependencies.turns);
}

async function fetchPage(pageSize: number): Promise<Buffer> {
	const service = await startService({ maxPageSize: pageSize });
	try {
		// The page has a cursor, as most have.
		const { runs } = await service.seed({ workflows: [{ runs: [{ results: pageSize + 1 }] }] });
		const authorization = `Bearer ${await service.newKey('reader')}`;
		const url = `${service.baseUrl}${resultsPath(runs[0])}?limit=${pageSize}`;
		const response = await fetch(url, { headers: { authorization } });
		return Buffer.from(await response.arrayBuffer());
	} finally {
		service.close();
	}
}

/** Alternates, so that both are measured while the machine is equally busy. */
async function compare(page: Buffer, pageSize: number, read: Read): Promise<ReaderFigures> {
	const jsonParse: Read = (bytes) => JSON.parse(bytes.toString());
	const times = new Map([read, jsonParse].map((each) => [each, [] as number[]]));
	for (let batch = 0; batch < BATCHES; batch++) {
		for (const [each, own] of times) own.push(await microsecondsPerPage(page, each));
	}
	// The first half also compiles.
	const spread = (each: Read) => spreadOf((times.get(each) ?? []).slice(BATCHES / 2));
	return { pageSize, bytes: page.length, reader: spread(read), jsonParse: spread(jsonParse) };
}

async function microsecondsPerPage(page: Buffer, read: Read): Promise<number> {
	// The reader may change the bytes. The copies are made before the measurement, for both.
	const copies = Array.from({ length: Math.ceil(BATCH_BYTES / page.length) }, () => Buffer.from(page));
	const milliseconds = await processorTime(async () => {
		for (const bytes of copies) await read(bytes);
	});
	return (milliseconds * 1000) / copies.length;
}
