import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { RunsSummary } from '../../../sandbox/types';
import { exampleFiles, readExample } from '../../examples/examples';
import { PATIENT } from '../bench';
import { Executions, failureOf, jsonOf, type Execution } from '../n8n/executions';
import { freePorts, isFree } from '../n8n/ports';
import { eventually, Rest } from '../n8n/rest';
import { readTarget } from '../n8n/target';
import { Workflows, type Saved } from '../n8n/workflows';
import { ROOT } from '../setUp/folders';

interface Listed {
	id: string;
	name: string;
	type: string;
}

describe('npm run editor: a whole n8n with everything in place', () => {
	let command: ChildProcess;
	let port: number;
	let folder: string;
	let printed = '';
	let rest: Rest;
	const said = (pattern: RegExp) => pattern.exec(printed)?.[1];

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
		command = spawn(process.execPath, ['--import', 'tsx', 'test/e2e/editor.ts', ...options], {
			cwd: ROOT,
			// All that it leaves would be in there.
			env: { ...process.env, TMPDIR: folder },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		for (const stream of [command.stdout, command.stderr])
			stream?.on('data', (text: Buffer) => (printed += text.toString()));
		await eventually(
			'the guide',
			() => {
				if (command.exitCode !== null) throw new Error(`It has ended:\n${printed}`);
				return printed.includes('Ctrl+C stops both');
			},
			PATIENT,
		);
		rest = new Rest(said(/n8n {2,}(http\S+)/) ?? '');
	}, PATIENT);
	afterAll(async () => {
		// It has n8n end too, which a kill would not.
		const over = new Promise((resolve) => command.once('exit', resolve));
		if (command.exitCode === null && command.kill('SIGTERM')) await over;
		rmSync(folder, { recursive: true, force: true });
	});

	test('the printed address, e-mail and password open it', async () => {
		expect(rest.baseUrl).toBe(`http://127.0.0.1:${port}`);
		await rest.post('/rest/login', {
			emailOrLdapLoginId: said(/E-mail +(\S+)/),
			password: said(/Password +(\S+)/),
		});
		expect(await rest.get('/rest/login')).toMatchObject({ email: said(/E-mail +(\S+)/) });
	});

	test('each printed credential is there and answers its test as the guide says', async () => {
		const credentials = await rest.get<Listed[]>('/rest/credentials');
		const outcomes = await Promise.all(
			credentials.map(async ({ id, name, type }) => {
				const { data } = await rest.get<{ data: object }>(`/rest/credentials/${id}?includeData=true`);
				const credential = { id, name, type, data };
				const { status } = await rest.post<{ status: string }>('/rest/credentials/test', {
					credentials: credential,
				});
				return `${name}: ${status}`;
			}),
		);
		expect(outcomes.sort()).toEqual([
			'Prospector account: OK',
			'Prospector, key for reading only: OK',
			'Prospector, key of a read-only member: OK',
			'Prospector, revoked key: Error',
		]);
		for (const { name } of credentials) expect(printed).toContain(name);
	});

	test('every example is there, and its Prospector nodes have the credential that may do all', async () => {
		const credentials = await rest.get<Listed[]>('/rest/credentials');
		const [{ id, name }] = credentials.filter((each) => each.name === 'Prospector account');
		const saved = await allWorkflows(rest);
		const names = exampleFiles.map((file) => readExample(file).name);
		expect(saved.map((each) => each.name).sort()).toEqual(names.sort());
		for (const example of saved) {
			expect(printed).toContain(`- ${example.name}`);
			const prospectors = example.nodes.filter(isProspector);
			expect(prospectors.length).toBeGreaterThan(0);
			for (const { credentials: chosen } of prospectors)
				expect(chosen).toEqual({ prospectorApi: { id, name } });
		}
	});

	test('the example of the first step runs, and each of its requests is printed', async () => {
		const ended = await runAndCollect();
		expect(failureOf(ended)).toBeUndefined();
		expect(jsonOf(ended, 'Collect the results')).toHaveLength(12);
		await eventually('the line of the start', () => /POST \S+\/run 200 full/.test(printed));
	});

	test('an answer lost, and one replaced and retried: the printed commands show one run each', async () => {
		const [loseIt, runs, replaceIt] = commands(printed);
		const started = async () => ((await send(runs)) as RunsSummary).started;
		const before = await started();
		await send(loseIt);
		expect(failureOf(await runAndCollect())).toBeUndefined();
		expect(await started()).toBe(before + 1);
		await send(replaceIt);
		const failed = await runAndCollect();
		expect(failureOf(failed)).toMatch(/^The address answered with a web page/);
		expect(await started()).toBe(before + 2);
		const retry = await new Executions(rest).retry(failed.id);
		expect(failureOf(retry)).toBeUndefined();
		expect(await started()).toBe(before + 2);
	});

	test('the printed commands break the key, and put all back as it was', async () => {
		const [, , , revoke, reset] = commands(printed);
		await send(revoke);
		expect(failureOf(await runAndCollect())).toMatch(/^The API key was not accepted/);
		await send(reset);
		expect(failureOf(await runAndCollect())).toBeUndefined();
	});

	test('a second one on the same port says in one sentence that it is taken', async () => {
		const second = spawn(
			process.execPath,
			['--import', 'tsx', 'test/e2e/editor.ts', '--port', String(port)],
			{
				cwd: ROOT,
			},
		);
		let words = '';
		second.stderr.on('data', (text: Buffer) => (words += text.toString()));
		const status = await new Promise((resolve) => second.once('exit', resolve));
		expect([status, words]).toEqual([
			1,
			`Port ${port} is in use: choose another one, or leave --port out.\n`,
		]);
	});

	test('Ctrl+C stops n8n and sandbox, and nothing stays', async () => {
		const sandboxPort = Number(said(/Sandbox +http:\S+:(\d+)/));
		const ended = new Promise((resolve) => command.once('exit', (code) => resolve(code)));
		// As a terminal and npm do: twice.
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

/** The command lines of a guide, in their order. */
const commands = (guide: string): string[] =>
	guide
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line.startsWith('curl '));

/** Does what a command line of the guide does, where there is no curl too. */
async function send(command: string): Promise<unknown> {
	const [, method = 'GET', url] = /^curl -s (?:-X (\w+) )?(\S+)/.exec(command) ?? [];
	const body = /-d '(.*)'$/.exec(command)?.[1];
	const headers = /-H '([^:]+): ([^']+)'/.exec(command);
	const answer = await fetch(url, {
		method,
		body,
		...(headers && { headers: { [headers[1]]: headers[2] } }),
	});
	expect(answer.ok).toBe(true);
	return await answer.json();
}
