import type { PlatformRecord } from './records';

const BEGIN = '<!-- compatibility: written by npm run test:e2e -- --all --record -->';
const END = '<!-- /compatibility -->';

/** Returns a Markdown table with a row per platform. */
export function toMarkdown(records: PlatformRecord[]): string {
	if (records.length === 0) return '';
	const rows = records.map(({ n8n, node, scheduler, groups }) => [
		n8n,
		`Node.js ${node}`,
		scheduler ?? 'default',
		String(groups.reduce((sum, { tests }) => sum + tests, 0)),
	]);
	const header = ['n8n', 'runs on', 'scheduler', 'tests that passed'];
	const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
	const line = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
	return [line(header), line(['', '', '', ''], '-'), ...rows.map((row) => line(row))].join('\n');
}

/**
 * Replaces the table in docs/compatibility.md.
 * @throws Error if the page has no place for it
 */
export function replaceTable(page: string, table: string): string {
	const begin = page.indexOf(BEGIN);
	const end = page.indexOf(END);
	if (begin < 0 || end < begin) throw new Error(`docs/compatibility.md has no ${BEGIN} … ${END}`);
	return `${page.slice(0, begin + BEGIN.length)}\n${table && `\n${table}\n`}\n${page.slice(end)}`;
}
