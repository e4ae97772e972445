import { log, UsageError } from '../../test/e2e/setUp/commands';
import { DEFAULT_PLATFORM } from '../../test/e2e/setUp/platforms';
import { withTarget } from '../../test/e2e/setUp/targets';
import { FLAG, runCommand, TEXT } from '../shared/command';
import { writeRecord } from '../shared/docs';
import { runSoak, type SoakReport } from './soak';

/** Returns the figures of a soak, without IDs. */
const figures = ({ verdict: { results, left, ...verdict }, ...rest }: SoakReport) => ({
	...rest,
	results: Object.fromEntries(
		Object.entries(results).map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
	),
	notRetried: left.length,
	...verdict,
});

runCommand('soak', { minutes: TEXT, record: FLAG }, async ({ minutes = '60', record }) => {
	if (!/^\d+(?:\.\d+)?$/.test(minutes)) throw new UsageError('--minutes takes a number.');
	return await withTarget(DEFAULT_PLATFORM, async (target) => {
		const report = await runSoak(Number(minutes), target);
		log(`\n${JSON.stringify(figures(report), null, '\t')}`);
		if (record) writeRecord('reliability.json', figures(report));
		return report.verdict.violations.length > 0 ? 1 : 0;
	});
});
