import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine, noTests, type Totals } from '../../scripts/totals.mjs';
import { describeDetection, detectBreakages, isDetected } from './broken/detect';
import { compareTable } from '../../tools/compatibility/records';
import { readOptions, USAGE, type Options } from './options';
import { runTests, type Report } from './runTests';
import { log, runMain } from './setUp/commands';
import { choosePlatforms, platformName, RELEASES } from './setUp/platforms';
import { findServices } from './setUp/services';
import { installPackage, prepareTarget } from './setUp/targets';

/** `npm run test:e2e`, after scripts/run.mjs has installed the dependencies. */
async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		log(USAGE);
		return 0;
	}
	const folder = mkdtempSync(join(tmpdir(), 'prospector-e2e-'));
	try {
		const totals = options.broken ? await testBreakages(folder) : await test(options, folder);
		log(`\n${closingLine(totals)}`);
		return totals.failed > 0 ? 1 : 0;
	} finally {
		if (!process.env.E2E_KEEP) rmSync(folder, { recursive: true, force: true });
	}
}

/** Runs the tests on each platform, and then compares or writes the compatibility table. */
async function test({ runs, files, record, comparesTable }: Options, folder: string): Promise<Totals> {
	const services = findServices();
	const packed = installPackage(folder);
	const totals = noTests();
	const reports: Report[] = [];
	for (const { platform, scope } of runs) {
		const startedAt = Date.now();
		const target = await prepareTarget(platform, packed, services);
		const report = await runTests(target, folder, { scope, files });
		reports.push(report);
		const { passed, failed, skipped } = report;
		totals.passed += passed;
		totals.failed += failed;
		totals.skipped += skipped.length;
		skipped.forEach((title) => log(`Skipped: ${title}`));
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		log(`n8n ${platformName(platform)}: ${passed} passed, ${failed} failed in ${seconds} s.`);
	}
	for (const [name, { missing }] of Object.entries(services)) {
		if (missing) log(`Tests with ${name} were skipped: ${missing}`);
	}
	if (totals.failed === 0 && comparesTable && !compareTable(reports, record)) totals.failed += 1;
	return totals;
}

/** Breaks the package in several ways in each release. Each breakage that a test detects counts as passed. */
async function testBreakages(folder: string): Promise<Totals> {
	const packed = installPackage(folder);
	const totals = noTests();
	const [platform] = choosePlatforms({ n8n: RELEASES[0] });
	const target = await prepareTarget(platform, packed);
	log('');
	await detectBreakages(target, folder, (detection) => {
		log(describeDetection(detection));
		totals[isDetected(detection) ? 'passed' : 'failed'] += 1;
	});
	return totals;
}

runMain(main, USAGE);
