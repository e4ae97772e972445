import { isProblem } from '../../nodes/Prospector/transport/checked';
import { kindOf } from '../../nodes/Prospector/transport/values';

test.each([
	[undefined, 'nothing'],
	[null, 'nothing'],
	['a', 'text'],
	['', 'text'],
	[0, 'a number'],
	[false, 'a boolean'],
	[[], 'a list'],
	[{}, 'an object'],
])('%j is called %s', (value, words) => expect(kindOf(value)).toBe(words));

test('a check that passed is no problem, whatever its value is', () => {
	expect(isProblem({ value: undefined })).toBe(false);
	expect(isProblem({ value: { message: 'a' } })).toBe(false);
	expect(isProblem({ message: 'a', description: 'b' })).toBe(true);
});
