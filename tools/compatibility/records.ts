import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../test/e2e/runTests';
import { log, ROOT } from '../../test/e2e/setUp/commands';
import { replaceSection } from '../pageSection';
import { toMarkdown } from './table';

/** The tests that passed on one platform, by group in the order of the table. */
export interface PlatformRecord {
	/** Such as `2.41.1`. */
	n8n: string;
	/** Major version of Node.js. */
	node: number;
	/** Absent if classic. */
	scheduler?: 'durable';
	groups: Array<{ title: string; tests: number }>;
}

const RECORDS = join(ROOT, 'docs/compatibility.json');
const PAGE = join(ROOT, 'docs/compatibility.md');

const readRecords = (): PlatformRecord[] =>
	existsSync(RECORDS) ? (JSON.parse(readFileSync(RECORDS, 'utf8')) as PlatformRecord[]) : [];

export function isPageUpToDate(): boolean {
	const page = readFileSync(PAGE, 'utf8');
	return replaceSection(page, 'compatibility', toMarkdown(readRecords())) === page;
}

/**
 * Compares the compatibility table with the reports, or writes it.
 *
 * @param record whether to write the table
 * @returns false if the table differs or can't be written
 */
export function compareTable(reports: Report[], record: boolean): boolean {
	if (record) {
		if (reports.some(({ skipped }) => skipped.length > 0)) {
			log('The table was not written, because tests were skipped.');
			return false;
		}
		const records = mergeRecords(readRecords(), reports.map(toRecord));
		writeFileSync(RECORDS, `${JSON.stringify(records, undefined, '\t')}\n`);
		writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), 'compatibility', toMarkdown(records)));
		log('docs/compatibility.md and docs/compatibility.json were written.');
		return true;
	}
	const records = readRecords();
	const differences = reports.flatMap((report) => compareReport(records, report));
	if (differences.length > 0) {
		const list = differences.map((difference) => `\n- ${difference}`).join('');
		log(
			`The compatibility table differs from these tests:${list}\nWrite it with: npm run test:e2e -- --all --record`,
		);
	}
	return differences.length === 0;
}

/** Folders of test files, in the order of the table. */
const ORDER = [
	...['browser', 'rest', 'service', 'templates', 'exactlyOnce', 'stop', 'trigger', 'soak'],
	...['agent', 'editor'],
];
const rank = (file: string) => {
	const index = ORDER.indexOf(file.split('/')[0]);
	return index < 0 ? ORDER.length : index;
};

/** Counts the passed tests of each group. */
export function toRecord({ target, tests }: Report): PlatformRecord {
	const sorted = [...tests].sort((a, b) => rank(a.file) - rank(b.file) || a.file.localeCompare(b.file, 'en'));
	const groups = new Map<string, number>();
	for (const { title, outcome } of sorted) {
		groups.set(title[0], (groups.get(title[0]) ?? 0) + (outcome === 'passed' ? 1 : 0));
	}
	return {
		n8n: target.version,
		node: target.nodeMajor,
		...(target.scheduler === 'durable' && { scheduler: target.scheduler }),
		groups: [...groups].map(([title, count]) => ({ title, tests: count })),
	};
}

const isSamePlatform = (a: PlatformRecord, b: PlatformRecord) =>
	a.n8n === b.n8n && a.node === b.node && a.scheduler === b.scheduler;

/** Replaces the records of the same platforms. The newest n8n comes first. */
export function mergeRecords(records: PlatformRecord[], newRecords: PlatformRecord[]): PlatformRecord[] {
	const others = records.filter((record) => !newRecords.some((other) => isSamePlatform(record, other)));
	return [...others, ...newRecords].sort(
		(a, b) =>
			b.n8n.localeCompare(a.n8n, 'en', { numeric: true }) ||
			a.node - b.node ||
			Number(a.scheduler !== undefined) - Number(b.scheduler !== undefined),
	);
}

/** Describes the groups whose number of tests differs from the record. Skips groups with skipped tests. */
export function compareReport(records: PlatformRecord[], report: Report): string[] {
	const shown = toRecord(report);
	const record = records.find((each) => isSamePlatform(each, shown));
	const name = `n8n ${shown.n8n} on Node.js ${shown.node}${shown.scheduler ? ' with the durable scheduler' : ''}`;
	if (!record) return [`${name} is missing`];
	const skipped = new Set(
		report.tests.filter(({ outcome }) => outcome === 'skipped').map(({ title }) => title[0]),
	);
	const titles = new Set([...record.groups, ...shown.groups].map(({ title }) => title));
	const count = (from: PlatformRecord, title: string) =>
		from.groups.find((group) => group.title === title)?.tests ?? 0;
	return [...titles]
		.filter((title) => !skipped.has(title) && count(record, title) !== count(shown, title))
		.map((title) => `${name}: "${title}" has ${count(shown, title)} tests, not ${count(record, title)}`);
}
