/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
// What the repository knows about n8n, the service and its own decisions can be found, and is shown by something.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(file, 'utf8');

/** Returns the cells of each row of the tables that list facts about n8n. */
function readFacts(): Array<[statement: string, versions: string, evidence: string]> {
	const tables = read('docs/n8n-behaviour.md').split(/\n(?!\|)/);
	return tables
		.filter((table) => table.trim().startsWith('| n8n …'))
		.flatMap((table) => table.trim().split('\n').slice(2))
		.map((row) => row.split('|').map((cell) => cell.trim()))
		.map(([, statement, versions, evidence]) => [statement, versions, evidence]);
}

/** Returns the path of each test that the text names, and the parts of titles that it quotes from this test. */
const testsIn = (evidence: string) =>
	[...evidence.matchAll(/\]\(\.\.\/(test\/[^)]+)\)((?: "[^"]+")+)?/g)].map(([, path, quotes = '']) => ({
		path,
		titles: [...quotes.matchAll(/"([^"]+)"/g)].map(([, title]) => title),
	}));

describe('docs/n8n-behaviour.md', () => {
	const facts = readFacts();

	test('docs/n8n-behaviour.md names a test, or a file of n8n, for every fact', () => {
		expect(facts.length).toBeGreaterThan(80);
		const withoutEvidence = facts.filter(
			([, , evidence]) =>
				testsIn(evidence).length === 0 && !/source: `packages\/[\w@./-]+\.(?:ts|vue|json)`/.test(evidence),
		);
		expect(withoutEvidence).toEqual([]);
	});

	test('each test that docs/n8n-behaviour.md cites exists under the quoted title', () => {
		const wrong = facts.flatMap(([statement, , evidence]) =>
			testsIn(evidence)
				.filter(({ path, titles }) => {
					const text = existsSync(path) ? read(path).replaceAll("\\'", "'") : '';
					return titles.length === 0 || titles.some((title) => !text.includes(title));
				})
				.map(({ path, titles }) => [statement, path, titles]),
		);
		expect(wrong).toEqual([]);
	});

	test('each fact says in which releases of n8n it was seen', () => {
		expect(facts.filter(([, versions]) => !/^\d\.\d+(?:, \d\.\d+)*$/.test(versions))).toEqual([]);
	});
});

describe('decisions', () => {
	const names = readdirSync('docs/decisions').sort();

	test('the decisions are numbered from 0001 without a gap', () => {
		const numbers = names.map((_, index) => String(index + 1).padStart(4, '0'));
		expect(names.map((name) => name.slice(0, 4))).toEqual(numbers);
	});

	test.each(names)('the decision %s has at most 400 words, and says what would change it', (name) => {
		const text = read(`docs/decisions/${name}`);
		expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(400);
		expect(text).toContain('**What would change it');
	});
});

/** Returns the paths of the TypeScript files in a folder and its folders. */
const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

describe('source files', () => {
	const sources = [...filesIn('nodes'), ...filesIn('credentials')];
	const testNames = [...filesIn('test/unit'), ...filesIn('test/workflow')].map((file) =>
		file.split('/').at(-1),
	);
	/** Returns the comment at the top of a file, on one line. */
	const headerOf = (file: string) =>
		(/^(?:\/\/.*\n)*/.exec(read(file))?.[0] ?? '').replace(/\s*\/\/ /g, ' ').trim();

	test('each source file says at its top what it is for, in two sentences or more', () => {
		expect(sources.filter((file) => !/^[A-Z].+[.)] [A-Z].+\.$/.test(headerOf(file)))).toEqual([]);
	});

	test('each source file has a test of its name or says where it is tested, and these tests exist', () => {
		const wrong = sources.filter((file) => {
			const [, list] = /Tests: (.+)\.$/.exec(headerOf(file)) ?? [];
			if (list !== undefined) return !list.split(', ').every((path) => existsSync(path));
			const testName = file.split('/').at(-1)?.replace(/\.ts$/, '.test.ts');
			return !testNames.includes(testName) && !headerOf(file).includes('only types');
		});
		expect(wrong).toEqual([]);
	});
});

describe('comments', () => {
	const folders = ['nodes', 'credentials', 'sandbox', 'test/sandbox', 'test/unit', 'test/workflow'];
	const files = folders.flatMap(filesIn);
	const headingsOf = (page: string) => [...read(page).matchAll(/^#{1,4} (.+)$/gm)].map(([, title]) => title);
	/** Returns the anchor of a heading, as GitHub makes it. */
	const anchorOf = (title: string) =>
		title
			.toLowerCase()
			.replace(/[^\w\- ]/g, '')
			.replaceAll(' ', '-');
	/** Returns what a pattern finds in the comments, and in the strings, of the files. */
	const findAll = (pattern: RegExp) =>
		files.flatMap((file) => {
			const text = read(file).replace(/\n\s*(?:\*|\/\/) ?/g, ' ');
			return [...text.matchAll(pattern)].map((match) => ({ file, match: [...match] }));
		});

	test('each section of the contract that a comment cites exists', () => {
		const sections = headingsOf('docs/contract.md').flatMap((title) => /^[\d.]+/.exec(title) ?? []);
		const cited = findAll(/ontract, sections? ([\d.]*\d)(?: and ([\d.]*\d))?/g).flatMap(
			({ file, match: [, ...numbers] }) => numbers.filter(Boolean).map((number) => ({ file, number })),
		);
		expect(cited.length).toBeGreaterThan(30);
		expect(cited.filter(({ number }) => !sections.includes(number))).toEqual([]);
		expect(findAll(/ontract \d/g)).toEqual([]);
	});

	test('each page and heading that a comment cites exists', () => {
		const cited = findAll(/\b(?:docs\/)?((?:decisions\/)?[a-z\d-]+\.md)(?:#([\w-]+))?/g);
		const missing = cited.filter(({ match: [, name, anchor] }) => {
			const page = `docs/${name}`;
			if (!existsSync(page)) return true;
			return anchor !== undefined && !headingsOf(page).map(anchorOf).includes(anchor);
		});
		expect(missing.map(({ file, match: [text] }) => [file, text])).toEqual([]);
	});

	test('each decision that a comment cites exists', () => {
		const numbers = readdirSync('docs/decisions').map((name) => name.slice(0, 4));
		const cited = findAll(/decisions\/(\d{4})/g);
		expect(cited.filter(({ match: [, number] }) => !numbers.includes(number))).toEqual([]);
	});
});
