import { FAULT_SHARE, faultRules } from './faultMix';

const rules = faultRules('secret');
const BOTH = ['after', 'before'];

test('applies to the planned share of requests in total, and each rule to some', () => {
	let remaining = 1;
	for (const { probability = 1 } of rules) {
		expect(remaining * probability).toBeGreaterThan(0.001);
		remaining -= remaining * probability;
	}
	expect(1 - remaining).toBeCloseTo(FAULT_SHARE, 10);
});

test('contains every kind of fault, before and after the operation; 429 only before', () => {
	const variants: Record<string, unknown[]> = {};
	for (const { kind, status, when = 'default', headers } of rules) {
		const name = [kind, status, headers && 'retry-after'].filter(Boolean).join(' ');
		variants[name] = [...(variants[name] ?? []), when].sort();
	}
	const statuses = [500, 502, 503, 504].flatMap((status) => [
		[`status ${status}`, BOTH],
		[`status ${status} retry-after`, BOTH],
	]);
	const kinds = ['drop', 'reset', 'notJson', 'notEnvelope', 'slow', 'hang', 'redirect'];
	expect(variants).toEqual({
		...Object.fromEntries([...statuses, ...kinds.map((kind) => [kind, BOTH])]),
		'status 429': ['default'],
		'status 429 retry-after': ['default'],
		cutBody: ['default'],
	});
});

test('quotes the key in every response that has a text', () => {
	const quoting = rules.filter((rule) => JSON.stringify(rule).includes('secret')).map(({ kind }) => kind);
	expect(new Set(quoting)).toEqual(new Set(['status', 'notJson', 'notEnvelope', 'redirect']));
});
