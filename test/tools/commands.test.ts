/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS, lineOf, TOOLS, usageOf, type Command } from '../../scripts/commands.cjs';
import { SCENARIOS } from '../../tools/bench/scenarios';
import { ALL_PLATFORMS } from '../e2e/setUp/platforms';
import { forEachConcurrently } from '../forEachConcurrently';
import { EVENTS } from '../simulator/settings';
import { readPage } from './markdown';

test('package.json has every command, and CONTRIBUTING.md lists every command and tool with its purpose', async () => {
	const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
	expect(Object.entries(scripts)).toEqual(
		Object.keys(COMMANDS).map((name) => [name, `node scripts/run.mjs ${name}`]),
	);
	const { rowsOf } = await readPage('CONTRIBUTING.md');
	const purposes = (commands: Record<string, Command>) =>
		Object.entries(commands).map(([name, { purpose }]) => [lineOf(name), purpose]);
	expect(rowsOf('command')).toEqual(purposes(COMMANDS));
	expect(rowsOf('tool')).toEqual(purposes(TOOLS));
});

const LOCK = '{"packages":{"a":{"version":"1"}}}';

describe('in a clone without packages', () => {
	let clone: string;
	beforeAll(() => {
		clone = mkdtempSync(join(tmpdir(), 'prospector-clone-'));
		const files = ['run', 'setUp', 'test', 'ci', 'install', 'totals', 'slowTests'].map(
			(name) => `${name}.mjs`,
		);
		for (const file of [...files, 'commands.cjs']) cpSync(`scripts/${file}`, join(clone, 'scripts', file));
	});
	afterAll(() => rmSync(clone, { recursive: true, force: true }));
	/** With no npm but one in the clone. */
	const runScript = async (file: string, ...args: string[]) =>
		await promisify(execFile)(process.execPath, [join(clone, 'scripts', file), ...args], {
			env: { PATH: clone },
		});
	const run = async (...args: string[]) => await runScript('run.mjs', ...args);
	function writeFiles(textByPath: Record<string, string>): void {
		for (const [path, text] of Object.entries({ 'package-lock.json': LOCK, ...textByPath })) {
			mkdirSync(dirname(join(clone, path)), { recursive: true });
			writeFileSync(join(clone, path), text, { mode: 0o755 });
		}
	}

	test('every command and tool prints its usage with --help', async () => {
		const printed: Record<string, string> = {};
		await forEachConcurrently([...Object.keys(COMMANDS), ...Object.keys(TOOLS)], 4, async (name) => {
			const { stdout } = await run(...(name in TOOLS ? ['tool', name] : [name]), '--help');
			printed[name] = stdout;
		});
		const names = Object.keys({ ...COMMANDS, ...TOOLS });
		expect(printed).toEqual(Object.fromEntries(names.map((name) => [name, `${usageOf(name)}\n`])));
	});

	test('the command "npm run tool" lists all tools if it gets no name, and ends with exit code 2 if the name is unknown', async () => {
		expect((await run('tool')).stdout).toBe(`${usageOf('tool')}\n`);
		await expect(run('tool', 'toString')).rejects.toMatchObject({
			code: 2,
			stderr: `There is no tool 'toString'.\n\n${usageOf('tool')}\n`,
		});
	});

	const KILLED = "process.kill(process.pid, 'SIGKILL')";
	const report = (unloaded: number) =>
		`require('fs').writeFileSync(process.argv[4].split('=')[1], '{"numPassedTests":2,"numFailedTests":0,"numRuntimeErrorTestSuites":${unloaded}}'); process.exit(1)`;
	const FAIL = "console.log('2 passed, 0 failed'); process.exit(1)";

	test.each([
		['run.mjs format', 'Prettier is killed', '1', KILLED, ''],
		['run.mjs format', 'packages are outdated and cannot be installed', '2', '', 'Installing'],
		['test.mjs', 'every test passes, but jest fails', '1', report(0), '\n2 passed, 1 failed\n'],
		['test.mjs', 'three test files do not load', '1', report(3), '\n2 passed, 3 failed\n'],
		['ci.mjs --without-e2e', 'all six steps fail after their tests', '1', FAIL, '\n12 passed, 6 failed\n'],
	])('%s ends with the exit code 1 if %s', async (command, _, installed, program, output) => {
		const [file, ...args] = command.split(' ');
		writeFiles({
			'node_modules/.package-lock.json': `{"packages":{"a":{"version":"${installed}"}}}`,
			'node_modules/prettier/bin/prettier.cjs': program,
			'node_modules/jest/bin/jest.js': program,
			npm: `#!${process.execPath}\n${file === 'ci.mjs' ? program : 'process.exit(1)'}`,
		});
		const failure = { code: 1, stdout: expect.stringContaining(output) as string };
		await expect(runScript(file, ...args)).rejects.toMatchObject(failure);
	});

	test('npm run build deletes what an earlier build has left in dist', async () => {
		const programs = { 'node_modules/typescript/bin/tsc': '', 'node_modules/gulp/bin/gulp.js': '' };
		writeFiles({ ...programs, 'node_modules/.package-lock.json': LOCK, 'dist/nodes/old.js': '' });
		await run('build');
		expect(existsSync(join(clone, 'dist'))).toBe(false);
	});
});

test.each([
	['test:e2e', ALL_PLATFORMS.flatMap(({ release, node, scheduler }) => [release, `${node}`, scheduler])],
	['editor', ALL_PLATFORMS.flatMap(({ release, node }) => [release, `${node}`])],
	['simulate', [...EVENTS]],
	['bench', [...SCENARIOS]],
])('the usage of %s names every value of its options', (name, values) => {
	expect(values.filter((value) => !usageOf(name).includes(value))).toEqual([]);
});
