// `npm test`: installs missing packages, builds, and runs every test on the newest and on the oldest supported n8n.
// `npm run test:quick`: builds, and runs the fast unit tests; `-- --coverage` checks that they cover the code.
// With other arguments, runs jest once with them: `npm test -- --selectProjects unit`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, root } from './setUp.mjs';
import { SAME_ON_EVERY_ENGINE, SLOW_UNIT_TESTS } from './slowTests.mjs';
import { closingLine, noTests } from './totals.mjs';

const OLDEST = 'n8n1';
const args = process.argv.slice(2);
const isQuick = args[0] === '--quick';

requireNode();
install();
if (!isQuick) {
	install('test/n8n');
	install(`test/compat/${OLDEST}`);
}
console.log('Building the package …');
build();

const reports = mkdtempSync(join(tmpdir(), 'prospector-tests-'));
const totals = noTests();

/** @returns whether jest succeeded */
function jest(title, jestArgs, env = {}) {
	console.log(`\n${title}`);
	const report = join(reports, `${title.replace(/\W+/g, '-')}.json`);
	const { status } = spawnSync(
		process.execPath,
		[
			'node_modules/jest/bin/jest.js',
			'--cacheDirectory=node_modules/.cache/jest',
			'--json',
			`--outputFile=${report}`,
			...jestArgs,
		],
		{
			cwd: root,
			stdio: ['ignore', 'inherit', 'inherit'],
			// Temporary files of the tests are deleted together with the reports.
			env: { ...process.env, TMPDIR: reports, ...env },
			// A broken node can keep the process alive. A run that does not end counts as failed.
			timeout: 30 * 60_000,
			killSignal: 'SIGKILL',
		},
	);
	try {
		const result = JSON.parse(readFileSync(report, 'utf8'));
		totals.passed += result.numPassedTests;
		// A file that does not load counts as one failed test.
		totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
		totals.skipped += result.numPendingTests;
	} catch {
		totals.failed += 1;
	}
	return status === 0;
}

const ignore = (patterns) => patterns.map((pattern) => `--testPathIgnorePatterns=${pattern}`);

const runQuick = () => [
	jest(
		'Fast unit tests',
		['--selectProjects', 'unit', 'tools', 'simulator', ...ignore(SLOW_UNIT_TESTS)],
		// A few random histories are enough to see that all parts work together.
		{ HISTORIES: '40' },
	),
];

const runAll = () => [
	jest('n8n-core 2.41 (newest)', []),
	// n8n-core 1 leaves a timer behind, hence --forceExit.
	jest(
		'n8n-core 1.122 (n8n 1.123, oldest supported)',
		[...['--selectProjects', 'workflow', 'package', '--forceExit'], ...ignore(SAME_ON_EVERY_ENGINE)],
		{ compat: OLDEST },
	),
];

let results;
if (isQuick) results = runQuick();
else if (args.length > 0) results = [jest('Selected tests', args)];
else results = runAll();
rmSync(reports, { recursive: true, force: true });

if (!results.every(Boolean) && totals.failed === 0) {
	console.error('\nEvery test passed, but jest failed: see the coverage above.');
	totals.failed += 1;
}
console.log(`\n${closingLine(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
