import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { log, ROOT, runMain, UsageError } from '../setUp/commands';
import { choosePlatforms, RELEASES } from '../setUp/platforms';
import { installPackage, prepareTarget } from '../setUp/targets';
import { figures, reportLines } from './report';
import { runSoak } from './soak';

const USAGE = `npm run soak [-- OPTIONS]

A week in an hour: lets n8n, PostgreSQL and the sandbox, whose clock is 168 times faster, work together while much goes
wrong, and compares the data in the end.

  --minutes N     how long (default 60)
  --seed N        determines what happens, but not the exact times (default 1)
  --n8n RELEASE   ${RELEASES.join(' or ')} (default ${RELEASES[0]})
  --evidence FILE write what the verdict is based on to a file
  --record        write the figures to docs/reliability.json
  --help          this text

Exit codes: 0 if every promise was kept, 1 if not, 2 if the command is invalid.`;

function readOptions() {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	try {
		const { values } = parseArgs({
			args: process.argv.slice(2),
			options: { minutes: text, seed: text, n8n: text, evidence: text, record: flag, help: flag },
		});
		const { minutes = '60', seed = '1', n8n = RELEASES[0], evidence, record, help } = values;
		if (!/^\d+(\.\d+)?$/.test(minutes) || !/^\d+$/.test(seed))
			throw new Error('--minutes and --seed take numbers.');
		const [platform] = choosePlatforms({ n8n, scheduler: 'classic' });
		if (!platform) throw new Error(`There is no n8n ${n8n} here.`);
		return { minutes: Number(minutes), seed: Number(seed), platform, evidence, record, help };
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** `npm run soak`, after scripts/e2e.mjs has installed the dependencies. */
async function main(): Promise<number> {
	const { minutes, seed, platform, evidence, record, help } = readOptions();
	if (help) {
		log(USAGE);
		return 0;
	}
	const folder = mkdtempSync(join(tmpdir(), 'prospector-soak-'));
	try {
		const target = await prepareTarget(platform, installPackage(folder));
		process.env.E2E_TARGET = join(folder, 'target.json');
		writeFileSync(process.env.E2E_TARGET, JSON.stringify(target));
		const report = await runSoak({ minutes, seed, target, log, evidenceFile: evidence });
		log(`\n${reportLines(report).join('\n')}`);
		if (record)
			writeFileSync(join(ROOT, 'docs/reliability.json'), `${JSON.stringify(figures(report), null, '\t')}\n`);
		return report.verdict.violations.length > 0 ? 1 : 0;
	} finally {
		if (!process.env.E2E_KEEP) rmSync(folder, { recursive: true, force: true });
	}
}

runMain(main, USAGE);
