// Runs a command, and kills its process group when the process that started this one is gone. Standard input is closed
// then, even if that process was killed.
import { spawn } from 'node:child_process';

const [, , file, ...args] = process.argv;
// This process leads the group, because it is started with `detached`.
const killAll = () => process.kill(-process.pid, 'SIGKILL');

process.stdin.on('close', killAll).resume();
// The command receives SIGTERM too, and may take its time to stop.
process.on('SIGTERM', () => {});
spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] })
	.on('error', (error) => {
		console.error(error.message);
		killAll();
	})
	.on('exit', killAll);
