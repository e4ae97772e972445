/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log, ROOT, runMain } from '../../test/e2e/setUp/commands';
import { withTarget } from '../../test/e2e/setUp/targets';
import { readOptions, USAGE } from './options';
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

/** `npm run soak`, after scripts/run.mjs has installed the dependencies. */
async function main(): Promise<number> {
	const { minutes, platform, record, help } = readOptions(process.argv.slice(2));
	if (help) {
		log(USAGE);
		return 0;
	}
	return await withTarget(platform, async (target) => {
		const report = await runSoak({ minutes, target, log });
		const json = JSON.stringify(figures(report), null, '\t');
		log(`\n${json}`);
		if (record) writeFileSync(join(ROOT, 'docs/reliability.json'), `${json}\n`);
		return report.verdict.violations.length > 0 ? 1 : 0;
	});
}

runMain(main, USAGE);
