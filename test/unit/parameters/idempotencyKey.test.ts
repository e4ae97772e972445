import { preventDuplicates as parameter } from '../../../nodes/Prospector/parameters/preventDuplicates';
import { expectError, readParameter } from '../helpers/support';

const read = (options: object) => readParameter(parameter, { options });
const EXECUTION = { mode: 'execution' };
const OFF = { mode: 'off' };
const LATE_KEY = { idempotencyKey: { not: 'text' } };

describe('Prevent Duplicates', () => {
	test.each<[object, object]>([
		[{}, EXECUTION],
		[{ preventDuplicates: '' }, EXECUTION],
		[{ preventDuplicates: null }, EXECUTION],
		[{ preventDuplicates: undefined }, EXECUTION],
		[{ preventDuplicates: 'execution' }, EXECUTION],
		[{ preventDuplicates: 'execution', idempotencyKey: 'k' }, EXECUTION],
		[{ preventDuplicates: 'execution', ...LATE_KEY }, EXECUTION],
		[{ idempotencyKey: 'k' }, EXECUTION],
		[{ preventDuplicates: 'off' }, OFF],
		[{ preventDuplicates: 'off', idempotencyKey: 'k' }, OFF],
		[{ preventDuplicates: 'off', ...LATE_KEY }, OFF],
	])('is read from %j as %j', (options, expected) => {
		expect(read(options)).toEqual(expected);
	});

	test.each<[unknown, string]>([
		['none', "has no option 'none'"],
		['Execution', "has no option 'Execution'"],
		['key ', "has no option 'key '"],
		['__proto__', "has no option '__proto__'"],
		[5, 'got a number instead of one of its options'],
		[true, 'got a boolean instead of one of its options'],
		[{ value: 'key' }, 'got an object instead of one of its options'],
		[['key'], 'got a list instead of one of its options'],
		[[Symbol('a')], 'got a list instead of one of its options'],
	])('%p is rejected', async (preventDuplicates, message) => {
		expect(await expectError(() => read({ preventDuplicates, idempotencyKey: 'k' }))).toEqual({
			message: `'Prevent Duplicates' ${message}`,
			description: 'An expression must give execution, key or off',
		});
	});
});

describe('Idempotency Key', () => {
	test.each<[unknown, string]>([
		[' k ', 'k'],
		['\u00a0k\n', 'k'],
		['a key', 'a key'],
		['__proto__', '__proto__'],
		['"k"; x=\'1\'', '"k"; x=\'1\''],
		['{{ $env.HOME }}', '{{ $env.HOME }}'],
		['~ !', '~ !'],
		[` ${'x'.repeat(255)} `, 'x'.repeat(255)],
		[20260301, '20260301'],
		[0, '0'],
		[-1.5, '-1.5'],
	])('%p is read as %j', (idempotencyKey, key) => {
		expect(read({ preventDuplicates: 'key', idempotencyKey })).toEqual({ mode: 'key', key });
	});

	const USE_VALUE = 'Use a value inside it, e.g. {{ $json.id }}';
	test.each<[string, string, unknown[]]>([
		[
			'is empty',
			"Enter text such as {{ $today.toISODate() }}, or set 'Prevent Duplicates' to Once per Execution",
			['', '   ', ' \n', null, undefined],
		],
		['got an object', USE_VALUE, [{ key: 'k' }, {}, 'day-[object Object]', '[object Promise]']],
		['got a list', USE_VALUE, [['k'], []]],
		['got a boolean', USE_VALUE, [true, false]],
		['got a number', USE_VALUE, [NaN, Infinity, -Infinity]],
		['got a bigint', USE_VALUE, [10n]],
		['got a symbol', USE_VALUE, [Symbol('k')]],
		['got a function', USE_VALUE, [() => 'k']],
		['has 256 characters', 'Use 255 at most', ['k'.repeat(256), ` ${'k'.repeat(256)} `]],
		['has 100001 characters', 'Use 255 at most', [`${'k\n'.repeat(50_000)}k`]],
		[
			'has line breaks or special characters',
			'Use plain letters, digits and signs',
			['k\r\nX: 1', 'a\nb', 'a\tb', 'a\u0000', 'a\u007f', 'k😀', 'k\u202e', 'schlüssel'],
		],
	])('that %s is rejected', async (message, description, keys) => {
		for (const idempotencyKey of keys) {
			expect(await expectError(() => read({ preventDuplicates: 'key', idempotencyKey }))).toEqual({
				message: `'Idempotency Key' ${message}`,
				description,
			});
		}
	});

	test('is empty if it was not added', async () => {
		expect((await expectError(() => read({ preventDuplicates: 'key' }))).message).toBe(
			"'Idempotency Key' is empty",
		);
	});
});
