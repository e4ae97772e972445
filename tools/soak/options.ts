import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';
import { choosePlatforms, RELEASES } from '../../test/e2e/setUp/platforms';

export const USAGE = `npm run soak [-- OPTIONS]

A week in an hour: n8n, PostgreSQL and the sandbox, whose clock is 168 times faster, work together while much goes wrong.
Then the data is compared.

  --minutes N    how long (default 60)
  --n8n RELEASE  ${RELEASES.join(' or ')} (default ${RELEASES[0]})
  --record       write the figures to docs/reliability.json
  --help         this text

Exit codes: 0 if every promise was kept, 1 if not, 2 if the command is invalid.`;

/** @throws UsageError on an unknown option or release, or a text instead of a number */
export function readOptions(args: string[]) {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parse({ args, options: { minutes: text, n8n: text, record: flag, help: flag } });
	const { minutes = '60', n8n = RELEASES[0], record, help } = values;
	if (!/^\d+(?:\.\d+)?$/.test(minutes)) throw new UsageError('--minutes takes a number.');
	const [platform] = choosePlatforms({ n8n, scheduler: 'classic' });
	if (!platform) throw new UsageError(`There is no n8n ${n8n} here.`);
	return { minutes: Number(minutes), platform, record, help };
}
