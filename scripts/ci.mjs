// `.ci/run`: the README's test command, then every other check; goes on after a failed one, and counts.
import { spawnSync } from 'node:child_process';
import { root } from './setUp.mjs';

const totals = { passed: 0, failed: 0, skipped: 0 };

function npm(title, args, { countTests = false } = {}) {
	console.log(`\n=== ${title}: npm ${args.join(' ')}`);
	const { status, stdout } = spawnSync('npm', args, {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 256 * 1024 * 1024,
	});
	process.stdout.write(stdout ?? '');
	const line = countTests ? /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(stdout ?? '') : null;
	if (line) {
		const [passed, failed, skipped] = line.slice(1).map((count) => Number(count ?? 0));
		totals.passed += passed;
		totals.failed += failed;
		totals.skipped += skipped;
		if (status !== 0 && failed === 0) totals.failed += 1;
		return;
	}
	totals[status === 0 ? 'passed' : 'failed'] += 1;
}

npm('Tests', ['test'], { countTests: true });
npm('Lint', ['run', 'lint']);
npm('Types', ['run', 'typecheck']);
npm('Format', ['run', 'format:check']);
npm('Build', ['run', 'build']);
npm('Main job', ['start']);

const { passed, failed, skipped } = totals;
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
