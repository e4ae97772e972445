import { checkResourceId } from '../../../nodes/Prospector/model/resourceId';
import { expectInvalid } from '../helpers/support';

describe('an id', () => {
	test.each([
		['wf_1', 'wf_1'],
		[' wf_1\n', 'wf_1'],
		[42, '42'],
		[0, '0'],
		['0', '0'],
		['...', '...'],
		['.hidden', '.hidden'],
		['a/b', 'a/b'],
		['urn:wf:1', 'urn:wf:1'],
		['a b', 'a b'],
		['ключ', 'ключ'],
		['😀', '😀'],
		['x'.repeat(512), 'x'.repeat(512)],
	])('%j is used as %s', (value, expected) => {
		expect(checkResourceId(value, 'Workflow')).toEqual({ value: expected });
	});

	test.each([
		['', 'is empty'],
		['  ', 'is empty'],
		[undefined, 'is empty'],
		[null, 'is empty'],
		['https://app.example.com/workflows/wf_1', 'web address'],
		[' HTTP://app.example.com', 'web address'],
		['.', 'not an ID'],
		['..', 'not an ID'],
		[' .. ', 'not an ID'],
		['a\u0000b', 'not an ID'],
		['a\r\nb', 'not an ID'],
		['a\u0085b', 'not an ID'],
		['\ud83d', 'not an ID'],
		['\ude00x', 'not an ID'],
		['x'.repeat(513), 'too long'],
		[{ id: 'wf_1' }, 'got an object'],
		[['wf_1'], 'got a list'],
		[Number.NaN, 'got a number'],
		[Infinity, 'got a number'],
		[true, 'got a boolean'],
	])('%j is explained: %s', (value, words) => {
		const { message, description } = expectInvalid(checkResourceId(value, 'Workflow'));
		expect(message).toContain("'Workflow'");
		expect(message).toContain(words);
		expect(description).not.toBe('');
	});

	test('that is a number too large to be exact is refused, as it may name something else', () => {
		const { message } = expectInvalid(checkResourceId(Number('9007199254740993'), 'Workflow'));
		expect(message).toContain("'Workflow'");
	});
});
