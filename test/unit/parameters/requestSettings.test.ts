import { getManyOptions } from '../../../nodes/Prospector/parameters/getManyOptions';
import { maxConcurrentRequests, requestSettings } from '../../../nodes/Prospector/parameters/requestSettings';
import type { Parameter } from '../../../nodes/Prospector/parameters/parameter';
import { expectError, readParameter } from '../helpers/support';

const MAX = Number.MAX_SAFE_INTEGER;

/** Name, label, parameter, minimum, maximum, default and factor. */
const numbers: Array<[string, string, Parameter<unknown>, number, number, unknown, number]> = [
	['limit', 'Limit', { read: (values) => getManyOptions.read(values).limit }, 1, MAX, 50, 1],
	['pageSize', 'Page Size', { read: (values) => getManyOptions.read(values).pageSize }, 1, MAX, undefined, 1],
	['retryFor', 'Retry For (Seconds)', requestSettings.retryFor, 0, 2_678_400, 300_000, 1000],
	['maxConcurrentRequests', 'Max Concurrent Requests', maxConcurrentRequests, 1, 100, 5, 1],
];

test.each(numbers)(
	'%s has its range and default (%#)',
	async (name, label, parameter, min, max, defaultValue, factor) => {
		const read = (values: object) => readParameter(parameter, values);
		const parametersFor = (value: unknown) =>
			name === 'limit' ? { limit: value } : { options: { [name]: value } };
		expect(read({})).toBe(defaultValue);
		expect(read(parametersFor(min))).toBe(min * factor);
		expect(read(parametersFor(String(min + 1)))).toBe((min + 1) * factor);
		expect(read(parametersFor(max))).toBe(max * factor);
		const range = max === MAX ? `, ${min} or more` : ` from ${min} to ${max}`;
		for (const value of [min - 1, max + 1, 1.5, 'soon', [min]]) {
			const { message } = await expectError(() => read(parametersFor(value)));
			expect(message).toBe(`'${label}' must be a whole number${range}`);
		}
		if (name !== 'limit')
			for (const empty of ['', null]) expect(read({ options: { [name]: empty } })).toBe(defaultValue);
	},
);

test('every operation has one setting of its requests', () => {
	expect(Object.keys(requestSettings)).toEqual(['retryFor']);
});

describe('the options of Get Many', () => {
	const ALL = { onePage: false, startAt: 1, limit: undefined, pageSize: undefined, startCursor: undefined };

	test.each<[object, object]>([
		[{}, { ...ALL, limit: 50 }],
		[{ limit: '2' }, { ...ALL, limit: 2 }],
		[
			{ returnAll: 'False', limit: 2 },
			{ ...ALL, limit: 2 },
		],
		[{ returnAll: true, limit: 'ignored' }, ALL],
		[{ returnAll: 'true' }, ALL],
		[
			{ limit: 'ignored', returnAll: 'ignored', options: { returnOnePage: true } },
			{ ...ALL, onePage: true },
		],
		[{ options: { returnOnePage: 'true', pageSize: '7' } }, { ...ALL, onePage: true, pageSize: 7 }],
		[
			{ limit: 2, options: { returnOnePage: 'false' } },
			{ ...ALL, limit: 2 },
		],
		...['c2', ' spaces stay ', '__proto__', 'c&limit=9\r\n', 'x'.repeat(8192)].map(
			(startCursor): [object, object] => [
				{ options: { returnOnePage: true, startCursor } },
				{ ...ALL, onePage: true, startCursor },
			],
		),
		...['', null, undefined].map((startCursor): [object, object] => [
			{ options: { returnOnePage: true, startCursor } },
			{ ...ALL, onePage: true },
		]),
		// The editor offers it only with Return One Page.
		[{ options: { startCursor: 5 } }, { ...ALL, limit: 50 }],
		[{ options: 'no options' }, { ...ALL, limit: 50 }],
	])('are read from %j as %j', (parameters, expected) => {
		expect(readParameter(getManyOptions, { ...parameters })).toEqual(expected);
	});

	test.each([5, false, { $gt: '' }, ['a', 'b'], 'x'.repeat(8193)])(
		'reject the cursor %j',
		async (startCursor) => {
			const options = { returnOnePage: true, startCursor };
			expect(await expectError(() => readParameter(getManyOptions, { options }))).toEqual({
				message: "'Start Cursor' is not text",
				description: 'Use {{ $json.next_cursor }} of the page before',
			});
		},
	);
});
