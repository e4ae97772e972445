import { typeLabel } from '../../../nodes/Prospector/messages/userMessage';

test.each([
	[undefined, 'nothing'],
	[null, 'nothing'],
	[[], 'a list'],
	[{}, 'an object'],
	['x', 'text'],
	[1, 'a number'],
	[true, 'a boolean'],
])('%j is named in a message as %s', (value, label) => expect(typeLabel(value)).toBe(label));
