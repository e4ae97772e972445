import type { FaultRule } from '../../sandbox/types';

/** Of all replies, how many suffer. */
export const FAULT_SHARE = 0.3;

/** Real milliseconds. */
const SLOW = 150;

type When = 'before' | 'after';
const WHENS: When[] = ['before', 'after'];
const both = (rule: FaultRule) => WHENS.map((when): FaultRule => ({ ...rule, when }));

/**
 * Every kind of fault, before and after the service has done its work, in parts of all faults. Wherever a reply has a
 * text, it quotes the API key, as no service should.
 */
function parts(apiKey: string): Array<[parts: number, rules: FaultRule[]]> {
	const body = { error: { message: `Trouble with Bearer ${apiKey}` } };
	const statuses = (status: number) => [
		{ kind: 'status', status } as const,
		{ kind: 'status', status, body, headers: { 'retry-after': '2' } } as const,
	];
	return [
		[8, [...both({ kind: 'drop' }), ...both({ kind: 'reset' })]],
		[8.7, [500, 502, 503, 504].flatMap(statuses).flatMap(both)],
		// Only before: a service that says it was asked too often has not done what it was asked. And few: to the node,
		// each tells of a limit that is lower than it is.
		[0.3, statuses(429)],
		[3, [{ kind: 'cutBody' }]],
		[2, both({ kind: 'notJson', body: `<!doctype html><title>${apiKey}</title>` })],
		[2, both({ kind: 'notEnvelope', body: { ok: true, key: apiKey } })],
		[2.5, both({ kind: 'slow', delayMs: SLOW })],
		[1.5, both({ kind: 'hang' })],
		[2, both({ kind: 'redirect', location: `https://elsewhere.example/?key=${apiKey}` })],
	];
}

/**
 * The rules by which replies go wrong. A rule rolls only for what the rules before it have spared, so the later it
 * comes, the higher its probability.
 *
 * @param apiKey quoted in replies
 */
export function faultRules(apiKey: string): FaultRule[] {
	const mix = parts(apiKey);
	const whole = mix.reduce((sum, [part]) => sum + part, 0);
	let spared = 1;
	return mix.flatMap(([part, rules]) =>
		rules.map((rule): FaultRule => {
			const share = (FAULT_SHARE * part) / whole / rules.length;
			const probability = share / spared;
			spared -= share;
			return { ...rule, times: 0, probability };
		}),
	);
}
