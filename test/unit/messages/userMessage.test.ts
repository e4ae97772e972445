import {
	formatDuration,
	joinSentences,
	pluralize,
	typeLabel,
} from '../../../nodes/Prospector/messages/userMessage';

test.each([
	[undefined, 'nothing'],
	[null, 'nothing'],
	[[], 'a list'],
	[{}, 'an object'],
	['x', 'text'],
	[1, 'a number'],
	[true, 'a boolean'],
])('%j is named in a message as %s', (value, label) => expect(typeLabel(value)).toBe(label));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
test.each([
	[0, '0 s'],
	[-5000, '0 s'],
	[1, '1 s'],
	[1000, '1 s'],
	[1001, '2 s'],
	[59_000, '59 s'],
	[59_001, '1 min'],
	[MINUTE, '1 min'],
	[MINUTE + 1, '1 min 1 s'],
	[90_000, '1 min 30 s'],
	[HOUR - 1, '1 h'],
	[HOUR, '1 h'],
	[HOUR + 1000, '1 h 1 s'],
	[HOUR + MINUTE, '1 h 1 min'],
	[25 * HOUR + 2 * MINUTE + 3000, '25 h 2 min 3 s'],
	[31 * 24 * HOUR, '744 h'],
])('%i ms are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

test.each([
	[0, '0 items'],
	[1, '1 item'],
	[2, '2 items'],
])('pluralize returns for %i: %s', (count, text) => expect(pluralize(count, 'item')).toBe(text));

test('joinSentences leaves out what is missing', () => {
	expect(joinSentences(['One', undefined, false, '', 'Two'])).toBe('One. Two');
	expect(joinSentences([undefined])).toBe('');
});
