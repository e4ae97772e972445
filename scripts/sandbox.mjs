// `npm run sandbox -- --port 4010`: the service on this machine, until Ctrl+C.
import { spawn } from 'node:child_process';
import { install, requireNode, root } from './setUp.mjs';

requireNode();
install();
const child = spawn('node', ['--import', 'tsx', 'sandbox/cli.ts', ...process.argv.slice(2)], {
	cwd: root,
	stdio: 'inherit',
});
// Ctrl+C reaches both; this process waits so that the sandbox can say goodbye.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 0));
