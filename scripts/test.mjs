// `npm test` and `npm run test:quick`: runs Jest, and ends with the totals.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setUp.mjs';
import { SLOW_UNIT_TESTS } from './slowTests.mjs';
import { closingLine, noTests } from './totals.mjs';

const [mode, ...options] = process.argv.slice(2);
const isQuick = mode === '--quick';

/** @returns the arguments of jest and additional environment variables */
function chooseTests() {
	if (isQuick) {
		const args = ['--selectProjects', 'unit', 'tools', 'simulator'];
		// First, because Jest takes a path after the projects for a project. A few random histories are enough to see
		// that all parts work together.
		return [[...options, ...args, `--testPathIgnorePatterns=${SLOW_UNIT_TESTS}`], { HISTORIES: '10' }];
	}
	if (mode !== undefined) return [[mode, ...options], {}];
	// n8n-core 1 leaves a timer behind, hence --forceExit.
	return [['--ignoreProjects', 'long', '--forceExit'], { GROUP_TESTS: '1' }];
}

const [jestArgs, env] = chooseTests();
const folder = mkdtempSync(join(tmpdir(), 'prospector-tests-'));
const report = join(folder, 'report.json');
const { status } = spawnSync(
	process.execPath,
	[
		'node_modules/jest/bin/jest.js',
		'--cacheDirectory=node_modules/.cache/jest',
		...['--json', `--outputFile=${report}`],
		...jestArgs,
	],
	{
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
		// Temporary files of the tests are deleted together with the report.
		env: { ...process.env, TMPDIR: folder, ...env },
		// A broken node can keep the process alive. A run that does not end counts as failed.
		timeout: 30 * 60_000,
		killSignal: 'SIGKILL',
	},
);

const totals = noTests();
try {
	const result = JSON.parse(readFileSync(report, 'utf8'));
	totals.passed = result.numPassedTests;
	// A file that does not load counts as one failed test.
	totals.failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
	totals.skipped = result.numPendingTests;
} catch {
	totals.failed = 1;
}
rmSync(folder, { recursive: true, force: true });
if (status !== 0 && totals.failed === 0) {
	console.error('\nEvery test passed, but jest failed: see the coverage above.');
	totals.failed = 1;
}
console.log(`\n${closingLine(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
