import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parsers } from 'prettier/plugins/markdown';

export const ROOT = join(__dirname, '..', '..');

/** A part of prettier's syntax tree. */
interface Node {
	type: string;
	children?: Node[];
	value?: string;
	url?: string;
	/** Of a block of code. */
	lang?: string | null;
}

function* walk(node: Node): Generator<Node> {
	yield node;
	for (const child of node.children ?? []) yield* walk(child);
}

const textOf = (node: Node): string => [...walk(node)].map(({ value = '' }) => value).join('');

export interface Page {
	/** Relative to the root. */
	file: string;
	text: string;
	/** Addresses of links and images. */
	links: string[];
	/** Headings as GitHub writes them into addresses. */
	anchors: Set<string>;
	/** Lines of shell blocks, without comments, and inline code that starts with npm. */
	commands: string[];
	/** Cells as text; the first row has the titles. */
	tables: string[][][];
}

export async function readPage(file: string): Promise<Page> {
	const text = readFileSync(join(ROOT, file), 'utf8');
	const nodes = [...walk((await parsers.markdown.parse(text, {} as never)) as Node)];
	const ofType = (...types: string[]) => nodes.filter(({ type }) => types.includes(type));
	const valuesOf = (type: string) => ofType(type).map(({ value = '' }) => value);
	const inHtml = valuesOf('html').flatMap((html) => [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)]);
	const shellLines = ofType('code')
		.filter(({ lang }) => /^(?:bash|sh|shell)$/.test(lang ?? ''))
		.flatMap(({ value = '' }) => value.split('\n'))
		.map((line) => line.replace(/(?:^|\s+)#.*$/, '').trim());
	return {
		file,
		text,
		links: [
			...ofType('link', 'image', 'definition').map(({ url = '' }) => url),
			...inHtml.map(([, url]) => url),
		],
		anchors: anchorsOf(ofType('heading').map(textOf)),
		commands: [
			...shellLines.filter((line) => line !== ''),
			...valuesOf('inlineCode').filter((code) => code.startsWith('npm ')),
		],
		tables: ofType('table').map(({ children: rows = [] }) =>
			rows.map(({ children: cells = [] }) => cells.map(textOf)),
		),
	};
}

/** Follows GitHub's rules. A number tells headings with the same text apart. */
function anchorsOf(headings: string[]): Set<string> {
	const anchors = new Set<string>();
	for (const heading of headings) {
		const anchor = heading
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
			.replace(/ /g, '-');
		let count = 0;
		while (anchors.has(count === 0 ? anchor : `${anchor}-${count}`)) count++;
		anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
	}
	return anchors;
}

const REPOSITORY = 'n8n-nodes-prospector/n8n-nodes-prospector';

/**
 * Returns the file of this repository that a link leads to, with its anchor; undefined if the link leads elsewhere.
 *
 * @param from the file that contains the link
 */
export function findTarget(link: string, from: string): { file: string; anchor?: string } | undefined {
	const [address, anchor] = link.split('#');
	if (!/^[a-z]+:/.test(address)) {
		return { file: address === '' ? from : posix.join(posix.dirname(from), address), anchor };
	}
	if (address === `https://github.com/${REPOSITORY}`) return { file: 'README.md', anchor };
	for (const start of [
		`https://github.com/${REPOSITORY}/blob/main/`,
		`https://raw.githubusercontent.com/${REPOSITORY}/main/`,
	]) {
		if (address.startsWith(start)) return { file: address.slice(start.length), anchor };
	}
	return undefined;
}

/** @returns what is wrong with a link to this repository; undefined if nothing */
export function checkTarget({ file, anchor }: { file: string; anchor?: string }, pages: Page[]) {
	if (!existsSync(join(ROOT, file))) return `there is no ${file}`;
	// GitHub adds this one to every repository.
	if (anchor === undefined || anchor === 'readme') return undefined;
	const page = pages.find((one) => one.file === file);
	return page?.anchors.has(anchor) ? undefined : `${file} has no heading #${anchor}`;
}
