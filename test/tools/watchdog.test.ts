import { spawn } from 'node:child_process';
import { waitFor } from '../waitFor';

const WATCHDOG = 'test/e2e/n8n/watchdog.mjs';
// Says who it is, so that the test knows that it runs.
const SLEEPER = ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'];

const lives = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

/** Starts a command that never ends, with the watchdog. */
async function start() {
	const watchdog = spawn(process.execPath, [WATCHDOG, process.execPath, ...SLEEPER], {
		detached: true,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const pid = await new Promise<number>((resolve) =>
		watchdog.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
	);
	return { watchdog, pid };
}

test('what was started ends once nobody holds it any more, as when its starter was killed', async () => {
	const { watchdog, pid } = await start();
	expect(lives(pid)).toBe(true);
	watchdog.stdin.destroy();
	await waitFor('the command to end', () => !lives(pid));
});

test('the watchdog ends with what it has started', async () => {
	const { watchdog, pid } = await start();
	const ended = new Promise((resolve) => watchdog.once('exit', resolve));
	process.kill(pid);
	await ended;
	expect(lives(pid)).toBe(false);
});
