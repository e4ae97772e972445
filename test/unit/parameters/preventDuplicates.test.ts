import { preventDuplicates as parameter } from '../../../nodes/Prospector/parameters/preventDuplicates';
import { expectError, readParameter, rowsOf } from '../helpers/support';

const read = (options: object) => readParameter(parameter, { options });

test.each([...rowsOf(['', null, undefined, 'execution'], 'execution'), ['off', 'off']])(
	"the value %j of 'Prevent Duplicates' selects the mode %j, which only notes whether 'Idempotency Key' is set",
	(mode, expected) => {
		for (const idempotencyKey of [undefined, '', 'k', { not: 'text' }]) {
			const hasUnusedKey = Boolean(idempotencyKey);
			expect(read({ preventDuplicates: mode, idempotencyKey })).toEqual({ mode: expected, hasUnusedKey });
		}
	},
);

test.each<[unknown, string]>([
	...['none', 'Off', 'off ', '__proto__'].map((text): [string, string] => [text, `has no option '${text}'`]),
	[5, 'got a number'],
	[{ mode: 'off' }, 'got an object'],
])("'Prevent Duplicates' rejects the value %j because no option has this value", async (mode, event) => {
	expect(await expectError(() => read({ preventDuplicates: mode, idempotencyKey: 'k' }))).toEqual({
		message: `'Prevent Duplicates' ${event}`,
		description: 'Use off, execution or key',
	});
});

test.each<[unknown, string]>([
	...rowsOf([' k ', '\u00a0k\n'], 'k'),
	['~ !', '~ !'],
	[` ${'x'.repeat(255)} `, 'x'.repeat(255)],
	[0, '0'],
	[-1.5, '-1.5'],
])(
	"the node turns the idempotency key %p into %j if 'Prevent Duplicates' is Once per Key",
	(idempotencyKey, key) => {
		expect(read({ preventDuplicates: 'key', idempotencyKey })).toEqual({ mode: 'key', key });
	},
);

const USE_VALUE = 'Use a value inside it, e.g. {{ $json.id }}';
test.each<[string, string, unknown[]]>([
	[
		'is empty',
		"Under Options, enter text that names the job, such as the day: {{ $json.timestamp.slice(0, 10) }} after a Schedule Trigger. Or set 'Prevent Duplicates' to Once per Execution",
		['', ' \n', null, undefined],
	],
	['got an object', USE_VALUE, [{ key: 'k' }, 'day-[object Object]', '[object Promise]']],
	['got a list', USE_VALUE, [['k']]],
	['got a boolean', USE_VALUE, [true, false]],
	[
		'has an expression that n8n does not evaluate',
		'Switch the field from Fixed to Expression. In JSON, begin it with =, e.g. ={{ $json.id }}',
		['daily-{{ $json.day }}', '{{$now}}'],
	],
	["has a number that n8n can't send without changing it", 'Enter it as text', [2 ** 53]],
	['got a symbol', USE_VALUE, [Symbol('k')]],
	[
		'has line breaks or special characters, or is too long',
		'Use at most 255 plain letters, digits and punctuation marks',
		[` ${'k'.repeat(256)} `, 'k\r\nX: 1', 'a\tb', 'a\u0000', 'a\u007f', 'k😀', 'k\u202e', 'schlüssel'],
	],
])("the node rejects an idempotency key because 'Idempotency Key' %s", async (event, description, keys) => {
	for (const idempotencyKey of keys) {
		expect(await expectError(() => read({ preventDuplicates: 'key', idempotencyKey }))).toEqual({
			message: `'Idempotency Key' ${event}`,
			description,
		});
	}
});
