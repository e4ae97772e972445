import { ControlError } from './errors';
import { digest } from './ids';
import { OPERATIONS } from './operations';
import type { SandboxSettings } from './settings';
import type { FaultKind, FaultMatch, FaultRule, FaultView } from './types';
import { isObject } from './values';

export interface FaultTarget {
	method: string;
	path: string;
	keyName: string | null;
	operation: string | null;
	/** Tells requests of one method and path apart to the dice of `probability`. */
	idempotencyKey: string | null;
}

const KINDS: readonly FaultKind[] = [
	'drop',
	'reset',
	'status',
	'cutBody',
	'notJson',
	'notEnvelope',
	'slow',
	'hang',
	'redirect',
];
const MATCH_FIELDS = ['method', 'path', 'pathRegex', 'keyName', 'operation'];
const RULE_FIELDS = [
	...['id', 'match', 'kind', 'times', 'skip', 'probability', 'when'],
	...['status', 'headers', 'body', 'delayMs', 'location'],
];

interface Entry {
	view: FaultView;
	limit: number;
	roll: (target: FaultTarget) => number;
}

/** The rules by which requests go wrong on demand. */
export class FaultBook {
	private entries: Entry[] = [];
	private count = 0;

	constructor(private readonly settings: SandboxSettings) {}

	/** @throws ControlError 400 on a rule that could not work */
	add(rule: FaultRule): FaultView {
		check(rule);
		const number = ++this.count;
		const id = rule.id ?? `fault_${number}`;
		if (this.entries.some((entry) => entry.view.id === id)) {
			throw new ControlError(400, `There is a fault rule "${id}" already.`);
		}
		const limit = rule.times === 0 ? Infinity : (rule.times ?? 1);
		const when = rule.kind === 'cutBody' ? 'after' : (rule.when ?? 'before');
		const given = { ...rule, id, when, match: { ...rule.match }, times: Number.isFinite(limit) ? limit : 0 };
		const view: FaultView = { ...given, matched: 0, fired: 0, spent: false };
		this.entries.push({ view, limit, roll: rollsOf(this.settings.faultSeed, number) });
		return { ...view };
	}

	list(): FaultView[] {
		return this.entries.map((entry) => ({ ...entry.view }));
	}

	/** All rules, or one. @throws ControlError 404 on an unknown id */
	clear(id?: string): number {
		const kept = id === undefined ? [] : this.entries.filter((entry) => entry.view.id !== id);
		const gone = this.entries.length - kept.length;
		if (id !== undefined && gone === 0) throw new ControlError(404, `There is no fault rule "${id}".`);
		this.entries = kept;
		return gone;
	}

	/**
	 * The first rule, in order of adding, that strikes this request. Every fitting rule up to it counts it, and rolls
	 * for it where it has a `probability`. What is rolled does not depend on other requests in between.
	 */
	strike(target: FaultTarget): FaultView | undefined {
		for (const { view, limit, roll } of this.entries) {
			if (view.spent || !fits(view.match, target)) continue;
			view.matched++;
			const rolled = view.probability === undefined ? 0 : roll(target);
			if (view.matched <= (view.skip ?? 0)) continue;
			if (view.probability !== undefined && rolled >= view.probability) continue;
			view.fired++;
			view.spent = view.fired >= limit;
			return { ...view };
		}
		return undefined;
	}
}

/**
 * The dice of one rule: numbers in [0, 1), one per request that fits. Each follows from the seed, the number of the
 * rule, what the request is (method, path and Idempotency-Key) and how often the rule has met just that before. So
 * requests side by side meet the same faults in whatever order they arrive, and other rules coming and going change
 * nothing.
 */
function rollsOf(seed: number, number: number): (target: FaultTarget) => number {
	const met = new Map<string, number>();
	return ({ method, path, idempotencyKey }) => {
		// JSON keeps the parts apart.
		const identity = JSON.stringify([method, path, idempotencyKey]);
		const before = met.get(identity) ?? 0;
		met.set(identity, before + 1);
		return parseInt(digest(`${seed}:${number}:${before}:${identity}`, 13), 16) / 2 ** 52;
	};
}

function fits(match: FaultMatch, target: FaultTarget): boolean {
	return (
		(match.method === undefined || match.method.toUpperCase() === target.method) &&
		(match.path === undefined || target.path.includes(match.path)) &&
		(match.pathRegex === undefined || new RegExp(match.pathRegex).test(target.path)) &&
		(match.keyName === undefined || match.keyName === target.keyName) &&
		(match.operation === undefined || match.operation === target.operation)
	);
}

function check(rule: FaultRule): void {
	const demand = (condition: boolean, message: string) => {
		if (!condition) throw new ControlError(400, message);
	};
	const known = (object: object, fields: string[], what: string) => {
		const stray = Object.keys(object).find((field) => !fields.includes(field));
		demand(stray === undefined, `Unknown ${what} "${stray}". There are: ${fields.join(', ')}.`);
	};
	const whole = (value: unknown) => value === undefined || (Number.isInteger(value) && Number(value) >= 0);
	const within = (value: unknown, low: number, high: number) =>
		typeof value === 'number' && value >= low && value <= high;

	known(rule, RULE_FIELDS, 'field of a fault rule');
	demand(KINDS.includes(rule.kind), `"kind" must be one of: ${KINDS.join(', ')}.`);
	demand(rule.id === undefined || typeof rule.id === 'string', '"id" must be a string.');
	demand(whole(rule.times) || rule.times === Infinity, '"times" must be a whole number; 0 is without end.');
	demand(whole(rule.skip), '"skip" must be a whole number.');
	demand(rule.probability === undefined || within(rule.probability, 0, 1), '"probability" goes from 0 to 1.');
	demand([undefined, 'before', 'after'].includes(rule.when), '"when" must be "before" or "after".');
	demand(rule.kind !== 'status' || within(rule.status, 200, 599), '"status" must be from 200 to 599.');
	demand(rule.kind !== 'slow' || within(rule.delayMs, 0, 3_600_000), '"delayMs" must be a number of ms.');
	if (rule.kind === 'redirect') {
		demand(typeof rule.location === 'string', '"location" must say where to redirect to.');
		demand([undefined, 301, 302, 303, 307, 308].includes(rule.status), '"status" must be a redirect.');
	}
	demand(rule.headers === undefined || isObject(rule.headers), '"headers" must be an object.');
	if (rule.match === undefined) return;
	demand(isObject(rule.match), '"match" must be an object.');
	known(rule.match, MATCH_FIELDS, 'field of "match"');
	const strings = Object.values(rule.match).every(
		(value) => value === undefined || typeof value === 'string',
	);
	demand(strings, 'The fields of "match" must be strings.');
	const names = OPERATIONS.map((operation) => operation.name);
	const { operation, pathRegex } = rule.match;
	demand(operation === undefined || names.includes(operation), `"operation" is one of: ${names.join(', ')}.`);
	try {
		new RegExp(pathRegex ?? '');
	} catch {
		demand(false, '"pathRegex" is no regular expression.');
	}
}
