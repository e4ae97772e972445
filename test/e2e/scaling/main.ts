import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { log, ROOT, runMain } from '../setUp/commands';
import { DEFAULT_PLATFORMS } from '../setUp/platforms';
import { findServices } from '../setUp/services';
import { installPackage, prepareTarget } from '../setUp/targets';
import type { Configuration } from './figures';
import { measure } from './measure';

const USAGE = `npm run scaling -- [--only workers/keys] [--record]

Measures n8n in queue mode with 1, 2, 4 and 8 workers on one API key and on eight, with a limit of 60 requests
per minute. --only 8/1 measures one of these. --record writes docs/scaling.json. Takes about an hour.`;

/** Eight API keys have eight times the limit, and get eight times the items. */
const CONFIGURATIONS: Configuration[] = [1, 8].flatMap((keys) =>
	[1, 2, 4, 8].map((workers) => ({ workers, keys, executions: keys === 1 ? 60 : 24, concurrency: 2 })),
);

async function main(): Promise<number> {
	const { values } = parseArgs({ options: { only: { type: 'string' }, record: { type: 'boolean' } } });
	const folder = mkdtempSync(join(tmpdir(), 'prospector-scaling-'));
	const { redis } = findServices();
	if (!redis.program) throw new Error(`Redis is needed: ${redis.missing}`);
	const target = await prepareTarget(DEFAULT_PLATFORMS[0], installPackage(folder));
	// A prepared user folder has a SQLite database.
	const file = join(folder, 'target.json');
	writeFileSync(file, JSON.stringify({ ...target, prepared: undefined }));
	process.env.E2E_TARGET = file;
	for (const configuration of CONFIGURATIONS) {
		if (values.only && values.only !== `${configuration.workers}/${configuration.keys}`) continue;
		const figures = await measure(redis.program, configuration);
		log(JSON.stringify(figures));
		if (!values.record) continue;
		const record = join(ROOT, 'docs/scaling.json');
		const { queueMode = [], ...rest } = JSON.parse(readFileSync(record, 'utf8')) as {
			queueMode?: Configuration[];
		};
		const others = queueMode.filter((each) => each.workers !== figures.workers || each.keys !== figures.keys);
		writeFileSync(record, `${JSON.stringify({ ...rest, queueMode: [...others, figures] }, null, '\t')}\n`);
	}
	return 0;
}

runMain(main, USAGE);
