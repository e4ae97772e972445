import type { Report } from '../runTests';
import { readRecords, writeRecords } from './files';
import { differences, recordOf } from './record';

/**
 * Writes the compatibility table, or holds it against what ran.
 * @returns false where the table says something else, or cannot be written
 */
export function compare(reports: Report[], record: boolean, say: (line: string) => void): boolean {
	if (record && reports.some(({ skipped }) => skipped.length > 0)) {
		say('Nothing is recorded, since tests were skipped.');
		return false;
	}
	if (record) {
		writeRecords(reports.map(recordOf));
		say("README's compatibility table and docs/compatibility.json are written.");
		return true;
	}
	const records = readRecords();
	const found = reports.flatMap((report) => differences(records, report));
	if (found.length > 0) {
		say(
			`README's compatibility table is not about these tests:\n- ${found.join('\n- ')}\nWrite it anew with: npm run test:e2e -- --all --record`,
		);
	}
	return found.length === 0;
}
