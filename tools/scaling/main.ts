/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log, ROOT, runMain } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { findServices } from '../../test/e2e/setUp/services';
import { withTarget } from '../../test/e2e/setUp/targets';
import type { Configuration, Figures } from './figures';
import { measure } from './measure';
import { readScalingOptions, SCALING_USAGE } from './options';
import { measureWaiting } from './waiting';

async function main(): Promise<number> {
	const options = readScalingOptions(process.argv.slice(2));
	if (options.help) {
		log(SCALING_USAGE);
		return 0;
	}
	const { redis } = findServices();
	if (!redis.program) throw new Error(`Redis is needed: ${redis.missing}`);
	const { program } = redis;
	return await withTarget(DEFAULT_PLATFORM, async () => {
		if (options.waiting) {
			const waiting = await measureWaiting(program);
			log(JSON.stringify(waiting));
			if (options.record) write({ waiting });
			return 0;
		}
		for (const configuration of options.configurations) {
			const figures = await measure(program, configuration);
			log(JSON.stringify(figures));
			if (options.record) record(figures);
		}
		return 0;
	});
}

const FILE = join(ROOT, 'docs/scaling.json');

const read = () => JSON.parse(readFileSync(FILE, 'utf8')) as { queueMode: Configuration[] };

const write = (change: object) =>
	writeFileSync(FILE, `${JSON.stringify({ ...read(), ...change }, null, '\t')}\n`);

/** Replaces the figures of the same configuration in docs/scaling.json. */
function record(figures: Figures): void {
	const key = ({ workers, keys, concurrency }: Configuration) => `${workers}/${keys}/${concurrency}`;
	const others = read().queueMode.filter((each) => key(each) !== key(figures));
	write({ queueMode: [...others, figures] });
}

runMain(main, SCALING_USAGE);
