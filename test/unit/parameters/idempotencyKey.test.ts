import { keyChoice } from '../../../nodes/Prospector/parameters/idempotencyKey';
import { expectError, readParameter } from '../helpers/support';

const read = (options: object) => readParameter(keyChoice, { options });
const AUTOMATIC = { mode: 'automatic', isKeyIgnored: false };

const custom = (key: string) => ({ mode: 'custom', key });

test.each<[object, object]>([
	[{}, AUTOMATIC],
	[{ preventDuplicates: '' }, AUTOMATIC],
	[{ preventDuplicates: null }, AUTOMATIC],
	[{ preventDuplicates: 'execution' }, AUTOMATIC],
	[{ preventDuplicates: 'execution', idempotencyKey: undefined }, AUTOMATIC],
	[{ preventDuplicates: 'execution', idempotencyKey: '' }, AUTOMATIC],
	[
		{ preventDuplicates: 'execution', idempotencyKey: 'k' },
		{ ...AUTOMATIC, isKeyIgnored: true },
	],
	[{ preventDuplicates: 'off', idempotencyKey: 'k' }, { mode: 'none' }],
	[{ preventDuplicates: 'key', idempotencyKey: ' k ' }, custom('k')],
	[{ preventDuplicates: '', idempotencyKey: 'a key' }, custom('a key')],
	[{ idempotencyKey: '__proto__' }, custom('__proto__')],
	[{ idempotencyKey: '"k"; x=\'1\'' }, custom('"k"; x=\'1\'')],
	[{ idempotencyKey: '{{ $env.HOME }}' }, custom('{{ $env.HOME }}')],
	[{ idempotencyKey: '~ !' }, custom('~ !')],
	[{ idempotencyKey: ` ${'x'.repeat(255)} ` }, custom('x'.repeat(255))],
	[{ idempotencyKey: 20260301 }, custom('20260301')],
	[{ idempotencyKey: 0 }, custom('0')],
])('%j is read as %j', (options, expected) => {
	expect(read(options)).toEqual(expected);
});

const ADVICE = "Give 'Idempotency Key' 1 to 255 printable ASCII characters, e.g. {{ $today.toISODate() }}";
test.each<[string, string, unknown[]]>([
	['is empty', `${ADVICE}, or set 'Prevent Duplicates' to Automatic`, ['', '   ', ' \n', null, undefined]],
	['is not text', ADVICE, [{ key: 'k' }, ['k'], true, NaN, Infinity, -Infinity, 10n, Symbol('k')]],
	['has 256 characters, which is too long', ADVICE, ['k'.repeat(256)]],
	['got an object, which would give every item the same key', ADVICE, ['day-[object Object]']],
	[
		'holds line breaks or characters outside ASCII',
		ADVICE,
		['k\r\nX: 1', 'a\nb', 'a\tb', 'a\u0000', 'a\u007f', 'k😀', 'k\u202e', 'schlüssel'],
	],
])("'Idempotency Key' %s", async (message, description, keys) => {
	for (const idempotencyKey of keys) {
		for (const mode of [{}, { preventDuplicates: 'key' }]) {
			expect(await expectError(() => read({ idempotencyKey, ...mode }))).toEqual({
				message: `'Idempotency Key' ${message}`,
				description,
			});
		}
	}
});

test.each<[unknown, string]>([
	['off', "has no choice 'off'"],
	['Automatic ', "has no choice 'Automatic '"],
	[5, 'holds a number, which is none of its choices'],
	[{ value: 1 }, 'holds an object, which is none of its choices'],
	[[Symbol('a')], 'holds a list, which is none of its choices'],
])("'Prevent Duplicates' %p is rejected", async (preventDuplicates, message) => {
	expect(await expectError(() => read({ preventDuplicates }))).toEqual({
		message: `'Prevent Duplicates' ${message}`,
		description: 'Choose automatic, custom or none',
	});
});

test('the mode Custom needs a key', async () => {
	const { message } = await expectError(() => read({ preventDuplicates: 'key' }));
	expect(message).toBe("'Idempotency Key' is empty");
});
