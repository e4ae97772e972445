// Runs a command, and ends it, with all that it has started, once whoever started this is gone, however that happened:
// then nobody holds the other end of standard input any more.
import { spawn } from 'node:child_process';

const [, , file, ...args] = process.argv;
// The leader of a group of processes, as it was started as one.
const killAll = () => process.kill(-process.pid, 'SIGKILL');

process.stdin.on('close', killAll).resume();
// The command gets this too, and may take its time.
process.on('SIGTERM', () => {});
spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] })
	.on('error', (error) => {
		console.error(error.message);
		killAll();
	})
	.on('exit', killAll);
