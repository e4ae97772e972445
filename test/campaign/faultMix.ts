import type { FaultRule } from '../../sandbox/types';

export const FAULT_SHARE = 0.3;

const both = (rule: FaultRule) =>
	(['before', 'after'] as const).map((when): FaultRule => ({ ...rule, when }));

/** Returns every kind of fault with its weight. Each response that has a text quotes the API key. */
function weightedRules(apiKey: string): Array<[weight: number, rules: FaultRule[]]> {
	const body = { error: { message: `Trouble with Bearer ${apiKey}` } };
	const statuses = (status: number) => [
		{ kind: 'status', status } as const,
		{ kind: 'status', status, body, headers: { 'retry-after': '2' } } as const,
	];
	return [
		[8, [...both({ kind: 'drop' }), ...both({ kind: 'reset' })]],
		[8.7, [500, 502, 503, 504].flatMap(statuses).flatMap(both)],
		// Only before: a service does not do what it rejects. Rare, because each lowers the node's estimate of the limit.
		[0.3, statuses(429)],
		[3, [{ kind: 'cutBody' }]],
		[2, both({ kind: 'notJson', body: `<!doctype html><title>${apiKey}</title>` })],
		[2, both({ kind: 'notEnvelope', body: { ok: true, key: apiKey } })],
		[3.5, both({ kind: 'slow', delayMs: 150 })],
		// Rare, because each takes real time until the request times out.
		[0.5, both({ kind: 'hang' })],
		[2, both({ kind: 'redirect', location: `https://elsewhere.example/?key=${apiKey}` })],
	];
}

/** Returns rules that together apply to {@link FAULT_SHARE} of all requests. */
export function faultRules(apiKey: string): FaultRule[] {
	const weighted = weightedRules(apiKey);
	const total = weighted.reduce((sum, [weight]) => sum + weight, 0);
	// A rule only sees the requests that no earlier rule applied to.
	let remaining = 1;
	return weighted.flatMap(([weight, rules]) =>
		rules.map((rule): FaultRule => {
			const share = (FAULT_SHARE * weight) / total / rules.length;
			const probability = share / remaining;
			remaining -= share;
			return { ...rule, times: 0, probability };
		}),
	);
}
