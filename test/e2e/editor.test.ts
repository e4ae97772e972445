import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { RunsSummary } from '../../sandbox/types';
import { DEMO_FILE, exampleFiles, readExample } from '../examples/examples';
import { Executions, failureOf, jsonOf, type Execution } from './n8n/executions';
import { freePorts, isFree } from './n8n/ports';
import { eventually, Rest } from './n8n/rest';
import { readTarget } from './n8n/target';
import { Workflows, type Saved } from './n8n/workflows';
import { ROOT } from './setUp/commands';

interface Listed {
	id: string;
	name: string;
	type: string;
}

describe('npm run editor: a whole n8n with everything in place', () => {
	let command: ChildProcess;
	let port: number;
	let folder: string;
	let output = '';
	let rest: Rest;
	const printed = (pattern: RegExp) => pattern.exec(output)?.[1];

	async function runAndCollect(): Promise<Execution> {
		const example = (await allWorkflows(rest)).find(({ name }) => name === 'Prospector: run and collect');
		const [trigger] = example!.nodes.filter(({ type }) => type.endsWith('Trigger'));
		return await new Executions(rest).ended(await new Workflows(rest).start(example!, trigger.name));
	}

	beforeAll(async () => {
		[port] = await freePorts(1);
		folder = mkdtempSync(join(tmpdir(), 'prospector-editor-test-'));
		const { release, nodeMajor } = readTarget();
		const options = ['--port', String(port), '--n8n', release, '--node', String(nodeMajor)];
		command = spawn(process.execPath, ['--import', 'tsx', 'tools/editor/main.ts', ...options], {
			cwd: ROOT,
			env: { ...process.env, TMPDIR: folder },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		for (const stream of [command.stdout, command.stderr])
			stream?.on('data', (text: Buffer) => (output += text.toString()));
		await eventually(
			'the guide',
			() => {
				if (command.exitCode !== null) throw new Error(`It has ended:\n${output}`);
				return output.includes('Ctrl+C stops both');
			},
			180_000,
		);
		rest = new Rest(printed(/n8n {2,}(http\S+)/) ?? '');
	});
	afterAll(async () => {
		// Unlike SIGKILL, this signal also stops n8n.
		const exited = new Promise((resolve) => command.once('exit', resolve));
		if (command.exitCode === null && command.kill('SIGTERM')) await exited;
		rmSync(folder, { recursive: true, force: true });
	});

	test('the printed address, e-mail and password are valid', async () => {
		expect(rest.baseUrl).toBe(`http://127.0.0.1:${port}`);
		const email = printed(/E-mail +(\S+)/) ?? '';
		await rest.logIn({ email, password: printed(/Password +(\S+)/) ?? '' });
		expect(await rest.get('/rest/login')).toMatchObject({ email });
	});

	test('each printed credential exists, and its test has the result that the guide describes', async () => {
		const credentials = await rest.get<Listed[]>('/rest/credentials');
		const results = await Promise.all(
			credentials.map(async ({ id, name, type }) => {
				const { data } = await rest.get<{ data: object }>(`/rest/credentials/${id}?includeData=true`);
				const credential = { id, name, type, data };
				const { status } = await rest.post<{ status: string }>('/rest/credentials/test', {
					credentials: credential,
				});
				return `${name}: ${status}`;
			}),
		);
		expect(results.sort()).toEqual([
			'Prospector account: OK',
			'Prospector, key for reading only: OK',
			'Prospector, key of a read-only member: OK',
			'Prospector, revoked key: Error',
		]);
		for (const { name } of credentials) expect(output).toContain(name);
	});

	test('every example exists, and its Prospector nodes have the credential with all permissions', async () => {
		const credentials = await rest.get<Listed[]>('/rest/credentials');
		const [{ id, name }] = credentials.filter((each) => each.name === 'Prospector account');
		const saved = await allWorkflows(rest);
		const names = [DEMO_FILE, ...exampleFiles].map((file) => readExample(file).name);
		expect(saved.map((each) => each.name).sort()).toEqual(names.sort());
		for (const example of saved) {
			expect(output).toContain(`- ${example.name}`);
			const nodes = example.nodes.filter(isProspector);
			expect(nodes.length).toBeGreaterThan(0);
			for (const { credentials: chosen } of nodes) expect(chosen).toEqual({ prospectorApi: { id, name } });
		}
	});

	test('the example of the first step succeeds, and its requests are printed', async () => {
		const ended = await runAndCollect();
		expect(failureOf(ended)).toBeUndefined();
		expect(jsonOf(ended, 'Run it and get its leads')).toHaveLength(12);
		await eventually('the line of the start', () => /POST \S+\/run 200 full/.test(output));
	});

	test('after the printed commands lose or replace a response, each execution has started one run', async () => {
		const [lose, runs, replace] = commands(output);
		const started = async () => ((await send(runs)) as RunsSummary).started;
		const before = await started();
		await send(lose);
		expect(failureOf(await runAndCollect())).toBeUndefined();
		expect(await started()).toBe(before + 1);
		await send(replace);
		const failed = await runAndCollect();
		expect(failureOf(failed)).toMatch(/^'Base URL' answered with a web page/);
		expect(await started()).toBe(before + 2);
		const retry = await new Executions(rest).retry(failed.id);
		expect(failureOf(retry)).toBeUndefined();
		expect(await started()).toBe(before + 2);
	});

	test('the printed commands revoke the API key and reset the sandbox', async () => {
		const [, , , revoke, reset] = commands(output);
		await send(revoke);
		expect(failureOf(await runAndCollect())).toMatch(/^The API key was not accepted/);
		await send(reset);
		expect(failureOf(await runAndCollect())).toBeUndefined();
	});

	test('a second command with the same port fails with a message', async () => {
		const second = spawn(
			process.execPath,
			['--import', 'tsx', 'tools/editor/main.ts', '--port', String(port)],
			{
				cwd: ROOT,
			},
		);
		let message = '';
		second.stderr.on('data', (text: Buffer) => (message += text.toString()));
		const exitCode = await new Promise((resolve) => second.once('exit', resolve));
		expect([exitCode, message]).toEqual([
			1,
			`Port ${port} is in use: choose another one, or leave --port out.\n`,
		]);
	});

	test('Ctrl+C stops n8n and the sandbox and removes their files', async () => {
		const sandboxPort = Number(printed(/Sandbox +http:\S+:(\d+)/));
		const ended = new Promise((resolve) => command.once('exit', (code) => resolve(code)));
		// The terminal and npm both send the signal.
		command.kill('SIGINT');
		command.kill('SIGINT');
		expect(await ended).toBe(0);
		expect([await isFree(port), await isFree(sandboxPort)]).toEqual([true, true]);
		expect(readdirSync(folder).filter((name) => name.startsWith('prospector-'))).toEqual([]);
	});
});

const isProspector = ({ type }: INode) => type.startsWith('n8n-nodes-prospector.');

async function allWorkflows(rest: Rest): Promise<Saved[]> {
	const listed = await rest.get<Listed[]>('/rest/workflows');
	return await Promise.all(listed.map(async ({ id }) => await new Workflows(rest).get(id)));
}

/** The command lines of the guide. */
const commands = (guide: string): string[] =>
	guide
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line.startsWith('curl '));

/** Sends the request of a command line, because curl is not installed everywhere. */
async function send(command: string): Promise<unknown> {
	const [, method = 'GET', url] = /^curl -s (?:-X (\w+) )?(\S+)/.exec(command) ?? [];
	const body = /-d '(.*)'$/.exec(command)?.[1];
	const headers = /-H '([^:]+): ([^']+)'/.exec(command);
	const response = await fetch(url, {
		method,
		body,
		...(headers && { headers: { [headers[1]]: headers[2] } }),
	});
	expect(response.ok).toBe(true);
	return await response.json();
}
