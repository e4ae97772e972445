import type { FaultRule } from '../../sandbox/types';
import { FAULT_SHARE, faultRules } from './faultMix';

const rules = faultRules('secret');

/** How often each rule strikes of all requests: what the rules before it have spared, times its probability. */
function shares(): number[] {
	let spared = 1;
	return rules.map(({ probability = 1 }) => {
		const share = spared * probability;
		spared -= share;
		return share;
	});
}

test('together they strike as many replies as they are meant to', () => {
	expect(shares().reduce((sum, share) => sum + share, 0)).toBeCloseTo(FAULT_SHARE, 10);
	expect(Math.min(...shares())).toBeGreaterThan(0.001);
});

const has = (part: Partial<FaultRule>) =>
	rules.some((rule) =>
		Object.entries(part).every(([name, value]) => rule[name as keyof FaultRule] === value),
	);

const WHENS = ['before', 'after'] as const;

test.each(['drop', 'reset', 'notJson', 'notEnvelope', 'slow', 'hang', 'redirect'] as const)(
	'%s is among them, before and after the work',
	(kind) => expect(WHENS.map((when) => has({ kind, when }))).toEqual([true, true]),
);

test.each([500, 502, 503, 504])(
	'status %i is, before and after the work, with and without Retry-After',
	(status) => {
		const sorts = rules.filter((rule) => rule.status === status);
		expect(sorts.map(({ when, headers }) => `${when} ${headers?.['retry-after'] ?? '-'}`).sort()).toEqual([
			'after -',
			'after 2',
			'before -',
			'before 2',
		]);
	},
);

test('status 429 is, but never after the work, and an answer cut off is', () => {
	const sorts = rules.filter(({ status }) => status === 429);
	expect(sorts.map(({ when, headers }) => [when ?? 'before', headers?.['retry-after']])).toEqual([
		['before', undefined],
		['before', '2'],
	]);
	expect(has({ kind: 'cutBody' })).toBe(true);
});

test('the key is quoted wherever a reply has a text', () => {
	const quoting = rules.filter((rule) => JSON.stringify(rule).includes('secret')).map(({ kind }) => kind);
	expect(new Set(quoting)).toEqual(new Set(['status', 'notJson', 'notEnvelope', 'redirect']));
});
