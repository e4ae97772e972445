import { spawnSync } from 'node:child_process';

const main = (...args: string[]) => {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		['--import', 'tsx', 'test/campaign/main.ts', ...args],
		{ encoding: 'utf8', env: { ...process.env, N8N_USER_FOLDER: undefined } },
	);
	return { status, stdout, stderr };
};

test('--help tells of every setting', () => {
	const { status, stdout } = main('--help');
	expect(status).toBe(0);
	for (const flag of ['--seed', '--operations']) expect(stdout).toContain(flag);
});

test.each(['--seed x', '--operations 1.5', '--unknown'])('%s is refused', (args) => {
	const { status, stdout } = main(...args.split(' '));
	expect(status).toBe(2);
	expect(stdout).toContain('--operations N');
});

test('a campaign prints its seed first, its numbers last, and nothing that n8n logs', () => {
	const { status, stdout, stderr } = main('--seed', '9', '--operations', '12');
	expect(stdout).toMatch(/^npm run campaign -- --seed 9 --operations 12\n/);
	expect(stdout).toMatch(
		/\n {2}operations +12\n[^]*\n {2}time +\d+ s\n\nEach of 12 operations was done exactly once\.\n$/,
	);
	expect(stdout).not.toContain('"level"');
	expect(stderr).toBe('');
	expect(status).toBe(0);
});
