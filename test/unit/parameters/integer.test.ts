import { parseInteger } from '../../../nodes/Prospector/actions/fields/number';
import { requestTimeout } from '../../../nodes/Prospector/actions/fields/requestTimeout';
import { fakeExecution, expectInvalid, expectError } from '../helpers/support';

const check = (value: unknown) => parseInteger(value, 'Limit', 1, 100);

describe('a whole number', () => {
	test.each([
		[1, 1],
		[100, 100],
		['7', 7],
		[' 7 ', 7],
		['1e1', 10],
		[5.0, 5],
	])('%j is read as %i', (value, expected) => expect(check(value)).toEqual({ value: expected }));

	test.each([
		0,
		101,
		-1,
		1.5,
		'1.5',
		'',
		' ',
		'ten',
		'7 leads',
		NaN,
		Infinity,
		null,
		undefined,
		true,
		[5],
		{ n: 5 },
	])('%p is refused with the range', (value) => {
		const { message, description } = expectInvalid(check(value));
		expect(message).toBe("'Limit' must be a whole number from 1 to 100");
		expect(description).toContain("'Limit'");
	});
});

describe('the request timeout', () => {
	test.each([
		[{}, 60_000],
		[{ requestTimeout: '' }, 60_000],
		[{ requestTimeout: 1 }, 1000],
		[{ requestTimeout: '90' }, 90_000],
		[{ requestTimeout: 3600 }, 3_600_000],
	])('of the options %j is %i ms', (options, expected) => {
		expect(requestTimeout(fakeExecution({ parameters: { options } }).context, 0)).toBe(expected);
	});

	test.each([0, 3601, 'soon', -5])('of %j is refused', async (value) => {
		const { context } = fakeExecution({ parameters: { options: { requestTimeout: value } } });
		const { message } = await expectError(() => requestTimeout(context, 0));
		expect(message).toBe("'Request Timeout' must be a whole number from 1 to 3600");
	});
});
