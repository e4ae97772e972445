import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setUp/folders';
import { merge, type TestedN8n } from './record';
import { tableOf, withTable } from './table';

const RECORDS = join(ROOT, 'docs/compatibility.json');
const README = join(ROOT, 'README.md');

export const readRecords = (): TestedN8n[] =>
	existsSync(RECORDS) ? (JSON.parse(readFileSync(RECORDS, 'utf8')) as TestedN8n[]) : [];

/** Whether README's table is that of the records. */
export function isReadmeUpToDate(): boolean {
	const readme = readFileSync(README, 'utf8');
	return withTable(readme, tableOf(readRecords())) === readme;
}

/** Writes what was shown into docs/ and README. */
export function writeRecords(newer: TestedN8n[]): void {
	const records = merge(readRecords(), newer);
	writeFileSync(RECORDS, `${JSON.stringify(records, undefined, '\t')}\n`);
	writeFileSync(README, withTable(readFileSync(README, 'utf8'), tableOf(records)));
}
