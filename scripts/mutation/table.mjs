/** Of the rate limiter's mutants, about one in five never ends. */
const MAX_TIMEOUT_SHARE = 0.25;
const SURVIVORS = ['Survived', 'NoCoverage'];

/** Returns the row of docs/engineering.md for a folder, from Stryker's JSON report. */
export function buildRow(folder, sample, { files }) {
	const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
	const count = (wanted) => statuses.filter((status) => wanted.includes(status)).length;
	const killed = count(['Killed']);
	const timeouts = count(['Timeout']);
	const survivors = count(SURVIVORS);
	const mutants = killed + timeouts + survivors;
	// Only mutants of loops have no end. More timeouts mean that the tests did not run.
	if (timeouts > MAX_TIMEOUT_SHARE * mutants) {
		throw new Error(
			`${timeouts} of ${mutants} mutants timed out, so the result says nothing about the tests.`,
		);
	}
	if (mutants === 0) throw new Error(`Stryker found no mutants in ${folder}.`);
	const percent = (part) => `${((100 * part) / mutants).toFixed(1)} %`;
	const functions = sample === 1 ? 'all' : `1 in ${sample}`;
	return `| ${folder} | ${functions} | ${mutants} | ${percent(killed)} | ${percent(timeouts)} |`;
}

const END = '<!-- /mutation -->';

/** Replaces the row of a folder in a Markdown page, or adds it to the end of the table of mutation results. */
export function updateTable(page, folder, sample, report) {
	const row = buildRow(folder, sample, report);
	const lines = page.split('\n');
	const current = lines.findIndex((line) => line.startsWith(`| ${folder} `));
	if (current >= 0) lines[current] = row;
	else
		lines.splice(
			lines.findLastIndex((line, index) => line.startsWith('|') && index < lines.indexOf(END)) + 1,
			0,
			row,
		);
	return lines.join('\n');
}
