import { getManyOptions } from '../../../nodes/Prospector/parameters/getManyOptions';
import { expectError, readParameter } from '../helpers/support';

const ALL = { isOnePage: false, limit: undefined, pageSize: undefined, startCursor: undefined };
const PAGE = { ...ALL, isOnePage: true };
const onePage = (options: object, rest: object = {}) => ({
	...rest,
	options: { returnOnePage: true, ...options },
});

test.each<[unknown, object]>([
	[
		{ returnAll: 'False', limit: '2' },
		{ ...ALL, limit: 2 },
	],
	[{ returnAll: 'true', limit: 'ignored' }, ALL],
	[onePage({ pageSize: '7' }, { limit: 'ignored', returnAll: 'ignored' }), { ...PAGE, pageSize: 7 }],
	// Only a tool has this field.
	[{ startCursor: 'c' }, { ...ALL, limit: 50 }],
	// The editor offers it only with Return One Page.
	[{ options: { startCursor: 5 } }, { ...ALL, limit: 50 }],
	[{ options: 'no options' }, { ...ALL, limit: 50 }],
])('Get Many turns the node parameters %j into the list options %j', (parameters, expected) => {
	expect(readParameter(getManyOptions, parameters as object)).toEqual(expected);
});

test("'Start Cursor' accepts only text of at most 8,192 characters", async () => {
	const read = (startCursor: unknown) => readParameter(getManyOptions, onePage({ startCursor }));
	expect(read('x'.repeat(8192))).toEqual({ ...PAGE, startCursor: 'x'.repeat(8192) });
	expect((await expectError(() => read('\ud83d'))).message).toBe("'Start Cursor' contains half a character");
	for (const startCursor of [5, false, { $gt: '' }, ['a', 'b'], 'x'.repeat(8193)]) {
		expect(await expectError(() => read(startCursor))).toEqual({
			message: "'Start Cursor' is not text",
			description: 'Use {{ $json.next_cursor }} of the page before',
		});
	}
});
