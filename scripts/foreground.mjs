import { spawn } from 'node:child_process';
import { root } from './setUp.mjs';

/** Runs one of the repository's TypeScript files until it ends or Ctrl+C, and ends with its exit code. */
export function foreground(file, args) {
	const child = spawn('node', ['--import', 'tsx', file, ...args], { cwd: root, stdio: 'inherit' });
	// Ctrl+C reaches both; this process waits so that the other can tidy up and say goodbye.
	for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
	child.on('exit', (code) => process.exit(code ?? 1));
}
