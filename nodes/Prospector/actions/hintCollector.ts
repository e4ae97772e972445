import type { NodeExecutionHint } from 'n8n-workflow';
import {
	changedListsHint,
	type ExistingResource,
	existingHint,
	missingKeysHint,
	otherNamesHint,
	partialHint,
	repeatedKeysHint,
	retriesHint,
	throttlingHint,
	truncatedListsHint,
	unfinishedHint,
	unknownFieldsHint,
	withoutResultsHint,
} from '../messages/hintMessages';
import { redactAndTruncate, redactorFor } from '../messages/redact';
import { RequestStats } from '../transport/retry/requestStats';

/** Collects over all input items of a node execution, so that each hint appears once. */
export class HintCollector {
	readonly stats = new RequestStats();
	truncatedLists = 0;
	changedLists = 0;
	/** Number of items that were sent without an idempotency key, because n8n names no execution. */
	missingKeys = 0;
	/** Statuses of runs that ended without results although results were requested, by ID; '' without a status. */
	readonly withoutResults = new Map<string, string>();
	/** Statuses of runs that had not finished when their results were read, by ID. */
	readonly unfinished = new Map<string, string>();
	/** Statuses of finished runs that may have found only a part, by ID. */
	readonly partial = new Map<string, string>();
	/** Resources that a start or creation returned although they are older, by ID. */
	readonly existing = new Map<string, ExistingResource>();
	/** The name that was sent for a Prospector workflow, and a different one that the service returned. */
	otherNames?: { sent: string; received: string };
	/** Number of items for each idempotency key that the user entered. */
	readonly userKeys = new Map<string, number>();
	/** Names in *Fields to Return* that no output of the first input item has, and those that exist. */
	unknownFields?: { names: string[]; known: string[] };
}

/** Shorter throttling is not mentioned. */
const MIN_REPORTED_MS = 1000;
const MAX_HINT_LENGTH = 2000;

/** Returns at most one hint of each kind. @param context the n8n context of the execution */
export function buildHints(collector: HintCollector, context: object): NodeExecutionHint[] {
	const { unknownFields, missingKeys, truncatedLists, changedLists, otherNames, stats } = collector;
	const isThrottled = stats.throttled > 0 && stats.throttledMs >= MIN_REPORTED_MS;
	const entries: Array<[type: 'info' | 'warning', message: string | false | undefined]> = [
		['warning', unknownFields && unknownFieldsHint(unknownFields)],
		['warning', missingKeys > 0 && missingKeysHint(missingKeys)],
		['warning', unfinishedHint([...collector.unfinished])],
		['warning', repeatedKeysHint([...collector.userKeys].filter(([, items]) => items > 1))],
		['warning', existingHint([...collector.existing])],
		['warning', otherNames && otherNamesHint(otherNames)],
		['warning', partialHint([...collector.partial])],
		['warning', changedLists > 0 && changedListsHint(changedLists)],
		['info', withoutResultsHint([...collector.withoutResults])],
		['info', truncatedLists > 0 && truncatedListsHint(truncatedLists)],
		['info', stats.retried > 0 && retriesHint(stats)],
		['info', isThrottled && throttlingHint(stats)],
	];
	const redact = redactorFor(context);
	return entries.flatMap(([type, message]) => {
		if (!message) return [];
		// n8n renders hints as HTML, and some contain text of the service.
		const text = redactAndTruncate(message.replace(/[<>]/g, ''), redact, MAX_HINT_LENGTH);
		return [{ message: text, type, location: 'outputPane' }];
	});
}
