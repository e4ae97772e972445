import { log, UsageError } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { FLAG, runCommand, TEXT } from '../shared/command';
import { writeRecord } from '../shared/docs';
import { runSoak, type SoakReport } from './soak';

const USAGE = `npm run soak [-- OPTIONS]

A week in an hour: n8n, PostgreSQL and the sandbox, whose clock is 168 times faster, work together while much goes wrong.
Then the data is compared.

  --minutes N    how long (default 60)
  --record       write the figures to docs/reliability.json
  --help         this text

Exit codes: 0 if every promise was kept, 1 if not, 2 if the command is invalid.`;

/** Returns the figures of a soak, without IDs. */
const figures = ({ verdict: { results, left, ...verdict }, ...rest }: SoakReport) => ({
	...rest,
	results: Object.fromEntries(
		Object.entries(results).map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
	),
	notRetried: left.length,
	...verdict,
});

runCommand(USAGE, { minutes: TEXT, record: FLAG }, async ({ minutes = '60', record }) => {
	if (!/^\d+(?:\.\d+)?$/.test(minutes)) throw new UsageError('--minutes takes a number.');
	return await withTarget(DEFAULT_PLATFORM, async (target) => {
		const report = await runSoak(Number(minutes), target);
		log(`\n${JSON.stringify(figures(report), null, '\t')}`);
		if (record) writeRecord('reliability.json', figures(report));
		return report.verdict.violations.length > 0 ? 1 : 0;
	});
});
