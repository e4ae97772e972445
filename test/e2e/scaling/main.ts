import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { log, ROOT, runMain } from '../setUp/commands';
import { DEFAULT_PLATFORMS } from '../setUp/platforms';
import { findServices } from '../setUp/services';
import { installPackage, prepareTarget } from '../setUp/targets';
import type { Configuration, Figures } from './figures';
import { measure } from './measure';

const USAGE = `npm run scaling -- [--only workers/keys] [--record]

Measures n8n in queue mode with 1, 2, 4 and 8 workers on one API key and on eight, with a limit of 60 requests
per minute. --only 8/1 measures one of these. --record writes docs/scaling.json. Takes about an hour.`;

/** Eight API keys have eight times the limit, and get eight times the items. */
const CONFIGURATIONS: Configuration[] = [1, 8].flatMap((keys) =>
	[1, 2, 4, 8].map((workers) => ({ workers, keys, executions: keys === 1 ? 60 : 24, concurrency: 2 })),
);

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: { only: { type: 'string' }, record: { type: 'boolean' }, help: { type: 'boolean' } },
	});
	if (values.help) {
		log(USAGE);
		return 0;
	}
	const { redis } = findServices();
	if (!redis.program) throw new Error(`Redis is needed: ${redis.missing}`);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-scaling-'));
	try {
		const target = await prepareTarget(DEFAULT_PLATFORMS[0], installPackage(folder));
		// A prepared user folder has a SQLite database.
		const file = join(folder, 'target.json');
		writeFileSync(file, JSON.stringify({ ...target, prepared: undefined }));
		process.env.E2E_TARGET = file;
		for (const configuration of CONFIGURATIONS) {
			const { workers, keys } = configuration;
			if (values.only && values.only !== `${workers}/${keys}`) continue;
			const figures = await measure(redis.program, configuration);
			log(JSON.stringify(figures));
			if (values.record) record(figures);
		}
		return 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Replaces the figures of the same configuration in docs/scaling.json. */
function record(figures: Figures): void {
	const file = join(ROOT, 'docs/scaling.json');
	const { queueMode } = JSON.parse(readFileSync(file, 'utf8')) as { queueMode: Configuration[] };
	const key = ({ workers, keys, concurrency }: Configuration) => `${workers}/${keys}/${concurrency}`;
	const others = queueMode.filter((each) => key(each) !== key(figures));
	writeFileSync(file, `${JSON.stringify({ queueMode: [...others, figures] }, null, '\t')}\n`);
}

runMain(main, USAGE);
