// `.ci/run`: everything that must pass for each change. Continues after a failed step, and counts tests and steps.
// `--without-e2e` omits the whole n8n.
import { spawn, spawnSync } from 'node:child_process';
import { install, requireNode, root } from './setUp.mjs';
import { closingLine, noTests, readTotals } from './totals.mjs';

const withE2e = !process.argv.includes('--without-e2e');
const totals = noTests();

/** Runs a step and adds its tests to the totals. A step that prints no totals counts as one test. */
function npm(...args) {
	console.log(`\n=== npm ${args.join(' ')}`);
	const startedAt = Date.now();
	const { status, stdout } = spawnSync('npm', args, {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 256 * 1024 * 1024,
	});
	process.stdout.write(stdout ?? '');
	console.log(`=== ${Math.round((Date.now() - startedAt) / 1000)} s`);
	const { passed, failed, skipped } = readTotals(stdout ?? '') ?? noTests();
	totals.passed += passed;
	totals.skipped += skipped;
	totals.failed += failed;
	if (passed + failed === 0) totals[status === 0 ? 'passed' : 'failed'] += 1;
	else if (status !== 0 && failed === 0) totals.failed += 1;
}

const startInBackground = (...args) => {
	const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
	return new Promise((resolve) => child.on('exit', resolve));
};
requireNode();
// Steps that need a missing installation make it again and report why it fails.
const packages = startInBackground('scripts/install.mjs', 'test/e2e', 'tools');
install();
const n8n = packages.then(() =>
	Promise.all([
		startInBackground('scripts/install.mjs', 'test/n8n', 'test/compat/n8n1'),
		...(withE2e ? [startInBackground('--import', 'tsx', 'scripts/installN8n.ts')] : []),
	]),
);
npm('run', 'format', '--', '--check');
await packages;
npm('run', 'typecheck');
npm('run', 'lint');
npm('run', 'tool', '--', 'verify');
npm('start');
await n8n;
npm('test');
if (withE2e) npm('run', 'test:e2e');

console.log(`\n${closingLine(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
