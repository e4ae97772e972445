/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import type * as RunStatus from '../../nodes/Prospector/model/runStatus';
import { TOOLS } from '../../scripts/commands.cjs';
import { compatibilitySection } from '../../tools/compatibility/records';
import { killSection } from '../../tools/kills/table';
import { pictureFile, readRecords } from '../../tools/pictures/record';
import { isUpToDate } from '../../tools/shared/docs';
import { readManifest, RELEASES } from '../e2e/setUp/platforms';
import { fromDist } from '../fromDist';
import { readPage, type Page } from './markdown';

const read = (file: string) => readFileSync(file, 'utf8');
const readJson = <T>(file: string) => JSON.parse(read(file)) as T;

const DOCS = readdirSync('docs').filter((file) => file.endsWith('.md'));
const FILES = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...DOCS.map((file) => `docs/${file}`)];
const REPOSITORY = 'n8n-nodes-prospector/n8n-nodes-prospector';

const pages = new Map<string, Page>();
beforeAll(async () => {
	for (const file of FILES) pages.set(file, await readPage(file));
});
const pageOf = (file: string) => pages.get(file)!;

// Links between Markdown files are checked by `npm run lint`.
describe('links', () => {
	test.each([
		'credentials/ProspectorApi.credentials.ts',
		'nodes/Prospector/Prospector.node.json',
		'nodes/Prospector/ProspectorTrigger.node.json',
	])('the links in %s lead to existing headings of the README', (file) => {
		const anchors = [...read(file).matchAll(/https:\/\/github\.com\/[\w/-]+#(\w+)/g)].map(([, name]) => name);
		const headings = [...pageOf('README.md').text.matchAll(/^##? (.+)$/gm)].map(([, title]) => title);
		expect(anchors).not.toEqual([]);
		expect(['readme', ...headings.map((title) => title.toLowerCase())]).toEqual(
			expect.arrayContaining(anchors),
		);
	});

	test('the README has no links to relative paths, because npm shows the README without the repository', () => {
		const targets = [...pageOf('README.md').text.matchAll(/\]\(([^)]+)\)|(?:src|href)="([^"]+)"/g)];
		const addresses = targets.map(([, inText, inTag]) => inText ?? inTag);
		expect(addresses.filter((address) => !/^(?:https:|#)/.test(address))).toEqual([]);
	});
});

describe('commands', () => {
	const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');

	const allCommands = () => [...pages.values()].flatMap((page) => page.commands);

	test('the documentation mentions exactly the tools of scripts/commands.cjs', () => {
		const tools = allCommands().flatMap((command) => /\brun tool -- ([\w-]+)/.exec(command)?.slice(1) ?? []);
		expect(new Set(tools)).toEqual(new Set(Object.keys(TOOLS)));
	});

	test('package.json has every npm script that the documentation mentions', () => {
		const names = allCommands().flatMap((command) => /\bnpm (?:run )?([\w:]+)/.exec(command)?.slice(1) ?? []);
		expect(names.length).toBeGreaterThan(15);
		// npm's own.
		const ownNames = names.filter((name) => !['ci', 'install', 'version', 'view'].includes(name));
		expect(Object.keys(scripts)).toEqual(expect.arrayContaining(ownNames));
	});
});

test('docs/compose.yaml uses the newest n8n that is tested', () => {
	const { dependencies } = readManifest(RELEASES[0]);
	expect(/image: .*n8n:(.+)/.exec(read('docs/compose.yaml'))?.[1]).toBe(dependencies.n8n);
});

// test/long/pictures.test.ts checks whether they are up to date.
test('the documentation shows exactly the pictures that exist', () => {
	const text = [...pages.values()].map((page) => page.text).join('\n');
	const shown = [...text.matchAll(/\bimages\/([\w-]+\.(?:png|gif))/g)].map(([, file]) => file);
	expect([...new Set(shown)].sort()).toEqual(Object.keys(readRecords()).map(pictureFile).sort());
	const raw = [
		...text.matchAll(/https:\/\/raw\.githubusercontent\.com\/([\w/-]+)\/main\/(docs[\w/-]+\.(?:png|gif))/g),
	];
	expect(raw.filter(([, repository, file]) => repository !== REPOSITORY || !existsSync(file))).toEqual([]);
});

describe('names', () => {
	const { Prospector } = fromDist<NodeModule>('nodes/Prospector/Prospector.node.js');
	const { ProspectorTrigger } = fromDist<NodeModule>('nodes/Prospector/ProspectorTrigger.node.js');
	const { ProspectorApi } = fromDist<CredentialModule>('credentials/ProspectorApi.credentials.js');
	const node = new Prospector().description;

	const namesIn = (file: string, ...titles: string[]) =>
		unique(
			pageOf(file)
				.rowsOf(...titles)
				.map(([name]) => name),
		);

	test('docs/operations.md describes every field of the node and its credential', () => {
		const fields = [...labelsOf(node.properties), ...labelsOf(new ProspectorApi().properties)];
		expect(namesIn('docs/operations.md', 'field', 'option', 'filter')).toEqual(unique(fields));
	});

	test('docs/trigger.md describes every field and event of the trigger', () => {
		const { properties } = new ProspectorTrigger().description;
		expect(namesIn('docs/trigger.md', 'field', 'option')).toEqual(unique(labelsOf(properties)));
		const { options = [] } = properties.find(({ name }) => name === 'event') ?? {};
		const events = unique(options.map(({ name }) => name));
		expect(namesIn('docs/trigger.md', 'Trigger On')).toEqual(events);
		expect(namesIn('README.md', 'Trigger On')).toEqual(events);
	});

	test('docs/operations.md lists every run status that the node knows', () => {
		const { runOutcome, BUILT_IN_STATUSES } = fromDist<typeof RunStatus>(
			'nodes/Prospector/model/runStatus.js',
		);
		const rows = pageOf('docs/operations.md').rowsOf('outcome');
		const documented = rows.flatMap(([outcome, words]) => words.split(', ').map((word) => [word, outcome]));
		expect(documented.map(([word]) => [word, runOutcome(word)])).toEqual(documented);
		const known = Object.values(BUILT_IN_STATUSES).flat();
		expect(documented.map(([word]) => word).sort()).toEqual(known.sort());
	});

	test('docs/troubleshooting.md and the README quote only messages that exist in the package', () => {
		const code = readdirSync('dist/nodes', { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.js'))
			.map((file) => read(`dist/nodes/${file}`))
			.join('\n')
			.replace(/\\'/g, "'");
		const messages = ['docs/troubleshooting.md', 'README.md'].flatMap((file) =>
			pageOf(file).rowsOf('message'),
		);
		const unknown = messages.filter(([message]) => !fixedParts(message).every((part) => code.includes(part)));
		expect(messages.length).toBeGreaterThan(20);
		expect(unknown.map(([message]) => message)).toEqual([]);
	});

	test('llms.txt names only parameters and values that exist', () => {
		// n8n adds the other two.
		const known = JSON.stringify([node, new ProspectorTrigger().description, 'prospectorTool', 'pollTimes']);
		const named = [...read('llms.txt').matchAll(/`(?:options\.)?([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name);
		expect(named.filter((name) => !known.includes(`"${name}"`))).toEqual([]);
	});

	test('docs/compatibility.md and docs/n8n-behaviour.md show the tables that were recorded last', () => {
		expect([compatibilitySection(), killSection()].map(isUpToDate)).toEqual([true, true]);
	});
});

type NodeModule = Record<string, new () => { description: INodeTypeDescription }>;
type CredentialModule = Record<string, new () => ICredentialType>;

const unique = (names: string[]) => [...new Set(names)].sort();

/** Returns the names of the fields that the documentation describes, with those in collections. */
const labelsOf = (properties: INodeProperties[]): string[] =>
	properties
		.filter(({ name, type }) => name !== 'resource' && name !== 'operation' && type !== 'notice')
		.flatMap(({ name, type, displayName, options }) =>
			type === 'collection'
				? [...(name === 'options' ? [] : [displayName]), ...labelsOf(options as INodeProperties[])]
				: [displayName],
		);

/** Returns the parts of a message that never change. The other parts are … or an example of a value. */
const fixedParts = (message: string) =>
	message
		.split(/'?…'?|^'Base URL'|\(\d{3}\)|'running'|\d+ h\b|\bresult\b/)
		.map((part) => part.trim())
		.filter((part) => part.length > 3);
