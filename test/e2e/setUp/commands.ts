import { spawnSync } from 'node:child_process';

/** A step of the set-up that did not succeed; the message says what to do. */
export class SetUpError extends Error {}

/**
 * Runs a command quietly.
 *
 * @param advice what to do where it does not succeed
 * @returns what it printed
 * @throws SetUpError with the end of what it printed
 */
export function command(
	file: string,
	args: string[],
	{ cwd, env, advice }: { cwd: string; env?: NodeJS.ProcessEnv; advice: string },
): string {
	const { status, stdout, stderr, error } = spawnSync(file, args, {
		cwd,
		env: env ?? process.env,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	if (!error && status === 0) return stdout;
	const said = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-15).join('\n');
	throw new SetUpError(`'${[file, ...args].join(' ')}': ${error?.message ?? said}\n${advice}`);
}

/** Where a program is, or undefined. */
export function findProgram(...names: string[]): string | undefined {
	for (const name of names) {
		const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
		if (status === 0) return stdout.trim();
	}
	return undefined;
}
