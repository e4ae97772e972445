import { isInvalid } from '../../../nodes/Prospector/messages/userMessage';
import { typeLabel } from '../../../nodes/Prospector/transport/values';

test.each([
	[undefined, 'nothing'],
	[null, 'nothing'],
	['a', 'text'],
	['', 'text'],
	[0, 'a number'],
	[false, 'a boolean'],
	[[], 'a list'],
	[{}, 'an object'],
])('%j is called %s', (value, words) => expect(typeLabel(value)).toBe(words));

test('a check that passed is no problem, whatever its value is', () => {
	expect(isInvalid({ value: undefined })).toBe(false);
	expect(isInvalid({ value: { message: 'a' } })).toBe(false);
	expect(isInvalid({ message: 'a', description: 'b' })).toBe(true);
});
