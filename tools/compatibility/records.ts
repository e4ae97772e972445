/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../test/e2e/runTests';
import { log, ROOT } from '../../test/e2e/setUp/commands';
import { markdownTable, replaceSection } from '../pageSection';

/** A platform on which all tests of the whole n8n passed. */
export interface PlatformRecord {
	/** Such as `2.41.1`. */
	n8n: string;
	/** Major version of Node.js. */
	node: number;
	/** Absent if classic. */
	scheduler?: 'durable';
}

const RECORDS = join(ROOT, 'docs/compatibility.json');
const PAGE = join(ROOT, 'docs/compatibility.md');

const readRecords = (): PlatformRecord[] =>
	existsSync(RECORDS) ? (JSON.parse(readFileSync(RECORDS, 'utf8')) as PlatformRecord[]) : [];

/** Returns a Markdown table with a row per platform. */
function toMarkdown(records: PlatformRecord[]): string {
	const rows = records.map(({ n8n, node, scheduler = 'default' }) => [n8n, `Node.js ${node}`, scheduler]);
	return markdownTable(['n8n', 'runs on', 'scheduler'], rows);
}

export function isPageUpToDate(): boolean {
	const page = readFileSync(PAGE, 'utf8');
	return replaceSection(page, 'compatibility', toMarkdown(readRecords())) === page;
}

/**
 * Compares the compatibility table with the platforms of the reports, or adds them to it. Call it only if all tests passed.
 *
 * @param record whether to write the table
 * @returns false if the table lacks a platform or can't be written
 */
export function compareTable(reports: Report[], record: boolean): boolean {
	const records = readRecords();
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
	writeFileSync(RECORDS, `${JSON.stringify(all, undefined, '\t')}\n`);
	writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), 'compatibility', toMarkdown(all)));
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
