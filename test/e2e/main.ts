import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine, noTests, type Totals } from '../../scripts/totals.mjs';
import { inWords, isNoticed, noticeAll } from './broken/notice';
import { compare } from './compatibility/compare';
import { prepareFiles } from './n8n/instance';
import type { Target } from './n8n/target';
import { readOptions, USAGE, type Options } from './options';
import { runTests, type Report } from './runTests';
import { SetUpError } from './setUp/commands';
import { installPacked } from './setUp/packed';
import { nameOf, type Pair } from './setUp/releases';
import { findServices, type Services } from './setUp/services';
import { prepareTarget } from './setUp/targets';

const say = (line: string) => console.log(line);

/** `npm run test:e2e`, after scripts/e2e.mjs has installed what this needs. */
async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		say(USAGE);
		return 0;
	}
	const services = findServices(say);
	const folder = mkdtempSync(join(tmpdir(), 'prospector-e2e-'));
	try {
		const packed = installPacked(folder);
		const totals = options.broken
			? await testTheTests(options, packed, services, folder)
			: await test(options, packed, services, folder);
		say(`\n${closingLine(totals)}`);
		return totals.failed > 0 ? 1 : 0;
	} finally {
		// Whoever keeps the tests' n8ns finds them in it.
		if (!process.env.E2E_KEEP) rmSync(folder, { recursive: true, force: true });
	}
}

/** All tests, in one n8n after the other; then the table of them in README. */
async function test(
	{ pairs, jest, record }: Options,
	packed: string,
	services: Services,
	folder: string,
): Promise<Totals> {
	const totals = noTests();
	const reports: Report[] = [];
	for (const pair of pairs) {
		const started = Date.now();
		const target = await prepareTestTarget(pair, packed, services, folder);
		const report = await runTests(target, folder, jest);
		reports.push(report);
		totals.passed += report.passed;
		totals.failed += report.failed;
		totals.skipped += report.skipped.length;
		report.skipped.forEach((title) => say(`Skipped: ${title}`));
		say(
			`n8n ${nameOf(pair)}: ${report.passed} passed, ${report.failed} failed in ${Math.round((Date.now() - started) / 1000)} s.`,
		);
	}
	for (const [name, { missing }] of Object.entries(services)) {
		if (missing) say(`Tests with ${name} were skipped: ${missing}`);
	}
	if (totals.failed === 0 && jest.length === 0 && !compare(reports, record, say)) totals.failed += 1;
	return totals;
}

/** Breaks the package on purpose: each time that the tests notice counts as passed. */
async function testTheTests(
	{ pairs }: Options,
	packed: string,
	services: Services,
	folder: string,
): Promise<Totals> {
	const totals = noTests();
	const targets: Target[] = [];
	for (const pair of pairs.filter(({ scheduler }) => scheduler === 'classic')) {
		targets.push(await prepareTestTarget(pair, packed, services, folder));
	}
	say('');
	await noticeAll(targets, folder, (notice) => {
		say(inWords(notice));
		totals[isNoticed(notice) ? 'passed' : 'failed'] += 1;
	});
	return totals;
}

/** Tests start from prepared files, because n8n takes long to set up its database. */
async function prepareTestTarget(
	pair: Pair,
	packed: string,
	services: Services,
	folder: string,
): Promise<Target> {
	const target = prepareTarget(pair, packed, say, services);
	const prepared = join(folder, `prepared ${nameOf(pair)}`);
	await prepareFiles(target, prepared);
	return { ...target, prepared };
}

main().then(
	(status) => (process.exitCode = status),
	(error: unknown) => {
		console.error(error instanceof SetUpError || error instanceof TypeError ? error.message : error);
		process.exitCode = 1;
	},
);
