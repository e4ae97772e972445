import {
	checkIdempotencyKey,
	deriveIdempotencyKey,
	type WriteIdentity,
} from '../../../../nodes/Prospector/transport/request/idempotencyKey';
import { expectInvalid } from '../../helpers/support';

const IDENTITY: WriteIdentity = {
	instanceId: 'instance-1',
	workflowId: 'wf-n8n',
	execution: 'exec-1',
	nodeId: 'node-1',
	operation: 'run',
	path: '/api/public/v1/prospector/workflows/wf_1/run',
	runIndex: 0,
	itemIndex: 0,
};

describe('a derived idempotency key', () => {
	test('is the one that was ever derived for this identity, so retries match across versions', () => {
		expect(deriveIdempotencyKey(IDENTITY)).toBe('n8n-5e60d529a5b60c9a8b5b337c25090010');
	});

	test('is the same for the same identity, in whatever order its parts are given', () => {
		const reversed = Object.fromEntries(Object.entries(IDENTITY).reverse()) as unknown as WriteIdentity;
		expect(deriveIdempotencyKey(reversed)).toBe(deriveIdempotencyKey(IDENTITY));
	});

	test.each<[keyof WriteIdentity, string | number]>([
		['instanceId', 'instance-2'],
		['workflowId', 'wf-other'],
		['execution', 'exec-2'],
		['nodeId', 'node-2'],
		['operation', 'create'],
		['path', '/api/public/v1/prospector/workflows/wf_2/run'],
		['runIndex', 1],
		['itemIndex', 1],
	])('is another one when %s changes', (part, value) => {
		expect(deriveIdempotencyKey({ ...IDENTITY, [part]: value })).not.toBe(deriveIdempotencyKey(IDENTITY));
	});

	test.each<[string, Partial<WriteIdentity>, Partial<WriteIdentity>]>([
		['two texts', { instanceId: 'a', workflowId: 'bc' }, { instanceId: 'ab', workflowId: 'c' }],
		['two numbers', { runIndex: 1, itemIndex: 11 }, { runIndex: 11, itemIndex: 1 }],
		['quotation marks', { instanceId: 'a","b', workflowId: '' }, { instanceId: 'a', workflowId: 'b' }],
	])('keeps %s apart', (_, one, other) => {
		const keys = [one, other].map((parts) => deriveIdempotencyKey({ ...IDENTITY, ...parts }));
		expect(keys[0]).not.toBe(keys[1]);
	});

	test.each([
		['an ordinary identity', IDENTITY],
		['texts in any alphabet', { ...IDENTITY, execution: '実行😀', path: '\u0000' }],
		['a path of any length', { ...IDENTITY, path: '/x'.repeat(5000) }],
	])('of %s is printable ASCII and fits into a header', (_, identity) => {
		const key = deriveIdempotencyKey(identity);
		expect(key).toMatch(/^n8n-[0-9a-f]{32}$/);
		expect(key.length).toBeLessThanOrEqual(255);
	});
});

describe('a custom idempotency key', () => {
	test.each([
		['daily-2025-03-01', 'daily-2025-03-01'],
		['  padded  ', 'padded'],
		['with a space', 'with a space'],
		['x'.repeat(255), 'x'.repeat(255)],
		[` ${'x'.repeat(255)} `, 'x'.repeat(255)],
		[20250301, '20250301'],
		[0, '0'],
		['~!"', '~!"'],
	])('%j goes out as %s', (key, expected) => {
		expect(checkIdempotencyKey(key)).toEqual({ value: expected });
	});

	test.each([
		['', 'is empty'],
		[' \n', 'is empty'],
		['x'.repeat(256), 'has 256 characters'],
		['a\nb', 'line breaks'],
		['a\tb', 'line breaks'],
		['schlüssel', 'outside ASCII'],
		['a\u0000', 'line breaks'],
		['a\u007f', 'line breaks'],
		[undefined, 'not text'],
		[null, 'not text'],
		[true, 'not text'],
		[{ key: 'a' }, 'not text'],
		[['a'], 'not text'],
	])('%j is explained: %s', (key, words) => {
		const { message, description } = expectInvalid(checkIdempotencyKey(key));
		expect(message).toContain("'Idempotency Key'");
		expect(message).toContain(words);
		expect(description).toContain('1 to 255 printable ASCII characters');
	});

	test.each([Number.NaN, Infinity, -Infinity])(
		'%p is refused, as a calculation that went wrong would give every item the same key',
		(key) => expect(expectInvalid(checkIdempotencyKey(key)).message).toContain("'Idempotency Key'"),
	);
});
