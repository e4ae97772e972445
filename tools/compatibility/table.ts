import type { PlatformRecord } from './records';

const BEGIN = '<!-- compatibility: written by npm run test:e2e -- --all --record -->';
const END = '<!-- /compatibility -->';

/** Returns a Markdown table with a row per group and a column per platform. */
export function toMarkdown(records: PlatformRecord[]): string {
	if (records.length === 0) return '';
	const titles = [...new Set(records.flatMap(({ groups }) => groups.map(({ title }) => title)))];
	const header = records.map(
		({ n8n, node, scheduler }) => `${n8n}, Node.js ${node}${scheduler ? `, ${scheduler} scheduler` : ''}`,
	);
	const rows = titles.map((title) => [
		title,
		...records.map(({ groups }) => String(groups.find((group) => group.title === title)?.tests || '–')),
	]);
	const table = [['in a whole n8n', ...header], ...rows];
	const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length), 3));
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const pad = ([title, ...counts]: string[]) =>
		line([title.padEnd(widths[0]), ...counts.map((count, i) => count.padStart(widths[i + 1]))]);
	const rule = widths.map((width, column) =>
		column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
	);
	const [first, ...others] = table;
	return [pad(first), line(rule), ...others.map(pad)].join('\n');
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
