/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { log, ROOT, runMain } from '../../test/e2e/setUp/commands';
import { installPackage, prepareTarget } from '../../test/e2e/setUp/targets';
import { readOptions, USAGE } from './options';
import { figures, reportLines } from './report';
import { runSoak } from './soak';

/** `npm run soak`, after scripts/run.mjs has installed the dependencies. */
async function main(): Promise<number> {
	const { minutes, seed, platform, evidenceFile, record, help } = readOptions(process.argv.slice(2));
	if (help) {
		log(USAGE);
		return 0;
	}
	const folder = mkdtempSync(join(tmpdir(), 'prospector-soak-'));
	try {
		const target = await prepareTarget(platform, installPackage(folder));
		process.env.E2E_TARGET = join(folder, 'target.json');
		writeFileSync(process.env.E2E_TARGET, JSON.stringify(target));
		const report = await runSoak({ minutes, seed, target, log, evidenceFile });
		log(`\n${reportLines(report).join('\n')}`);
		const json = JSON.stringify(figures(report), null, '\t');
		if (record) writeFileSync(join(ROOT, 'docs/reliability.json'), `${json}\n`);
		return report.verdict.violations.length > 0 ? 1 : 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

runMain(main, USAGE);
