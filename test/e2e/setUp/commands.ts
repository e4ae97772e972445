/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- not published */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const E2E = join(__dirname, '..');
export const ROOT = join(E2E, '..', '..');

export const log = (line: string) => console.log(line);

/** A step of the set-up failed. The message says what to do. */
export class SetUpError extends Error {}

/** The command line is invalid. The message says why. */
export class UsageError extends Error {}

/**
 * Runs the main function of a command and ends the process with the exit code that it returns.
 *
 * @param usage printed after the message of a UsageError
 */
export function runMain(main: () => Promise<number>, usage = ''): void {
	main().then(
		(exitCode) => (process.exitCode = exitCode),
		(error: unknown) => {
			if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
			else console.error(error instanceof SetUpError ? error.message : error);
			process.exitCode = error instanceof UsageError ? 2 : 1;
		},
	);
}

/**
 * Runs a command without showing its output.
 *
 * @param advice what to do if the command fails
 * @returns what the command printed to standard output
 * @throws SetUpError with the last lines of the output
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
	const output = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-15).join('\n');
	throw new SetUpError(`'${[file, ...args].join(' ')}': ${error?.message ?? output}\n${advice}`);
}

/** Returns the path of the first of these programs that is installed. */
export function findProgram(...names: string[]): string | undefined {
	for (const name of names) {
		const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
		if (status === 0) return stdout.trim();
	}
	return undefined;
}
