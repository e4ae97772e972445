/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync } from 'node:fs';
import { parsers } from 'prettier/plugins/markdown';

export const ROOT = process.cwd();

/** A node of prettier's syntax tree. */
interface Node {
	type: string;
	children?: Node[];
	value?: string;
	/** Language of a code block. */
	lang?: string | null;
}

export interface Page {
	text: string;
	/** Lines of shell blocks without comments, and inline code that starts with `npm`. */
	commands: string[];
	/** Texts of the cells. The first row has the titles of the columns. */
	tables: string[][][];
	/** Returns the rows below the title row of each table whose first column has one of these titles. */
	rowsOf(...titles: string[]): string[][];
}

function* walk(node: Node): Generator<Node> {
	yield node;
	for (const child of node.children ?? []) yield* walk(child);
}

const textOf = (node: Node): string => [...walk(node)].map(({ value = '' }) => value).join('');

/** Reads a Markdown file of this repository. */
export async function readPage(file: string): Promise<Page> {
	const text = readFileSync(file, 'utf8');
	const nodes = [...walk((await parsers.markdown.parse(text, {} as never)) as Node)];
	const nodesOf = (type: string) => nodes.filter((node) => node.type === type);
	const shellLines = nodesOf('code')
		.filter(({ lang }) => /^(?:bash|sh)$/.test(lang ?? ''))
		.flatMap(({ value = '' }) => value.split('\n'))
		.map((line) => line.replace(/(?:^|\s+)#.*$/, '').trim());
	const inlineCode = nodesOf('inlineCode').map(({ value = '' }) => value);
	const tables = nodesOf('table').map(({ children: rows = [] }) =>
		rows.map(({ children: cells = [] }) => cells.map(textOf)),
	);
	return {
		text,
		commands: [...shellLines, ...inlineCode.filter((code) => code.startsWith('npm '))],
		tables,
		rowsOf: (...titles) =>
			tables.filter(([[title]]) => titles.includes(title)).flatMap(([, ...rows]) => rows),
	};
}
