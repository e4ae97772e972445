/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageOf } from '../../scripts/commands.cjs';
import { closingLine, noTests, type Totals } from '../../scripts/totals.mjs';
import { compareTable } from '../../tools/compatibility/records';
import { readOptions, type Options } from './options';
import { runTests, type Report } from './runTests';
import { log, runMain } from './setUp/commands';
import { platformName } from './setUp/platforms';
import { findServices } from './setUp/services';
import { installPackage, prepareTarget } from './setUp/targets';

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	const folder = mkdtempSync(join(tmpdir(), 'prospector-e2e-'));
	try {
		const totals = await test(options, folder);
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
		const report = await runTests(target, folder, scope, files);
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

runMain(main, usageOf('test:e2e'));
