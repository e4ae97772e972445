// `npm test`: installs missing packages, builds, and runs every test but the long ones, some also on the oldest
// supported n8n-core. `npm run test:quick` runs the fast unit tests, `npm run test:long` the long tests. With other
// arguments, runs jest with them: `npm test -- --selectProjects unit`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, root } from './setUp.mjs';
import { SLOW_UNIT_TESTS } from './slowTests.mjs';
import { closingLine, noTests } from './totals.mjs';

const [mode, ...options] = process.argv.slice(2);
const isQuick = mode === '--quick';

/** @returns the arguments of jest and additional environment variables */
function chooseTests() {
	if (isQuick) {
		const args = ['--selectProjects', 'unit', 'tools', 'simulator', ...options];
		// A few random histories are enough to see that all parts work together.
		return [[...args, `--testPathIgnorePatterns=${SLOW_UNIT_TESTS}`], { HISTORIES: '40' }];
	}
	if (mode !== undefined) return [[mode, ...options], {}];
	// n8n-core 1 leaves a timer behind, hence --forceExit.
	return [['--ignoreProjects', 'long', '--forceExit'], {}];
}

requireNode();
install();
if (!isQuick) {
	install('test/n8n');
	install('test/compat/n8n1');
}
console.log('Building the package …');
build();

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
