/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCli } from '../../sandbox/cli';
import { eventually } from '../eventually';
import { closeAll, startTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

const children: ChildProcess[] = [];
afterAll(async () => {
	for (const child of children) child.kill('SIGKILL');
	await closeAll();
});

/** Executes the command in a process of its own and waits until it is ready. */
async function startCommand(...args: string[]) {
	const options = { cwd: join(__dirname, '../..') };
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...args], options);
	children.push(child);
	const started = { child, text: '', exitCode: once(child, 'close').then(([code]) => code as number | null) };
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (started.text += chunk));
	await eventually('the last line of the welcome text', () => /^ready \S+\n$/m.test(started.text));
	return started;
}

const send = async (url: string, options: RequestInit = {}) => {
	const response = await fetch(url, options);
	return { status: response.status, json: (await response.json()) as Json };
};

test('the sandbox command prints API keys and working curl examples, logs requests, and exits on SIGTERM', async () => {
	const options = '--port 0 --limit 2 --stage-ms 0 --page-size 1 --order oldest --statuses open,shut';
	const command = await startCommand(...options.split(' '));
	const welcome = command.text;
	for (const name of 'full,read_only_scope,no_me_read,read_only_membership,revoked,expired'.split(',')) {
		expect(welcome).toMatch(new RegExp(`prospector_sandbox_${name}_[0-9a-f]{24} `));
	}

	const [, name, value, url] = /curl -H '(\w+): (.*?)' (\S+)/.exec(welcome) ?? [];
	const headers = { [name]: value };
	const { status, json } = await send(url, { headers });
	expect([status, json.data.length, json.pagination.has_more]).toEqual([200, 1, true]);
	const runs = await send(`${url}/${json.data[0].id}/runs`, { headers });
	expect([runs.status, runs.json.data[0].status]).toEqual([200, 'shut']);
	expect((await send(url, { headers })).status).toBe(429);

	const [, type, contentType, body, faults] = /curl -H '(\S+): (.*?)' -d '(.*?)' (\S+)/.exec(welcome) ?? [];
	const rule = { method: 'POST', headers: { [type]: contentType }, body };
	expect((await send(faults, rule)).status).toBe(200);

	await eventually('the log', () => command.text.includes(' 429 '));
	const log = command.text.slice(welcome.length);
	expect(log).toMatch(/^\S+Z GET \/api\/public\/v1\/prospector\/workflows 200 full$/m);
	expect(log).not.toContain('prospector_sandbox_');

	command.child.kill('SIGTERM');
	expect(await command.exitCode).toBe(0);
});

test.each([
	['--nope', 2, /--nope[^]*^ +--page-size/m],
	['--port x', 2, /--port takes a whole number, not "x"/],
	['--order sideways', 2, /newest, oldest, shuffled/],
	['--limit 0', 2, /"limit"/],
	['--port USED', 1, /port .*in use.*--port/],
])(
	'the sandbox command with the arguments "%s" returns the exit code %d and prints text that matches %p',
	async (args, code, message) => {
		const { baseUrl } = await startTestSandbox();
		const printed: string[] = [];
		const print = (text: unknown) => void printed.push(String(text));
		const given = args.replace('USED', new URL(baseUrl).port).split(' ');
		expect(await runCli(given, { log: print, error: print })).toBe(code);
		expect(printed.join('\n')).toMatch(message);
		expect(printed.join('\n')).not.toMatch(/^[\t ]+at /m);
	},
);
