import {
	FAILED_STATUSES,
	FINISHED_STATUSES,
	matchesStatus,
	runOutcome,
} from '../../../nodes/Prospector/model/runStatus';
import { rowsOf } from '../helpers/support';

const DEFAULT = { finished: FINISHED_STATUSES, failed: FAILED_STATUSES };
const OWN = { finished: ['fertig', 'both'], failed: ['nicht_gefunden', ' Both '] };

describe('runOutcome', () => {
	test.each([
		...rowsOf(['completed', 'Completed', ' done ', 'completed with errors', 'SUCCEEDED'], 'finished'),
		...rowsOf(['FAILED', 'timed_out', 'Timed out', 'TIMED--OUT', 'canceled', ' Crashed '], 'failed'),
		...rowsOf(['running', 'incomplete', 'not failed', '', ' ', null, undefined, 5, ['done']], undefined),
	])('of the status %j is %s', (status, expected) => {
		const run = { status } as never;
		expect(runOutcome(run, DEFAULT)).toBe(expected);
		expect(runOutcome(run, { ...DEFAULT, failed: [] })).toBe(expected && 'finished');
	});

	test.each([
		['Fertig', 'finished'],
		['nicht  gefunden', 'failed'],
		['Nicht-Gefunden', 'failed'],
		['both', 'failed'],
		['done', undefined],
		['failed', undefined],
	])('of the status %j, with statuses of the user, is %s', (status, expected) => {
		expect(runOutcome({ status }, OWN)).toBe(expected);
	});
});

test.each([
	[1000, true],
	[1001, false],
])('a status of %i characters can match: %j', (length, expected) => {
	expect(matchesStatus('x'.repeat(length), ['x'.repeat(length)])).toBe(expected);
});

test.each([
	['finished', FINISHED_STATUSES],
	['failed', FAILED_STATUSES],
])('the default statuses of %s runs are in lower case, sorted and distinct', (_, statuses) => {
	expect(statuses).toEqual([...new Set(statuses.map((status) => status.toLowerCase()))].sort());
});

test('a failed run has finished by default, so that a wait ends if no status counts as failed', () => {
	expect(FINISHED_STATUSES).toEqual(expect.arrayContaining(FAILED_STATUSES));
});
