// `node scripts/run.mjs [--no-build] [--install FOLDER]… FILE ARGUMENTS`: what a command of package.json executes. Installs
// what is missing, builds the package, and runs one of the repository's TypeScript files until it ends or Ctrl+C.
import { spawn } from 'node:child_process';
import { build, install, requireNode, root } from './setUp.mjs';

const args = process.argv.slice(2);
const needsBuild = args[0] !== '--no-build';
if (!needsBuild) args.shift();

requireNode();
install();
while (args[0] === '--install') install(args.splice(0, 2)[1]);
if (needsBuild) {
	console.log('Building the package …');
	build();
}
const child = spawn('node', ['--import', 'tsx', ...args], { cwd: root, stdio: 'inherit' });
// Ctrl+C reaches both processes. This one waits, so that the other can clean up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
