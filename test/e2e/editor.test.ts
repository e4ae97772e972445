/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Executions, failureOf } from './n8n/executions';
import { freePorts, isFree } from './n8n/ports';
import { eventually } from '../eventually';
import { OWNER, Rest } from './n8n/rest';
import { readTarget } from './n8n/target';
import { Workflows } from './n8n/workflows';
import { ROOT } from './setUp/commands';

describe('The command "npm run editor"', () => {
	let command: ChildProcess | undefined;
	let folder: string;
	let output = '';
	beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'prospector-editor-test-'))));
	afterAll(async () => {
		// Unlike SIGKILL, this signal also stops n8n.
		const exited = new Promise((resolve) => command?.once('exit', resolve));
		if (command?.exitCode === null && command.kill('SIGTERM')) await exited;
		rmSync(folder, { recursive: true, force: true });
	});

	test('the command "npm run editor" starts an n8n in which the first example succeeds, and Ctrl+C stops that n8n', async () => {
		const [port] = await freePorts(1);
		const { release, nodeMajor } = readTarget();
		const options = ['--port', `${port}`, '--n8n', release, '--node', `${nodeMajor}`];
		const child = spawn(process.execPath, ['--import', 'tsx', 'tools/editor/main.ts', ...options], {
			...{ cwd: ROOT, env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
		});
		command = child;
		for (const stream of [child.stdout, child.stderr])
			stream?.on('data', (text: Buffer) => (output += text.toString()));
		const isReady = () => {
			if (child.exitCode !== null) throw new Error(`It has ended:\n${output}`);
			return output.includes('Ctrl+C stops both');
		};
		await eventually('the guide', isReady, 180_000);
		for (const text of [OWNER.email, OWNER.password, 'Prospector account']) expect(output).toContain(text);

		const rest = new Rest(`http://127.0.0.1:${port}`);
		await rest.logIn();
		const workflows = new Workflows(rest);
		const listed = await rest.get<Array<{ id: string; name: string }>>('/rest/workflows');
		const { id } = listed.find(({ name }) => name === 'Prospector: run and collect')!;
		const example = await workflows.get(id);
		const trigger = example.nodes.find(({ type }) => type.endsWith('Trigger'))!;
		const ended = await new Executions(rest).ended(await workflows.start(example, trigger.name));
		expect([ended.status, failureOf(ended)]).toEqual(['success', undefined]);

		const exited = new Promise((resolve) => child.once('exit', resolve));
		// The terminal and npm both send the signal.
		for (let signals = 0; signals < 2; signals++) child.kill('SIGINT');
		expect(await exited).toBe(0);
		expect(await isFree(port)).toBe(true);
		expect(readdirSync(folder).filter((name) => name.startsWith('prospector-'))).toEqual([]);
	});
});
