import { readWaitPlan } from '../../../nodes/Prospector/parameters/waiting';
import {
	DEFAULT_FAILED_STATUSES,
	DEFAULT_FINISHED_STATUSES,
} from '../../../nodes/Prospector/actions/waiting/defaultStatuses';
import { fakeExecution, expectError } from '../helpers/support';

const planWith = (options: object, waitForCompletion: unknown = true) =>
	readWaitPlan(fakeExecution({ parameters: { options, waitForCompletion } as never }).context, 0);

describe('the plan of a wait', () => {
	test.each([false, undefined, '', 'false', 'False'])('is absent where waiting is %j', (wait) => {
		const parameters = { waitForCompletion: wait, options: { maxWait: 'bad' } };
		expect(readWaitPlan(fakeExecution({ parameters }).context, 0)).toBeUndefined();
	});

	test('has an hour and our statuses by default', () => {
		expect(planWith({})).toEqual({
			maxWait: 3_600_000,
			finished: DEFAULT_FINISHED_STATUSES,
			failed: DEFAULT_FAILED_STATUSES,
			returnResults: false,
		});
	});

	test.each([
		[1, 1000],
		['30', 30_000],
		[2_678_400, 2_678_400_000],
	])('of at most %j seconds has %i ms', (maxWait, expected) => {
		expect(planWith({ maxWait })?.maxWait).toBe(expected);
	});

	test.each([
		[
			['Done', ' OK '],
			['done', 'ok'],
		],
		['Done, ok,,', ['done', 'ok']],
		[
			['done,ok', 'x'],
			['done', 'ok', 'x'],
		],
		['done', ['done']],
		[5, ['5']],
	])('reads the statuses %j as %j', (statuses, expected) => {
		expect(planWith({ finishedStatuses: statuses })?.finished).toEqual(expected);
		expect(planWith({ failedStatuses: statuses })?.failed).toEqual(expected);
	});

	test.each(['', null, undefined])('takes the finished statuses %j for not set', (finishedStatuses) => {
		expect(planWith({ finishedStatuses })?.finished).toEqual(DEFAULT_FINISHED_STATUSES);
	});

	test.each([null, undefined])('takes the failed statuses %j for not set', (failedStatuses) => {
		expect(planWith({ failedStatuses })?.failed).toEqual(DEFAULT_FAILED_STATUSES);
	});

	test.each([[''], ['  '], [','], [[]], [['']]])(
		'takes the failed statuses %j for none',
		(failedStatuses) => {
			expect(planWith({ failedStatuses })?.failed).toEqual([]);
		},
	);

	test.each([
		[{ maxWait: 0 }, "'Max Wait' must be a whole number"],
		[{ maxWait: 'long' }, "'Max Wait' must be a whole number"],
		[{ maxWait: 2_678_401 }, "'Max Wait' must be a whole number"],
		[{ finishedStatuses: [] }, "'Finished Statuses' is empty"],
		[{ finishedStatuses: [' ', ''] }, "'Finished Statuses' is empty"],
		[{ finishedStatuses: ',' }, "'Finished Statuses' is empty"],
	])('is refused for %j', async (options, words) => {
		expect((await expectError(() => planWith(options))).message).toContain(words);
	});
});

test.each([
	[true, true],
	[false, false],
	[undefined, false],
	['true', true],
])('results are returned for %j: %j', (returnResults, expected) => {
	expect(planWith({ returnResults })?.returnResults).toBe(expected);
});
