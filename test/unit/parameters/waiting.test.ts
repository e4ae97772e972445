import {
	FAILED_STATUSES,
	FINISHED_STATUSES,
} from '../../../nodes/Prospector/model/runStatus';
import { finishedStatusesForWarning, waitOptions } from '../../../nodes/Prospector/parameters/waiting';
import { expectError, readParameter } from '../helpers/support';

const read = (options: object, waitForCompletion: unknown = true) =>
	readParameter(waitOptions, { waitForCompletion, options });
const readForWarning = (options: object) => readParameter(finishedStatusesForWarning, { options });

describe('the options of a wait', () => {
	test.each([false, null, '', 'False'])('are undefined if Wait for Completion is %j', (wait) => {
		expect(read({ retryFor: 'ignored' }, wait)).toBeUndefined();
	});

	test.each<[object, object]>([
		[{}, {}],
		[{ retryFor: '30' }, { retryFor: 30_000 }],
		[{ returnResults: 'true' }, { returnResults: true }],
		[{ finishedStatuses: 'Done, ok,,' }, { finished: ['Done', 'ok'] }],
		[{ finishedStatuses: '' }, {}],
		[{ finishedStatuses: null }, {}],
		[{ failedStatuses: '["lost", 5]' }, { failed: ['lost', '5'] }],
		[{ failedStatuses: null }, {}],
		[{ failedStatuses: '' }, { failed: [] }],
		[{ failedStatuses: [] }, { failed: [] }],
		[{ failedStatuses: ' , ' }, { failed: [] }],
	])('are read from %j with %j', (options, expected) => {
		expect(read(options)).toEqual({
			retryFor: 3_600_000,
			finished: FINISHED_STATUSES,
			failed: FAILED_STATUSES,
			returnResults: false,
			...expected,
		});
	});

	test.each([[[]], [[' ', '']], [','], [' ']])(
		'reject the finished statuses %j',
		async (finishedStatuses) => {
			expect(await expectError(() => read({ finishedStatuses }))).toEqual({
				message: "'Finished Statuses' is empty, so the wait would never end",
				description: 'Add the status that your runs show when they are done, or remove the option',
			});
		},
	);

	test.each([
		['finishedStatuses', 'Finished Statuses'],
		['failedStatuses', 'Failed Statuses'],
	])('name %s if they are not words', async (name, label) => {
		expect(await expectError(() => read({ [name]: { status: 'done' } }))).toEqual({
			message: `'${label}' is not a list of words`,
			description: 'Give the words as text, separated by commas, e.g. completed, done',
		});
	});
});

test.each([
	[{}, FINISHED_STATUSES],
	[{ finishedStatuses: 'done' }, ['done']],
	[{ finishedStatuses: ' , ' }, FINISHED_STATUSES],
	[{ finishedStatuses: [] }, FINISHED_STATUSES],
	[{ warnIfUnfinished: true }, FINISHED_STATUSES],
	[{ warnIfUnfinished: 'False', finishedStatuses: 5 }, undefined],
])('the finished statuses for the warning are read from %j as %j', (options, expected) => {
	expect(readForWarning(options)).toEqual(expected);
});
