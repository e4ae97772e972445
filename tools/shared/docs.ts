/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, ROOT } from '../../test/e2e/setUp/commands';

const pathOf = (file: string) => join(ROOT, 'docs', file);

/** Returns the content of a JSON file in docs/. */
export const readRecord = <T>(file: string): T => JSON.parse(readFileSync(pathOf(file), 'utf8')) as T;

/** Writes a JSON file in docs/. */
export const writeRecord = (file: string, content: object): void =>
	writeFormatted(file, JSON.stringify(content));

/** A part of a page in docs/ that a command writes, between `<!-- name: … -->` and `<!-- /name -->`. */
export interface Section {
	/** File name of the page. */
	page: string;
	name: string;
	/** The text in Markdown. */
	text: string;
}

/** Returns the page with the section's text. @throws Error if the page has no such section */
function withSection({ page, name, text }: Section): string {
	const content = readFileSync(pathOf(page), 'utf8');
	const begin = content.indexOf('-->', content.indexOf(`<!-- ${name}: `)) + '-->'.length;
	const end = content.indexOf(`<!-- /${name} -->`);
	if (!content.includes(`<!-- ${name}: `) || end < begin)
		throw new Error(`${page} has no section '${name}'.`);
	return `${content.slice(0, begin)}\n\n${text}\n\n${content.slice(end)}`;
}

/** Whether the page has this text, which must be formatted as Prettier does. */
export const isUpToDate = (section: Section): boolean =>
	withSection(section) === readFileSync(pathOf(section.page), 'utf8');

/** @throws Error if the page has no such section */
export const writeSection = (section: Section): void => writeFormatted(section.page, withSection(section));

function writeFormatted(file: string, text: string): void {
	const path = pathOf(file);
	writeFileSync(path, text);
	const prettier = join(ROOT, 'node_modules/prettier/bin/prettier.cjs');
	// Also formats what .prettierignore contains.
	const args = [prettier, '--ignore-path', '/dev/null', '--write', path];
	command(process.execPath, args, { cwd: ROOT, advice: `Format ${path} yourself.` });
}

/** Returns a table in Markdown, formatted as Prettier does. */
export function markdownTable(rows: string[][]): string {
	const [header, ...body] = rows;
	const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const line = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
	const rule = header.map(() => '');
	return [line(header), line(rule, '-'), ...body.map((row) => line(row))].join('\n');
}
