/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageOf } from '../../scripts/commands.cjs';
import { closingLine, noTests, type Totals } from '../../scripts/totals.mjs';
import { compareTable } from '../../tools/compatibility/records';
import { readOptions, type Options } from './options';
import { runTests, type Report } from './runTests';
import { log, runMain } from './setUp/commands';
import { DEFAULT_PLATFORM, platformName } from './setUp/platforms';
import { findServices } from './setUp/services';
import { installPackage, prepareTarget } from './setUp/targets';

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	const folder = mkdtempSync(join(tmpdir(), 'prospector-e2e-'));
	try {
		const totals = options.broken ? await testBrokenTrigger(folder) : await test(options, folder);
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

/** Breaks the trigger so that it emits items again. Counts as passed if its tests detect that. */
async function testBrokenTrigger(folder: string): Promise<Totals> {
	const packed = installPackage(folder);
	const target = await prepareTarget(DEFAULT_PLATFORM, packed);
	const nodeFolder = join(packed, 'node_modules/n8n-nodes-prospector/dist/nodes/Prospector');
	const trigger = join(nodeFolder, 'ProspectorTrigger.node.js');
	renameSync(trigger, join(nodeFolder, 'ProspectorTrigger.original.js'));
	cpSync(join(__dirname, 'broken/ProspectorTrigger.node.cjs'), trigger);
	const { failed, passed } = await runTests(target, folder, { files: ['trigger/restart'], quiet: true });
	// If no test passed, the failures may have another cause.
	const isDetected = failed > 0 && passed > 0;
	log(
		`The broken trigger was ${isDetected ? '' : 'NOT '}detected (${failed} tests failed, ${passed} passed).`,
	);
	return { ...noTests(), [isDetected ? 'passed' : 'failed']: 1 };
}

runMain(main, usageOf('test:e2e'));
