import { spawnSync } from 'node:child_process';
import { readOptions } from './cli';

const read = (...args: string[]) => readOptions(args, { help: 'HELP', defaults: { seed: 1, polls: 100 } });

test('reads the options, with defaults', () => {
	expect(read()).toEqual({ seed: 1, polls: 100 });
	expect(read('--seed', '7', '--polls=5')).toEqual({ seed: 7, polls: 5 });
});

test('returns the help', () => {
	expect(read('--seed', '7', '--help')).toEqual({ message: 'HELP', exitCode: 0 });
});

test.each([['--seed', 'x'], ['--polls', '1.5'], ['--unknown'], ['7']])('rejects %s %s', (...args) => {
	expect(read(...args.filter(Boolean))).toEqual({
		message: expect.stringMatching(/\w.*\n\nHELP$/),
		exitCode: 2,
	});
});

test('the campaign prints its command, its figures, and nothing that n8n logs', () => {
	const args = ['--seed', '9', '--operations', '6', '--limits-seed', '1'];
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		['--import', 'tsx', 'test/campaign/main.ts', ...args],
		{ encoding: 'utf8', env: { ...process.env, N8N_USER_FOLDER: undefined } },
	);
	expect(stderr).toBe('');
	expect(stdout).toMatch(
		/^npm run campaign -- --seed 9 --operations 6\n[^]*\n {2}operations +6\n[^]*\n\nEach of 6 operations was done exactly once\.\nRate limits \(--limits-seed \d+\): \d\d of 99 within 1\.15, median 1\.\d+, 0 failed requests\n$/,
	);
	expect(stdout).not.toContain('"level"');
	expect(status).toBe(0);
}, 180_000);
