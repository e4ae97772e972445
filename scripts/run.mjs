// `node scripts/run.mjs COMMAND ARGUMENTS`: what package.json executes. Installs what is missing, builds the package, and
// runs the file of the command until it ends or Ctrl+C. `--help` needs neither packages nor the build.
import { spawn } from 'node:child_process';
import { COMMANDS, TOOLS, usageOf } from './commands.cjs';
import { build, install, requireNode, root } from './setUp.mjs';

let [name, ...args] = process.argv.slice(2);
if (name === 'tool' && args.length > 0 && !args[0].startsWith('-')) {
	[name, ...args] = args;
	if (!Object.hasOwn(TOOLS, name)) {
		console.error(`There is no tool '${name}'.\n\n${usageOf('tool')}`);
		process.exit(2);
	}
}
if (name === 'tool' || args.includes('--help')) {
	console.log(usageOf(name));
	process.exit(0);
}

const command = COMMANDS[name] ?? TOOLS[name];
requireNode();
for (const folder of ['.', ...(command.folders ?? [])]) install(folder);
if (command.builds) {
	console.log('Building the package …');
	build();
}
if (command.file) {
	const given = args.length > 0 ? args : (command.defaultArgs ?? []);
	const loader = command.file.endsWith('.ts') ? ['--import', 'tsx'] : [];
	const child = spawn(process.execPath, [...loader, command.file, ...(command.args ?? []), ...given], {
		cwd: root,
		stdio: 'inherit',
	});
	// Ctrl+C reaches both processes. This one waits, so that the other can clean up.
	for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
	child.on('exit', (code) => process.exit(code ?? 1));
}
