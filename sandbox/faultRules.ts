import { ControlError } from './errors';
import { seededRandom } from './ids';
import type { FaultMatch, FaultRule, FaultView } from './types';
import { AFTER_ONLY, validateFaultRule } from './validateFaultRule';

export interface FaultTarget {
	path: string;
	keyName: string | null;
	operation: string | null;
}

const DEFAULT_TRICKLE_MS = 1000;

interface Entry {
	view: FaultView;
	maxFired: number;
	matches: (target: FaultTarget) => boolean;
	/** Its numbers depend only on the number of the rule. */
	random: () => number;
}

export class FaultRules {
	private entries: Entry[] = [];
	private count = 0;

	/** @throws ControlError 400 on an invalid rule */
	add(rule: FaultRule): FaultView {
		validateFaultRule(rule);
		const matches = createMatcher(rule.match ?? {});
		const number = ++this.count;
		const id = rule.id ?? `fault_${number}`;
		if (this.entries.some((entry) => entry.view.id === id)) {
			throw new ControlError(400, `A fault rule "${id}" already exists.`);
		}
		const maxFired = rule.times === 0 ? Infinity : (rule.times ?? 1);
		const view: FaultView = {
			...rule,
			id,
			when: AFTER_ONLY.includes(rule.kind) ? 'after' : (rule.when ?? 'before'),
			match: { ...rule.match },
			times: Number.isFinite(maxFired) ? maxFired : 0,
			...(rule.kind === 'trickle' && { delayMs: rule.delayMs ?? DEFAULT_TRICKLE_MS }),
			matched: 0,
			fired: 0,
			exhausted: false,
		};
		this.entries.push({ view, maxFired, matches, random: seededRandom(number) });
		return { ...view };
	}

	list(): FaultView[] {
		return this.entries.map((entry) => ({ ...entry.view }));
	}

	/**
	 * Removes all rules, or the one with this ID. Returns the number of removed rules.
	 * @throws ControlError 404 on an unknown ID
	 */
	clear(id?: string): number {
		const kept = id === undefined ? [] : this.entries.filter((entry) => entry.view.id !== id);
		const removed = this.entries.length - kept.length;
		if (id !== undefined && removed === 0) throw new ControlError(404, `There is no fault rule "${id}".`);
		this.entries = kept;
		return removed;
	}

	/**
	 * Returns the first rule, in the order of creation, that fires for a request. All matching rules before it count the
	 * request.
	 */
	match(target: FaultTarget): FaultView | undefined {
		for (const { view, maxFired, matches, random } of this.entries) {
			if (view.exhausted || !matches(target)) continue;
			view.matched++;
			const chance = view.probability === undefined ? 0 : random();
			if (view.matched <= (view.skip ?? 0)) continue;
			if (view.probability !== undefined && chance >= view.probability) continue;
			view.fired++;
			view.exhausted = view.fired >= maxFired;
			return { ...view };
		}
		return undefined;
	}
}

function createMatcher(match: FaultMatch): (target: FaultTarget) => boolean {
	const { path, keyName, operation } = match;
	return (target) =>
		(path === undefined || target.path.includes(path)) &&
		(keyName === undefined || keyName === target.keyName) &&
		(operation === undefined || operation === target.operation);
}
