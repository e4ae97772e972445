import type { NodeExecutionHint } from 'n8n-workflow';
import {
	CHANGED_LIST_HINT,
	changingResultsHint,
	deletedEarlierHint,
	KEPT_OLD_VALUES_HINT,
	resultOfOtherRunHint,
	UNUSED_KEY_HINT,
	type ExistingResource,
	existingResourcesHint,
	MISSING_IDEMPOTENCY_KEY_HINT,
	NO_FIELDS_HINT,
	wrongNameHint,
	partialRunsHint,
	repeatedKeysHint,
	retriesHint,
	throttlingHint,
	TRUNCATED_LIST_HINT,
	unfinishedRunsHint,
	unknownFieldsHint,
	runsWithoutResultsHint,
} from '../messages/hintMessages';
import { redactAndTruncate, redactorFor } from '../messages/redact';
import { RequestStats } from '../transport/retry/requestStats';

/** Collects over all input items of a node execution, so that each hint appears once. */
export class HintCollector {
	readonly stats = new RequestStats();
	isListTruncated = false;
	hasListChanged = false;
	/** Whether Create or Update had no fields to send. */
	hasEmptyBody = false;
	/** Whether a write was sent without an idempotency key, because n8n names no execution. */
	isIdempotencyKeyMissing = false;
	/** Statuses of runs that ended without results although results were requested, by ID; '' without a status. */
	readonly runsWithoutResults = new Map<string, string>();
	/** Statuses of runs that had not finished when their results were read, by ID. */
	readonly unfinishedRuns = new Map<string, string>();
	/** Statuses of finished runs that may have found only a part, by ID. */
	readonly partialRuns = new Map<string, string>();
	/** Resources that a start or creation returned although they are older, by ID. */
	readonly existingResources = new Map<string, ExistingResource>();
	/** The name that was sent for a Prospector workflow, and a different one that the service returned. */
	wrongName?: { sentName: string; receivedName: string };
	/** Whether a Prospector workflow was created before with other values, and not created again. */
	hasKeptOldValues = false;
	/** IDs of Prospector workflows that were missing when their deletion was repeated. */
	readonly deletedEarlier = new Set<string>();
	/** Whether the user entered an idempotency key that is not used. */
	hasUnusedKey = false;
	/** Statuses of runs whose results differed between the last two reads, by ID. */
	readonly runsWithChangingResults = new Map<string, string>();
	/** The run that was asked for, and the one that a result names. */
	resultOfOtherRun?: { runId: string; namedRunId: string };
	/** Number of items for each idempotency key that the user entered. */
	readonly itemCountByUserKey = new Map<string, number>();
	/** Names in *Fields to Return* that no output of the first input item has, and those that exist. */
	unknownFields?: { names: string[]; knownNames: string[] };
}

/** Shorter throttling is not mentioned. */
const MIN_REPORTED_THROTTLING_MS = 1000;
const MAX_HINT_LENGTH = 2000;

/** Returns at most one hint of each kind. @param context the n8n context of the execution */
export function buildHints(hints: HintCollector, context: object): NodeExecutionHint[] {
	const { unknownFields, wrongName, stats } = hints;
	const isThrottled = stats.throttledMs >= MIN_REPORTED_THROTTLING_MS;
	const possibleHints: Array<[type: 'info' | 'warning', message: string | false | undefined]> = [
		['warning', unknownFields && unknownFieldsHint(unknownFields)],
		['warning', hints.isIdempotencyKeyMissing && MISSING_IDEMPOTENCY_KEY_HINT],
		['warning', unfinishedRunsHint(hints.unfinishedRuns)],
		['warning', repeatedKeysHint(hints.itemCountByUserKey)],
		['warning', existingResourcesHint(hints.existingResources)],
		['warning', wrongName && wrongNameHint(wrongName)],
		['warning', hints.hasKeptOldValues && KEPT_OLD_VALUES_HINT],
		['warning', deletedEarlierHint(hints.deletedEarlier)],
		['warning', hints.hasUnusedKey && UNUSED_KEY_HINT],
		['warning', hints.resultOfOtherRun && resultOfOtherRunHint(hints.resultOfOtherRun)],
		['warning', changingResultsHint(hints.runsWithChangingResults)],
		['warning', partialRunsHint(hints.partialRuns)],
		['warning', hints.hasListChanged && CHANGED_LIST_HINT],
		['info', runsWithoutResultsHint(hints.runsWithoutResults)],
		['warning', hints.hasEmptyBody && NO_FIELDS_HINT],
		['info', hints.isListTruncated && TRUNCATED_LIST_HINT],
		['info', stats.retriedCount > 0 && retriesHint(stats)],
		['info', isThrottled && throttlingHint(stats)],
	];
	const redact = redactorFor(context);
	return possibleHints.flatMap(([type, message]) => {
		if (!message) return [];
		// n8n renders hints as HTML, and some contain text of the service.
		const text = redactAndTruncate(message.replace(/[<>]/g, ''), redact, MAX_HINT_LENGTH);
		return [{ message: text, type, location: 'outputPane' }];
	});
}
