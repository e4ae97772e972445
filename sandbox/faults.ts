import { ControlError } from './errors';
import { AFTER_ONLY, checkRule } from './faultCheck';
import { digest } from './ids';
import { compilePathRegex } from './pathRegex';
import type { SandboxSettings } from './settings';
import type { FaultMatch, FaultRule, FaultView } from './types';

export interface FaultTarget {
	method: string;
	path: string;
	keyName: string | null;
	operation: string | null;
	/** Tells requests of one method and path apart to the dice of `probability`. */
	idempotencyKey: string | null;
}

const DEFAULT_TRICKLE_MS = 1000;

interface Entry {
	view: FaultView;
	limit: number;
	fits: (target: FaultTarget) => boolean;
	roll: (target: FaultTarget) => number;
}

/** The rules by which requests go wrong on demand. */
export class FaultRules {
	private entries: Entry[] = [];
	private count = 0;

	constructor(private readonly settings: SandboxSettings) {}

	/** @throws ControlError 400 on a rule that could not work */
	add(rule: FaultRule): FaultView {
		checkRule(rule);
		const fits = matcherOf(rule.match ?? {});
		const number = ++this.count;
		const id = rule.id ?? `fault_${number}`;
		if (this.entries.some((entry) => entry.view.id === id)) {
			throw new ControlError(400, `There is a fault rule "${id}" already.`);
		}
		const limit = rule.times === 0 ? Infinity : (rule.times ?? 1);
		const when = AFTER_ONLY.includes(rule.kind) ? 'after' : (rule.when ?? 'before');
		const given = { ...rule, id, when, match: { ...rule.match }, times: Number.isFinite(limit) ? limit : 0 };
		if (rule.kind === 'trickle') given.delayMs ??= DEFAULT_TRICKLE_MS;
		const view: FaultView = { ...given, matched: 0, fired: 0, spent: false };
		this.entries.push({ view, limit, fits, roll: rollsOf(this.settings.faultSeed, number) });
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
	match(target: FaultTarget): FaultView | undefined {
		for (const { view, limit, fits, roll } of this.entries) {
			if (view.spent || !fits(target)) continue;
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

function matcherOf(match: FaultMatch): (target: FaultTarget) => boolean {
	const { path, keyName, operation } = match;
	const method = match.method?.toUpperCase();
	const pathRegex = match.pathRegex === undefined ? undefined : compilePathRegex(match.pathRegex);
	return (target) =>
		(method === undefined || method === target.method) &&
		(path === undefined || target.path.includes(path)) &&
		(pathRegex === undefined || pathRegex.test(target.path)) &&
		(keyName === undefined || keyName === target.keyName) &&
		(operation === undefined || operation === target.operation);
}
