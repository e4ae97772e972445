import type { TestedN8n } from './record';

const BEGIN = '<!-- compatibility: written by npm run test:e2e -- --all --record -->';
const END = '<!-- /compatibility -->';

/** A Markdown table: a row per group of tests, a column per n8n, with the number of tests that passed. */
export function tableOf(records: TestedN8n[]): string {
	if (records.length === 0) return '';
	const titles = [...new Set(records.flatMap(({ groups }) => groups.map(({ title }) => title)))];
	const rows = [
		[
			'in a whole n8n',
			...records.map(
				({ n8n, node, scheduler }) => `${n8n}, Node.js ${node}${scheduler ? `, ${scheduler} scheduler` : ''}`,
			),
		],
		...titles.map((title) => [
			title,
			...records.map(({ groups }) => {
				const tests = groups.find((group) => group.title === title)?.tests ?? 0;
				return tests > 0 ? String(tests) : '–';
			}),
		]),
	];
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length), 3));
	const line = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column], fill) : cell.padStart(widths[column], fill))).join(' | ')} |`;
	const rule = widths.map((width, column) =>
		column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
	);
	return [line(rows[0]), line(rule), ...rows.slice(1).map((row) => line(row))].join('\n');
}

/**
 * The README with the table in its place.
 * @throws Error where the README has no place for it
 */
export function withTable(readme: string, table: string): string {
	const begin = readme.indexOf(BEGIN);
	const end = readme.indexOf(END);
	if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} … ${END}`);
	return `${readme.slice(0, begin + BEGIN.length)}\n${table && `\n${table}\n`}\n${readme.slice(end)}`;
}
