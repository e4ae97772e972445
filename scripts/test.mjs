// `npm test`: installs what is missing, builds, and runs every test on the newest and on the oldest supported n8n.
// With arguments, only jest with these: `npm test -- --selectProjects unit`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, root } from './setUp.mjs';
import { closingLine, noTests } from './totals.mjs';

const OLDEST = 'n8n1';
/** Tests of the trigger with thousands of polls. */
const HISTORIES = '/trigger/(.*\\.history|year|longList)\\.test\\.ts$';

requireNode();
install();
install('test/n8n');
install(`test/compat/${OLDEST}`);
console.log('Building the package …');
build();

const reports = mkdtempSync(join(tmpdir(), 'prospector-tests-'));
const totals = noTests();

/** @returns whether jest was content */
function jest(title, args, env = {}) {
	console.log(`\n${title}`);
	const report = join(reports, `${title.replace(/\W+/g, '-')}.json`);
	const { status } = spawnSync(
		process.execPath,
		[
			'node_modules/jest/bin/jest.js',
			'--cacheDirectory=node_modules/.cache/jest',
			'--json',
			`--outputFile=${report}`,
			...args,
		],
		{
			cwd: root,
			stdio: ['ignore', 'inherit', 'inherit'],
			// What tests leave in the folder for temporary files goes with it.
			env: { ...process.env, TMPDIR: reports, ...env },
			// Whatever a broken node leaves open: a run that does not end has failed.
			timeout: 30 * 60_000,
			killSignal: 'SIGKILL',
		},
	);
	try {
		const result = JSON.parse(readFileSync(report, 'utf8'));
		totals.passed += result.numPassedTests;
		// A file that does not even load, and coverage below its limit, count as one failed test each.
		totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
		totals.skipped += result.numPendingTests;
	} catch {
		totals.failed += 1;
	}
	return status === 0;
}

const chosen = process.argv.slice(2);
const content =
	chosen.length > 0
		? jest('Chosen tests', chosen)
		: [
				jest('n8n-core 2.41 (newest)', ['--coverage', `--testPathIgnorePatterns=${HISTORIES}`]),
				// Without coverage, which slows them down.
				jest('Long histories of the trigger', [HISTORIES]),
				// n8n-core 1 leaves a timer behind, hence --forceExit.
				jest(
					'n8n-core 1.122 (n8n 1.123, oldest supported)',
					['--selectProjects', 'workflow', 'package', '--forceExit'],
					{ compat: OLDEST },
				),
			].every(Boolean);
rmSync(reports, { recursive: true, force: true });

if (!content && totals.failed === 0) {
	console.error('\nEvery test passed, but jest was not content: see coverage above.');
	totals.failed += 1;
}
console.log(`\n${closingLine(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
