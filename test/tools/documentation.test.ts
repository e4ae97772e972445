import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { readOptions as readBenchOptions } from '../../tools/bench/options';
import { built } from '../built';
import { readEditorOptions } from '../../tools/editor/options';
import { readOptions as readE2eOptions } from '../e2e/options';
import { readScalingOptions } from '../../tools/scaling/options';
import { readOptions as readSoakOptions } from '../../tools/soak/options';
import { checkTarget, findTarget, type Page, readPage, ROOT } from './markdown';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const markdownIn = (folder: string) =>
	readdirSync(join(ROOT, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `${folder}/${file}`);

const FILES = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...markdownIn('docs')];

/** Other files that link to the documentation. */
const LINKING_FILES = [
	'credentials/ProspectorApi.credentials.ts',
	'nodes/Prospector/Prospector.node.json',
	'nodes/Prospector/ProspectorTrigger.node.json',
	'.github/ISSUE_TEMPLATE/config.yml',
];

let pages: Page[];
beforeAll(async () => {
	pages = await Promise.all(FILES.map(readPage));
});
const pageOf = (file: string) => pages.find((page) => page.file === file)!;

describe('links', () => {
	const findBroken = (file: string, links: string[]) =>
		links.flatMap((link) => {
			const target = findTarget(link, file);
			const flaw = target && checkTarget(target, pages);
			return flaw ? [`${link}: ${flaw}`] : [];
		});

	test.each(FILES)('%s links to existing files and headings', (file) => {
		expect(findBroken(file, pageOf(file).links)).toEqual([]);
	});

	test.each(LINKING_FILES)('%s links to existing headings', (file) => {
		const links = read(file).match(/https:\/\/[^\s'"]+/g) ?? [];
		expect(links).not.toEqual([]);
		expect(findBroken(file, links)).toEqual([]);
	});

	test('finds missing files and headings', () => {
		expect(findBroken('docs/trigger.md', ['operations.md#output', '#fields'])).toEqual([]);
		expect(findBroken('docs/trigger.md', ['gone.md', '#gone', '../README.md#gone'])).toEqual([
			'gone.md: there is no docs/gone.md',
			'#gone: docs/trigger.md has no heading #gone',
			'../README.md#gone: README.md has no heading #gone',
		]);
	});

	test('other sites still have the linked pages', async () => {
		const links = new Set(
			pages.flatMap(({ file, links }) => links.filter((link) => !findTarget(link, file))),
		);
		const results = await Promise.all([...links].map(async (link) => [link, await request(link)] as const));
		const unreachable = results.filter(([, status]) => status === undefined).map(([link]) => link);
		if (unreachable.length > 0)
			process.stderr.write(`Links that were not checked: ${unreachable.join(' ')}\n`);
		expect(results.filter(([, status]) => status === 404 || status === 410)).toEqual([]);
	});

	/** Returns the status; undefined if there is no response. */
	async function request(link: string): Promise<number | undefined> {
		try {
			return (await fetch(link, { signal: AbortSignal.timeout(5000) })).status;
		} catch {
			return undefined;
		}
	}
});

/**
 * How a command of the documentation is tested. Commands that build the package can't be executed here, because other
 * tests use dist/ at the same time.
 */
type Check =
	/** It is executed here, with these arguments added. */
	| { prints: RegExp; with?: string[]; exitCode?: number }
	/** A file contains the test that executes it. */
	| { testedIn: string; by: string }
	/** Its options are parsed here. */
	| { accepts: () => unknown };

const inCi = (by: string): Check => ({ testedIn: 'scripts/ci.mjs', by });

const COMMANDS: Record<string, Check> = {
	'npm start': inCi("npm('Main job', ['start'])"),
	'PROSPECTOR_BASE_URL=https://app.example.com PROSPECTOR_API_KEY=… npm start': {
		testedIn: 'test/demo/demo.test.ts',
		by: 'PROSPECTOR_BASE_URL: sandbox.baseUrl',
	},
	'npm test': inCi("npm('Tests', ['test']"),
	'npm run test:quick': inCi("['run', 'test:quick', '--', '--coverage']"),
	'npm run test:e2e': inCi("npm('Whole n8n', ['run', 'test:e2e']"),
	'npm run test:e2e -- --broken': inCi("['run', 'test:e2e', '--', '--broken']"),
	'npm run test:e2e -- --all --record': { accepts: () => readE2eOptions(['--all', '--record']) },
	'npm run lint': inCi("npm('Lint', ['run', 'lint'])"),
	'npm run typecheck': inCi("npm('Types', ['run', 'typecheck'])"),
	'npm run format': inCi("npm('Format', ['run', 'format:check'])"),
	'npm run editor': { testedIn: 'test/e2e/editor.test.ts', by: 'tools/editor/main.ts' },
	'npm run dev': { accepts: () => readEditorOptions(['--dev']) },
	'npm run screenshots': { testedIn: 'tools/pictures/main.ts', by: 'browser/pictures' },
	'npm run sandbox': { prints: /--port N/, with: ['--', '--help'] },
	'npm run campaign': { testedIn: 'test/campaign/cli.test.ts', by: "'test/campaign/main.ts'" },
	'npm run simulate': { testedIn: 'test/simulator/histories.test.ts', by: 'playHistories(' },
	'npm run simulate -- --seed 1 --histories 2000': {
		testedIn: 'test/simulator/histories.test.ts',
		by: 'playHistories(',
	},
	'npm run scaling': { accepts: () => readScalingOptions([]) },
	'npm run soak': { accepts: () => readSoakOptions([]) },
	'npm run bench': { prints: /--scenario S/, with: ['--', '--help'] },
	'npm run bench -- --help': { prints: /--scenario S/ },
	'npm run bench -- --scenario paged --rounds 1 --results 20000': {
		accepts: () => readBenchOptions(['--scenario', 'paged', '--rounds', '1', '--results', '20000']),
	},
	'npm run test:mutation -- <room>': { prints: /Usage: npm run test:mutation -- <trigger/, exitCode: 2 },
	'npm run release': { prints: /tagging release/, with: ['--', '--dry-run'] },
	'npm ci --dry-run': { prints: /up to date|(?:added|removed|changed) \d+/ },
};

describe('commands', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

	test('all have a check, and all checks a command', () => {
		const commands = new Set(pages.flatMap((page) => page.commands));
		expect([...commands].sort()).toEqual(Object.keys(COMMANDS).sort());
	});

	test.each(Object.entries(COMMANDS))('%s', async (command, check) => {
		const [, script] = /npm (?:run )?(\S+)/.exec(command) ?? [];
		if (script !== undefined && script !== 'ci') expect(Object.keys(scripts)).toContain(script);
		if ('accepts' in check) return void expect(check.accepts()).toBeDefined();
		if ('testedIn' in check) return expect(read(check.testedIn)).toContain(check.by);
		const [program, ...args] = [...command.split(' '), ...(check.with ?? [])];
		const { output, exitCode } = await execute(program, args);
		expect(output).toMatch(check.prints);
		expect(exitCode).toBe(check.exitCode ?? 0);
	});

	async function execute(program: string, args: string[]) {
		try {
			const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: ROOT });
			return { output: stdout + stderr, exitCode: 0 };
		} catch (error) {
			const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
			return { output: stdout + stderr, exitCode: code };
		}
	}
});

describe('README', () => {
	test('has at most 1,250 words', () => {
		expect(pageOf('README.md').text.trim().split(/\s+/).length).toBeLessThanOrEqual(1250);
	});

	test('has the headings that the node and the credential link to', () => {
		expect([...pageOf('README.md').anchors]).toEqual(expect.arrayContaining(['credential', 'trigger']));
	});

	test('has no relative link, because npm shows it on its own', () => {
		expect(pageOf('README.md').links.filter((link) => !/^(?:https:|#)/.test(link))).toEqual([]);
	});
});

describe('names', () => {
	const { Prospector } = built<NodeModule>('nodes/Prospector/Prospector.node.js');
	const { ProspectorTrigger } = built<NodeModule>('nodes/Prospector/ProspectorTrigger.node.js');
	const { ProspectorApi } = built<CredentialModule>('credentials/ProspectorApi.credentials.js');
	const node = new Prospector().description;

	/** Rows of the tables with one of these titles in the first column, without the title row. */
	const rowsOf = (file: string, ...titles: string[]) =>
		pageOf(file)
			.tables.filter(([[title]]) => titles.includes(title))
			.flatMap(([, ...rows]) => rows);
	const namesIn = (file: string, ...titles: string[]) =>
		unique(rowsOf(file, ...titles).map(([name]) => name));

	test('docs/operations.md has all fields of the node and its credential', () => {
		const fields = [...labelsOf(node.properties), ...labelsOf(new ProspectorApi().properties)];
		expect(namesIn('docs/operations.md', 'field', 'option', 'filter')).toEqual(unique(fields));
	});

	test('docs/trigger.md has all fields and events of the trigger', () => {
		const { properties } = new ProspectorTrigger().description;
		expect(namesIn('docs/trigger.md', 'field', 'option')).toEqual(unique(labelsOf(properties)));
		const events = choicesOf(properties.find(({ name }) => name === 'event'));
		expect(namesIn('docs/trigger.md', 'Trigger On')).toEqual(unique(events));
		expect(namesIn('README.md', 'Trigger On')).toEqual(unique(events));
	});

	test('README has all operations, in the order of the editor', () => {
		const resources = node.properties.find(({ name }) => name === 'resource');
		const operations = node.properties.filter(({ name }) => name === 'operation');
		const expected = choicesOf(resources).flatMap((resource, index) =>
			choicesOf(operations[index]).map((operation) => `${resource}: ${operation}`),
		);
		expect(rowsOf('README.md', 'operation').map(([name]) => name)).toEqual(expected);
	});

	test('docs/operations.md has the built-in statuses of a run', () => {
		const code = read('dist/nodes/Prospector/model/runStatus.js');
		const rows = rowsOf('docs/operations.md', 'outcome');
		expect(rows.map(([outcome]) => outcome)).toEqual(['finished', 'failed']);
		for (const [outcome, words] of rows) {
			const [, list] = new RegExp(`${outcome.toUpperCase()}_STATUSES = \\[([^\\]]*)\\]`).exec(code) ?? [];
			expect(list?.match(/\w+/g)).toEqual(words.match(/\w+/g));
		}
	});

	test('docs/troubleshooting.md and README quote messages of the package', () => {
		const code = readdirSync(join(ROOT, 'dist/nodes'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.js'))
			.map((file) => read(`dist/nodes/${file}`))
			.join('\n')
			.replace(/\\'/g, "'");
		const messages = [...rowsOf('docs/troubleshooting.md', 'message'), ...rowsOf('README.md', 'message')];
		const unknown = messages.filter(([message]) => !fixedParts(message).every((part) => code.includes(part)));
		expect(messages.length).toBeGreaterThan(30);
		expect(unknown.map(([message]) => message)).toEqual([]);
	});
});

type NodeModule = Record<string, new () => { description: INodeTypeDescription }>;
type CredentialModule = Record<string, new () => ICredentialType>;

const unique = (names: string[]) => [...new Set(names)].sort();

/** Names of the fields that the documentation describes, also of those in collections. */
const labelsOf = (properties: INodeProperties[]): string[] =>
	properties
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.flatMap(({ type, displayName, options }) =>
			type === 'collection' ? labelsOf(options as INodeProperties[]) : [displayName],
		);

const choicesOf = (property?: INodeProperties) => (property?.options ?? []).map(({ name }) => name);

/** Parts of a message that are the same each time: without values, which are … or an example. */
const fixedParts = (message: string) =>
	message
		.split(/…|\(\d{3}\)|'running'|\d+ h\b|\bresult\b/)
		.map((part) => part.trim())
		.filter((part) => part.length > 3);
