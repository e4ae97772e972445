/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { parseArgs } from 'node:util';
import { UsageError } from '../../test/e2e/setUp/commands';
import { choosePlatforms, RELEASES, type Platform } from '../../test/e2e/setUp/platforms';

export const USAGE = `npm run soak [-- OPTIONS]

A week in an hour: n8n, PostgreSQL and the sandbox, whose clock is 168 times faster, work together while much goes wrong.
Then the data is compared.

  --minutes N      how long (default 60)
  --seed N         determines what happens, but not the exact times (default 1)
  --n8n RELEASE    ${RELEASES.join(' or ')} (default ${RELEASES[0]})
  --evidence FILE  write what the verdict is based on to this file
  --record         write the figures to docs/reliability.json
  --help           this text

Exit codes: 0 if every promise was kept, 1 if not, 2 if the command is invalid.`;

export interface Options {
	minutes: number;
	seed: number;
	platform: Platform;
	evidenceFile?: string;
	record: boolean;
	help: boolean;
}

/** @throws UsageError on an unknown option or release, or a text instead of a number */
export function readOptions(args: string[]): Options {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	try {
		const { values } = parseArgs({
			args,
			options: { minutes: text, seed: text, n8n: text, evidence: text, record: flag, help: flag },
		});
		const { minutes = '60', seed = '1', n8n = RELEASES[0], evidence: evidenceFile, record, help } = values;
		if (!/^\d+(?:\.\d+)?$/.test(minutes) || !/^\d+$/.test(seed))
			throw new Error('--minutes and --seed take numbers.');
		const [platform] = choosePlatforms({ n8n, scheduler: 'classic' });
		if (!platform) throw new Error(`There is no n8n ${n8n} here.`);
		return { minutes: Number(minutes), seed: Number(seed), platform, evidenceFile, record, help };
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}
