import {
	DEFAULT_FINISHED_STATUSES,
	isFinished,
	pauseBeforeLook,
	statusOf,
} from '../../nodes/Prospector/actions/waiting/runStatus';

const plan = { maxWait: 1000, finished: DEFAULT_FINISHED_STATUSES };

describe('a run', () => {
	test.each([
		'completed',
		'Completed',
		'FAILED',
		' done ',
		'timed_out',
		'cancelled',
		'canceled',
		'error',
		'Timed out',
		'TIMED-OUT',
		'completed with errors',
	])('with the status %j has finished', (status) => expect(isFinished({ status }, plan)).toBe(true));

	test.each(['running', 'queued', 'incomplete', '', ' ', null, undefined, 5, ['done']])(
		'with the status %j has not',
		(status) => expect(isFinished({ status } as never, plan)).toBe(false),
	);

	test('has finished by a status of one’s own and by no other then', () => {
		const own = { ...plan, finished: ['fertig'] };
		expect([isFinished({ status: 'Fertig' }, own), isFinished({ status: 'done' }, own)]).toEqual([
			true,
			false,
		]);
	});

	test.each([
		[{ status: ' Running ' }, 'Running'],
		[{ status: 5 }, ''],
		[{}, ''],
	])('%j has the status %j', (run, status) => expect(statusOf(run)).toBe(status));
});

test('the default statuses are in lower case and without repetition', () => {
	expect([...new Set(DEFAULT_FINISHED_STATUSES.map((word) => word.toLowerCase()))].sort()).toEqual(
		[...DEFAULT_FINISHED_STATUSES].sort(),
	);
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
		expect(pauseBeforeLook(looks, random, Infinity)).toBe(expected);
	});

	test.each([1, 400, 799])('never passes the deadline in %i ms', (left) => {
		expect(pauseBeforeLook(1, 0, left)).toBe(left);
	});
});
