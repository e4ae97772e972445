const COUNTED_AS_KILLED = ['Killed', 'Timeout'];
const SURVIVORS = ['Survived', 'NoCoverage'];

/** Returns the row of docs/mutation.md for a room, from Stryker's JSON report. */
export function buildRow(room, { files }) {
	const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
	const count = (wanted) => statuses.filter((status) => wanted.includes(status)).length;
	const killed = count(COUNTED_AS_KILLED);
	const survivors = count(SURVIVORS);
	const mutants = killed + survivors;
	const percent = mutants === 0 ? '100.0' : ((100 * killed) / mutants).toFixed(1);
	return `| ${room} | ${mutants} | ${percent} % | ${survivors} |`;
}

/** Replaces the row of a room in a Markdown page, or adds it to the end of the page's table. */
export function updateTable(page, room, report) {
	const row = buildRow(room, report);
	const lines = page.split('\n');
	const current = lines.findIndex((line) => line.startsWith(`| ${room} `));
	if (current >= 0) lines[current] = row;
	else lines.splice(lines.findLastIndex((line) => line.startsWith('|')) + 1, 0, row);
	return lines.join('\n');
}
