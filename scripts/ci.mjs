// `.ci/run`: the README's test commands, then every other check; goes on after a failed one, and counts.
// `--without-e2e` leaves the whole n8n to another job, and says so.
import { spawnSync } from 'node:child_process';
import { root } from './setUp.mjs';
import { closingLine, noTests, readTotals } from './totals.mjs';

const totals = noTests();

function npm(title, args, { countTests = false } = {}) {
	console.log(`\n=== ${title}: npm ${args.join(' ')}`);
	const { status, stdout } = spawnSync('npm', args, {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 256 * 1024 * 1024,
	});
	process.stdout.write(stdout ?? '');
	const tests = countTests ? readTotals(stdout ?? '') : undefined;
	if (tests) {
		for (const [name, count] of Object.entries(tests)) totals[name] += count;
		if (status !== 0 && tests.failed === 0) totals.failed += 1;
		return;
	}
	totals[status === 0 ? 'passed' : 'failed'] += 1;
}

npm('Tests', ['test'], { countTests: true });
npm('Coverage', ['run', 'test:quick', '--', '--coverage']);
if (process.argv.includes('--without-e2e')) {
	console.log('\n=== Left out: npm run test:e2e');
} else {
	npm('Whole n8n', ['run', 'test:e2e'], { countTests: true });
	npm('Tests of these tests', ['run', 'test:e2e', '--', '--broken'], { countTests: true });
}
npm('Lint', ['run', 'lint']);
npm('Types', ['run', 'typecheck']);
npm('Format', ['run', 'format:check']);
npm('Build', ['run', 'build']);
npm('Main job', ['start']);

console.log(`\n${closingLine(totals)}`);
process.exitCode = totals.failed > 0 ? 1 : 0;
