import { waitForCompletionOptions, waitOptions } from '../../../nodes/Prospector/parameters/waitOptions';
import { expectError, readParameter } from '../helpers/support';

const DEFAULT = { waitUpTo: 3_600_000, finished: [], failed: [] };

/** Each case: parameters besides *Wait for Completion*, and what differs from the defaults. */
const CASES: Array<[object, object]> = [
	[{}, {}],
	[{ waitUpTo: 1 }, { waitUpTo: 1000 }],
	[{ waitUpTo: '30' }, { waitUpTo: 30_000 }],
	[{ waitUpTo: 2_678_400 }, { waitUpTo: 2_678_400_000 }],
	[{ options: { waitUpTo: 5 } }, {}],
	[{ options: { retryFor: 'of the request' } }, {}],
	[{ options: { finishedStatuses: 'Done, ok,,' } }, { finished: ['Done', 'ok'] }],
	[{ options: { failedStatuses: '["lost", 5]' } }, { failed: ['lost', '5'] }],
	[{ options: { failedStatuses: ['a', 'b,c'] } }, { failed: ['a', 'b', 'c'] }],
	...['finishedStatuses', 'failedStatuses'].flatMap((name) =>
		[null, undefined, '', ' , ', [], [' ', '']].map((empty): [object, object] => [
			{ options: { [name]: empty } },
			{},
		]),
	),
];

describe('the options of a wait', () => {
	test.each(CASES)('are read from %j with %j', (parameters, expected) => {
		expect(readParameter(waitOptions, parameters)).toEqual({ ...DEFAULT, ...expected });
	});

	test('are read without Wait for Completion and Return Results', () => {
		const parameters = { waitForCompletion: false, returnResults: 'ignored' };
		expect(readParameter(waitOptions, parameters)).toEqual(DEFAULT);
	});
});

describe('the options of an optional wait', () => {
	test.each([undefined, false, null, '', 'False', 0])(
		'are undefined if Wait for Completion is %j, whatever the others are',
		(waitForCompletion) => {
			const others = { waitUpTo: 'ignored', returnResults: 'ignored', options: { failedStatuses: {} } };
			expect(readParameter(waitForCompletionOptions, { waitForCompletion, ...others })).toBeUndefined();
		},
	);

	test.each(CASES)('are read from %j with %j', (parameters, expected) => {
		for (const waitForCompletion of [true, 'true']) {
			expect(readParameter(waitForCompletionOptions, { waitForCompletion, ...parameters })).toEqual({
				...DEFAULT,
				returnResults: false,
				...expected,
			});
		}
	});

	test.each([
		[true, true],
		['true', true],
		[false, false],
		[null, false],
	])('read Return Results %j as %j', (returnResults, expected) => {
		const parameters = { waitForCompletion: true, returnResults };
		expect(readParameter(waitForCompletionOptions, parameters)).toMatchObject({ returnResults: expected });
	});

	test('reject a Return Results that is neither true nor false', async () => {
		const parameters = { waitForCompletion: true, returnResults: 'results' };
		expect(await expectError(() => readParameter(waitForCompletionOptions, parameters))).toEqual({
			message: "'Return Results' is neither true nor false",
			description: "Switch 'Return Results' on or off. An expression must return true or false",
		});
	});
});

describe.each([
	['a wait', waitOptions, {}],
	['an optional wait', waitForCompletionOptions, { waitForCompletion: true }],
])('%s', (_, parameter, parameters) => {
	test.each([
		['finishedStatuses', 'Finished Statuses'],
		['failedStatuses', 'Failed Statuses'],
	])('rejects %s if they are not words', async (name, label) => {
		for (const value of [{ status: 'done' }, [['done']], 5n, true, [null]]) {
			const options = { [name]: value };
			expect(await expectError(() => readParameter(parameter, { ...parameters, options }))).toEqual({
				message: `'${label}' is not a list of words`,
				description: 'Enter words separated by commas, e.g. archived, closed',
			});
		}
	});

	test.each([0, -1, 1.5, 2_678_401, 'soon', '', null, [60], Infinity])(
		'rejects to wait up to %j',
		async (waitUpTo) => {
			expect(await expectError(() => readParameter(parameter, { ...parameters, waitUpTo }))).toEqual({
				message: "'Wait Up To (Seconds)' must be a whole number from 1 to 2678400",
				description: "Enter such a number in 'Wait Up To (Seconds)'. An expression must return one",
			});
		},
	);
});
