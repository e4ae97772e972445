import {
	DEFAULT_FAILED_STATUSES,
	DEFAULT_FINISHED_STATUSES,
} from '../../../nodes/Prospector/actions/waiting/defaultStatuses';
import { runOutcome, pollInterval, statusOf } from '../../../nodes/Prospector/model/runStatus';

const plan = { maxWait: 1000, finished: DEFAULT_FINISHED_STATUSES, failed: DEFAULT_FAILED_STATUSES };
const none = { ...plan, failed: [] };

describe('a run', () => {
	const finished = ['completed', 'Completed', ' done ', 'completed with errors', 'SUCCEEDED', 'stopped'];
	const failed = [
		'FAILED',
		'timed_out',
		'cancelled',
		'canceled',
		'error',
		'Timed out',
		'TIMED-OUT',
		'rejected',
		' Crashed ',
	];

	test.each([
		...finished.map((status) => [status, 'finished', 'finished']),
		...failed.map((status) => [status, 'failed', 'finished']),
	])('with the status %j has %s, or has %s where no status counts as failed', (status, usual, otherwise) => {
		expect(runOutcome({ status }, plan)).toBe(usual);
		expect(runOutcome({ status }, none)).toBe(otherwise);
	});

	test.each(['running', 'queued', 'incomplete', '', ' ', null, undefined, 5, ['done'], 'not failed'])(
		'with the status %j has not ended',
		(status) => expect(runOutcome({ status } as never, plan)).toBeUndefined(),
	);

	test.each([
		['Fertig', 'finished'],
		['nicht  gefunden', 'failed'],
		['Nicht-Gefunden', 'failed'],
		['done', undefined],
		['failed', undefined],
		['beides', 'failed'],
	])('with the status %j, by statuses of one’s own, has %s', (status, expected) => {
		const own = { ...plan, finished: ['fertig', 'beides'], failed: ['nicht_gefunden', 'beides'] };
		expect(runOutcome({ status }, own)).toBe(expected);
	});

	test.each([
		[{ status: ' Running ' }, 'Running'],
		[{ status: 5 }, ''],
		[{}, ''],
	])('%j has the status %j', (run, status) => expect(statusOf(run)).toBe(status));
});

describe('the default statuses', () => {
	test.each([
		['finished', DEFAULT_FINISHED_STATUSES],
		['failed', DEFAULT_FAILED_STATUSES],
	])('%s are in lower case, in order and without repetition', (_, words) => {
		expect(words).toEqual([...new Set(words.map((word) => word.toLowerCase()))].sort());
	});

	test('failed are among the finished: emptying the one field must not make a wait endless', () => {
		expect(DEFAULT_FINISHED_STATUSES).toEqual(expect.arrayContaining(DEFAULT_FAILED_STATUSES));
	});
});

describe('the pause before a look', () => {
	test.each([
		[1, 0.5, 1000],
		[2, 0.5, 1500],
		[3, 0.5, 2250],
		[9, 0.5, 25_629],
		[10, 0.5, 30_000],
		[5000, 0.5, 30_000],
		[1, 0, 800],
		[1, 0.999, 1200],
		[5000, 0, 24_000],
		[5000, 0.999, 35_988],
	])('after %i looks, with chance %d, is %i ms', (looks, random, expected) => {
		expect(pollInterval(looks, random, Infinity)).toBe(expected);
	});

	test.each([1, 400, 799])('never passes the deadline in %i ms', (left) => {
		expect(pollInterval(1, 0, left)).toBe(left);
	});
});
