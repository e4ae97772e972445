import type { Report } from '../../test/e2e/runTests';
import { log } from '../../test/e2e/setUp/commands';
import { markdownTable, readRecord, writeRecord, writeSection, type Section } from '../shared/docs';

/** A platform on which all tests of the whole n8n passed. */
export interface PlatformRecord {
	/** Such as `2.41.1`. */
	n8n: string;
	/** Major version of Node.js. */
	node: number;
	/** Absent if classic. */
	scheduler?: 'durable';
}

const FILE = 'compatibility.json';

/** Returns the section of docs/compatibility.md with a row per platform. */
export function compatibilitySection(records = readRecord<PlatformRecord[]>(FILE)): Section {
	const rows = records.map(({ n8n, node, scheduler = 'default' }) => [n8n, `Node.js ${node}`, scheduler]);
	const text = markdownTable([['n8n', 'runs on', 'scheduler'], ...rows]);
	return { page: 'compatibility.md', name: 'compatibility', text };
}

/**
 * Compares the compatibility table with the platforms of the reports, or adds them to it. Call it only if all tests passed.
 *
 * @param record whether to write the table
 * @returns false if the table lacks a platform or can't be written
 */
export function compareTable(reports: Report[], record: boolean): boolean {
	const records = readRecord<PlatformRecord[]>(FILE);
	const missing = reports
		.map(toRecord)
		.filter((tested) => !records.some((other) => nameOf(other) === nameOf(tested)));
	if (!record) {
		if (missing.length === 0) return true;
		log(
			`The compatibility table lacks ${missing.map(nameOf).join(', ')}. Write it with: npm run test:e2e -- --all --record`,
		);
		return false;
	}
	if (reports.some(({ skipped }) => skipped.length > 0)) {
		log('The table was not written, because tests were skipped.');
		return false;
	}
	const all = [...records, ...missing].sort((a, b) =>
		nameOf(b).localeCompare(nameOf(a), 'en', { numeric: true }),
	);
	writeRecord(FILE, all);
	writeSection(compatibilitySection(all));
	log('docs/compatibility.md and docs/compatibility.json were written.');
	return true;
}

const toRecord = ({ target }: Report): PlatformRecord => ({
	n8n: target.version,
	node: target.nodeMajor,
	...(target.scheduler === 'durable' && { scheduler: target.scheduler }),
});

const nameOf = ({ n8n, node, scheduler }: PlatformRecord) =>
	`n8n ${n8n} on Node.js ${node}${scheduler ? ' with the durable scheduler' : ''}`;
