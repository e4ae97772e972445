import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { waitFor } from '../until';
import { JSON_HEADER } from './support';
import type { Json } from './support';

jest.setTimeout(20_000);

const running: ChildProcess[] = [];
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));

interface Command {
	child: ChildProcess;
	text(): string;
	/** Resolves with the text once it fits, or fails with the text when the command ends first. */
	until(pattern: RegExp): Promise<string>;
	ended: Promise<{ code: number | null; text: string }>;
}

function command(...args: string[]): Command {
	const root = join(__dirname, '../..');
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...args], { cwd: root });
	running.push(child);
	let text = '';
	const changed = () => new Promise((resolve) => child.stdout.once('data', resolve));
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
	const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text }));
	const until = async (pattern: RegExp): Promise<string> => {
		while (!pattern.test(text)) {
			const over = await Promise.race([changed().then(() => false), ended.then(() => true)]);
			if (over && !pattern.test(text)) throw new Error(`The command ended before ${pattern}:\n${text}`);
		}
		return text;
	};
	return { child, text: () => text, until, ended };
}

test('prints the keys and an example, serves, logs, and closes on a signal', async () => {
	const sandbox = command(
		'--port',
		'0',
		'--limit',
		'2',
		'--statuses',
		'open, shut',
		'--stage-ms',
		'0',
		'--page-size',
		'1',
	);
	const welcome = await sandbox.until(/^ready http:\/\/127\.0\.0\.1:\d+\n/m);
	expect(welcome.trimEnd().split('\n').pop()).toMatch(/^ready /);
	for (const name of [
		'full',
		'read_only_scope',
		'no_me_read',
		'read_only_membership',
		'revoked',
		'expired',
	]) {
		expect(welcome).toMatch(new RegExp(`prospector_sandbox_${name}_[0-9a-f]{24} `));
	}
	expect(welcome).toMatch(/\/_control/);

	// The example must work as it is printed.
	const [, header, value, url] = /curl -H '(\w+): (.*?)' (\S+)/.exec(welcome) ?? [];
	const agent = new Agent();
	const get = async (address: string) => {
		const answer = await request(address, { dispatcher: agent, headers: { [header]: value } });
		return { status: answer.statusCode, json: (await answer.body.json()) as Json };
	};
	const { status, json } = await get(url);
	expect(status).toBe(200);
	expect(json.data).toHaveLength(1);
	expect(json.pagination.has_more).toBe(true);
	const runs = await get(`${url}/${json.data[0].id}/runs`);
	expect(runs.status).toBe(200);
	expect((await get(url)).status).toBe(429);

	const [, type, contentType, body, faults] = /curl -H '(\S+): (.*?)' -d '(.*?)' (\S+)/.exec(welcome) ?? [];
	const rule = { dispatcher: agent, method: 'POST', headers: { [type]: contentType }, body } as const;
	expect((await request(faults, rule)).statusCode).toBe(200);
	await agent.destroy();

	await sandbox.until(/ 429 /);
	const log = sandbox.text().slice(welcome.length);
	expect(log).toMatch(/^\S+Z GET \/api\/public\/v1\/prospector\/workflows 200 full$/m);
	expect(log).not.toContain('prospector_sandbox_');

	sandbox.child.kill('SIGTERM');
	expect((await sandbox.ended).code).toBe(0);
});

test('closes although an answer is still to come, and when the signal comes twice', async () => {
	const sandbox = command('--port', '0');
	const [, baseUrl] = /^ready (\S+)\n/m.exec(await sandbox.until(/^ready \S+\n/m)) ?? [];
	const agent = new Agent();
	const rule = JSON.stringify({ kind: 'slow', delayMs: 3_600_000 });
	const added = await request(`${baseUrl}/_control/faults`, {
		dispatcher: agent,
		method: 'POST',
		headers: JSON_HEADER,
		body: rule,
	});
	expect(added.statusCode).toBe(200);
	const pending = request(`${baseUrl}/api/public/v1/me`, { dispatcher: agent });
	pending.catch(() => {});
	await waitFor('the request', async () => {
		const journal = await request(`${baseUrl}/_control/journal`, { dispatcher: agent });
		return ((await journal.body.json()) as Json).length > 0;
	});
	sandbox.child.kill('SIGINT');
	sandbox.child.kill('SIGINT');
	const ended = await sandbox.ended;
	expect(ended).toMatchObject({ code: 0, text: expect.stringContaining('Sandbox closed.') });
	await expect(pending).rejects.toThrow();
	await agent.destroy();
});

test.each([
	[['--help'], 0, /--page-size/],
	[['--nope'], 2, /--nope/],
	[['stray'], 2, /stray/],
	[['--port', 'x'], 2, /--port takes a whole number, not "x"/],
	[['--port', '99999'], 2, /99999|65536/],
	[['--order', 'sideways'], 2, /newest, oldest, shuffled/],
	[['--limit', '0'], 2, /"limit"/],
	[['--statuses', ','], 2, /"runStatuses"/],
] as Array<[string[], number, RegExp]>)('%j ends with %d', async (args, code, message) => {
	const ended = await command(...args).ended;
	expect(ended.code).toBe(code);
	expect(ended.text).toMatch(message);
	expect(ended.text).not.toMatch(/^[\t ]+at /m);
});

test('a taken port: a clear message and code 1', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const ended = await command('--port', String((other.address() as AddressInfo).port)).ended;
	other.close();
	expect(ended.code).toBe(1);
	expect(ended.text).toMatch(/port .*taken.*--port/);
	expect(ended.text).not.toMatch(/^[\t ]+at /m);
});
