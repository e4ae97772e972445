import { parseExactNumber, requireExactNumber } from '../../../nodes/Prospector/parameters/exactJson';
import { expectError } from '../helpers/support';

test.each([
	['0.00', 0],
	['000123456789012345', 123456789012345],
	[' 0.1234567890123456', 0.1234567890123456],
	['9007199254740991', 9007199254740991],
	['0'.repeat(1000), 0],
	['0'.repeat(1001), undefined],
	['0x10', undefined],
	['Infinity', undefined],
])('parseExactNumber returns for the text %j the number %j', (text, expected) => {
	expect(parseExactNumber(text, 'A')).toBe(expected);
});

test.each(['9007199254740993', '0.12345678901234567', '1e-400', '1e400', '1.0000000000000000'])(
	'parseExactNumber rejects %s, whose digits would change',
	async (text) => {
		expect(await expectError(() => parseExactNumber(text, 'A'))).toEqual({
			message: "'A' has a number that n8n can't send without changing it",
			description: "Use the type String, or set 'Enter Values' to Using JSON",
		});
	},
);

test.each([
	[9007199254740992, "'A' has a number that n8n can't send without changing it", 'Enter it as text'],
	[Infinity, "'A' is not a number that can be sent (Infinity)", 'Check the expression'],
	[NaN, "'A' is not a number that can be sent (NaN)", 'Check the expression'],
])('requireExactNumber rejects %d with the message "%s"', async (value, message, description) => {
	expect(await expectError(() => requireExactNumber(value, 'A'))).toEqual({ message, description });
	expect(requireExactNumber(1.5, 'A')).toBe(1.5);
});
