/**
 * Replaces a section that a command writes: the text between `<!-- name: … -->` and `<!-- /name -->`.
 *
 * @param page the page in Markdown
 * @param name the section's name
 * @param text the section's new text
 * @throws Error if the page has no such section
 */
export function replaceSection(page: string, name: string, text: string): string {
	const begin = page.indexOf('-->', page.indexOf(`<!-- ${name}: `)) + '-->'.length;
	const end = page.indexOf(`<!-- /${name} -->`);
	if (!page.includes(`<!-- ${name}: `) || end < begin) throw new Error(`The page has no section '${name}'.`);
	return `${page.slice(0, begin)}\n\n${text}\n\n${page.slice(end)}`;
}

/** Returns a table in Markdown, formatted as Prettier does. */
export function markdownTable(header: string[], rows: string[][]): string {
	const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
	const line = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
	return [
		line(header),
		line(
			header.map(() => ''),
			'-',
		),
		...rows.map((row) => line(row)),
	].join('\n');
}
