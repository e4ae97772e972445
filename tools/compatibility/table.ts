import type { PlatformRecord } from './records';

/** Returns a Markdown table with a row per platform. */
export function toMarkdown(records: PlatformRecord[]): string {
	if (records.length === 0) return '';
	const rows = records.map(({ n8n, node, scheduler = 'default' }) => [n8n, `Node.js ${node}`, scheduler]);
	const header = ['n8n', 'runs on', 'scheduler'];
	const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
	const line = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
	return [line(header), line(['', '', ''], '-'), ...rows.map((row) => line(row))].join('\n');
}
