import { matchesStatus, runOutcome, statusOf } from '../../../nodes/Prospector/model/runStatus';
import { rowsOf } from '../helpers/support';

const FINISHED = [
	...['complete', 'completed', 'completed_with_errors', 'completed_with_warnings', 'done', 'ended'],
	...['finished', 'partial', 'partially_completed', 'stopped', 'succeeded', 'success', 'successful'],
];
const FAILED = [
	...['aborted', 'canceled', 'cancelled', 'crashed', 'error', 'errored', 'expired', 'failed', 'failure'],
	...['rejected', 'terminated', 'timed_out', 'timeout'],
];
const OPEN = ['running', 'queued', 'incomplete', 'not failed', 'done!', 'completed failed', '', ' '];

describe('runOutcome', () => {
	test.each([...rowsOf(FINISHED, 'finished'), ...rowsOf(FAILED, 'failed'), ...rowsOf(OPEN, undefined)])(
		'of %j is %s',
		(status, expected) => {
			const word = String(status);
			const spellings = [word, word.toUpperCase(), ` ${word}\n`, word.replaceAll('_', ' ')];
			const camelCase = word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
			for (const spelling of [...spellings, word.replaceAll('_', '--'), camelCase]) {
				expect(runOutcome(spelling)).toBe(expected);
				expect(runOutcome(spelling, { finished: [], failed: [] })).toBe(expected);
				expect(runOutcome(spelling, { finished: ['archived'], failed: ['blocked'] })).toBe(expected);
			}
		},
	);

	const ADDED = {
		finished: ['fertig', 'Both', 'canceled', 'queued'],
		failed: ['nicht_gefunden', ' both ', 'Done'],
	};

	test.each([
		['Fertig', 'finished'],
		['nicht  gefunden', 'failed'],
		['Nicht-Gefunden', 'failed'],
		['both', 'failed'],
		['Canceled', 'finished'],
		['cancelled', 'failed'],
		['done', 'failed'],
		['completed', 'finished'],
		['QUEUED', 'finished'],
		['running', undefined],
	])('of %j is %s if users added it: their words win over the built-in ones', (status, expected) => {
		expect(runOutcome(status, ADDED)).toBe(expected);
	});

	test('of a built-in word that is in both lists is failed', () => {
		for (const status of ['completed', 'failed']) {
			expect(runOutcome(status, { finished: [status], failed: [status] })).toBe('failed');
		}
	});
});

test.each([
	['completed', 'completed'],
	[' Done\n', 'Done'],
	['', ''],
	[' ', ''],
	...rowsOf([undefined, null, 5, true, ['done'], { status: 'done' }], ''),
])('statusOf returns for the status %j: %j', (status, expected) => {
	expect(statusOf({ status } as never)).toBe(expected);
});

test.each([
	[1000, true],
	[1001, false],
])('a status of %i characters can match: %j', (length, expected) => {
	expect(matchesStatus('x'.repeat(length), ['x'.repeat(length)])).toBe(expected);
});
