import { runOutcome, statusOf } from '../../../nodes/Prospector/model/runStatus';
import { rowsOf } from '../helpers/support';

const PARTIAL = [
	...['completed_with_errors', 'completed_with_warnings', 'partial', 'partially_completed', 'stopped'],
];
const SUCCESS = ['complete', 'completed', 'done', 'ended', 'finished', 'succeeded', 'success', 'successful'];
const FAILED = [
	...['aborted', 'canceled', 'cancelled', 'crashed', 'error', 'errored', 'expired', 'failed', 'failure'],
	...['rejected', 'terminated', 'timed_out', 'timeout'],
];
const OPEN = ['running', 'queued', 'incomplete', 'not failed', 'done!', 'completed failed', '', ' '];
const ADDED = {
	finishedStatuses: ['fertig', 'Both', 'canceled', 'Partial', '-'],
	failedStatuses: ['nicht_gefunden', ' both ', 'Done'],
};

test.each([
	...rowsOf(SUCCESS, 'finished'),
	...rowsOf(PARTIAL, 'partial'),
	...rowsOf(FAILED, 'failed'),
	...rowsOf(OPEN, 'open'),
])('runOutcome classifies the status %j as %s if the user has added no statuses', (status, expected) => {
	const word = String(status);
	const camelCase = word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	for (const spelling of [word.toUpperCase(), ` ${word}\n`, word.replaceAll('_', ' - '), camelCase]) {
		expect(runOutcome(spelling)).toBe(expected);
	}
});

test.each<[string, string, string]>([
	['Fertig', 'finished', 'it is in Finished Statuses'],
	['Nicht-Gefunden', 'failed', 'it is in Failed Statuses'],
	['both', 'failed', 'it is in Finished Statuses and in Failed Statuses'],
	['Canceled', 'finished', 'it is in Finished Statuses'],
	['cancelled', 'failed', 'only the spelling Canceled is in Finished Statuses'],
	['done', 'failed', 'it is in Failed Statuses'],
	['completed', 'finished', 'it is in neither'],
	['partial', 'finished', 'it is in Finished Statuses'],
	['-', 'finished', 'it is in Finished Statuses'],
	['', 'open', 'only separators are in Finished Statuses'],
])('runOutcome classifies the status %j as %s if %s', (status, expected) => {
	expect(runOutcome(status, ADDED)).toBe(expected);
});

test.each([[' Done\n', 'Done'], ...rowsOf([' ', undefined, null, 5, ['done']], '')])(
	'statusOf returns the status %j of a run as %j',
	(status, expected) => expect(statusOf({ status } as never)).toBe(expected),
);
