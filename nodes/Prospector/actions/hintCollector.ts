// Collects the hints of one node execution. Operations add them, and the router passes them to n8n at the end, each
// kind once. Tests: test/unit/messages/hintMessages.test.ts.
import type { NodeExecutionHint } from 'n8n-workflow';
import { hintTexts, INFO_HINTS } from '../messages/hintMessages';
import { redactAndTruncate, type Redactor } from '../messages/redact';
import { RequestStats } from '../transport/retry/requestStats';

type HintTexts = typeof hintTexts;
type HintKind = keyof HintTexts;

/** What a hint of this kind says about one ID; true if it says the same about all. */
type HintDetail<Kind extends HintKind> =
	Parameters<HintTexts[Kind]> extends [Map<string, infer Detail>] ? Detail : true;

/** Shorter throttling is not mentioned. */
const MIN_REPORTED_THROTTLING_MS = 1000;
const MAX_HINT_LENGTH = 2000;

/** Collects over all input items of a node execution, so that each kind of hint appears once. */
export class HintCollector {
	readonly stats = new RequestStats();
	private readonly details = new Map<string, Map<string, unknown>>();

	/**
	 * @param id of the resource or item that the hint is about; '' for the whole node
	 * @returns whether it is the first of this kind
	 */
	add<Kind extends HintKind>(kind: Kind, id: string, detail: HintDetail<Kind>): boolean {
		const knownDetails = this.details.get(kind);
		this.details.set(kind, (knownDetails ?? new Map<string, unknown>()).set(id, detail));
		return knownDetails === undefined;
	}

	/** Returns the hints for n8n. */
	build({ redact }: Redactor): NodeExecutionHint[] {
		const { retriedCount, throttledMs, textNumberFields } = this.stats;
		for (const name of textNumberFields) this.add('textNumbers', name, true);
		if (retriedCount > 0) this.add('retries', '', retriedCount);
		if (throttledMs >= MIN_REPORTED_THROTTLING_MS) this.add('throttling', '', throttledMs);
		return Object.entries<(details: never) => string>(hintTexts).flatMap(([kind, toText]) => {
			const details = this.details.get(kind);
			const message = details === undefined ? '' : toText(details as never);
			if (message === '') return [];
			// n8n renders hints as HTML (n8n-behaviour.md#hints), and some contain text of the service.
			const text = redactAndTruncate(message.replace(/[<>]/g, ''), redact, MAX_HINT_LENGTH);
			const type = INFO_HINTS.includes(kind) ? 'info' : 'warning';
			return [{ message: text, type, location: 'outputPane' } as const];
		});
	}
}
