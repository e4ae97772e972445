import type { NodeExecutionHint } from 'n8n-workflow';
import type { Failure } from '../transport/failure/failure';
import { truncate } from '../transport/failure/redactSecrets';
import { RequestStats } from '../transport/retry/requestStats';
import { formatDuration, pluralize } from './userMessage';

/** Collects over all input items of a node execution, so that each hint appears once. */
export class HintCollector {
	readonly stats = new RequestStats();
	/** Number of lists with more items than the limit. */
	truncatedLists = 0;
	/** Number of items whose idempotency key was not used, because the mode is Automatic. */
	ignoredKeys = 0;
	/** Number of items that were sent without an idempotency key, because n8n names no execution. */
	missingKeys = 0;
	/** Statuses of runs that ended without results although results were requested, by ID; '' without a status. */
	readonly withoutResults = new Map<string, string>();
	/** Statuses of runs that had not finished when their results were read, by ID; '' without a status. */
	readonly unfinished = new Map<string, string>();
	/** Names in *Fields to Return* that no output of the first input item has, and those that exist. */
	unknownFields?: { names: string[]; known: string[] };
}

/** Shorter throttling is not mentioned. */
const MIN_REPORTED_MS = 1000;
const MAX_NAMED_RUNS = 3;
const MAX_HINT_LENGTH = 2000;

/** Returns at most one hint of each kind. */
export function buildHints(collector: HintCollector): NodeExecutionHint[] {
	const { unknownFields, ignoredKeys, missingKeys, truncatedLists, stats } = collector;
	const unfinished = [...collector.unfinished];
	const withoutResults = [...collector.withoutResults];
	const isThrottled = stats.throttled > 0 && stats.throttledMs >= MIN_REPORTED_MS;
	const entries: Array<[type: 'info' | 'warning', message: string | false | undefined]> = [
		['warning', unknownFields && unknownFieldsHint(unknownFields)],
		['warning', ignoredKeys > 0 && ignoredKeysHint(ignoredKeys)],
		['warning', missingKeys > 0 && missingKeysHint(missingKeys)],
		['warning', unfinished.length > 0 && unfinishedHint(unfinished)],
		['info', withoutResults.length > 0 && withoutResultsHint(withoutResults)],
		['info', truncatedLists > 0 && truncatedListsHint(truncatedLists)],
		['info', stats.retried > 0 && retriesHint(stats)],
		['info', isThrottled && throttlingHint(stats)],
	];
	return entries.flatMap(([type, message]) => {
		if (!message) return [];
		// n8n renders hints as HTML, and some contain text of the service.
		const text = truncate(message.replace(/[<>]/g, ''), MAX_HINT_LENGTH);
		return [{ message: text, type, location: 'outputPane' }];
	});
}

const unknownFieldsHint = ({ names, known }: { names: string[]; known: string[] }) =>
	`'Fields to Return' names what no item has: ${names.join(', ')}. There are: ${known.join(', ')}.`;

const ignoredKeysHint = (items: number) =>
	`The given 'Idempotency Key' was not used${forItems(items)}, since 'Idempotency Key Mode' is Automatic. Set it to Custom to use the key.`;

export const missingKeysHint = (items: number) =>
	`No idempotency key was sent${forItems(items)}, since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Idempotency Key Mode to Custom and give a key.`;

/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
function unfinishedHint(runs: Array<[id: string, status: string]>): string {
	const more =
		"so more results may follow. Wait for the end with Run › Get before you read them, or, if such a status is the end, add it to 'Finished Statuses' under Options.";
	if (runs.length > 1) {
		return `${runs.length} runs had a status that is not among 'Finished Statuses' when their results were read (${listRuns(runs)}), ${more}`;
	}
	const [[id, status]] = runs;
	if (status === '') {
		return `Run '${id}' showed no status when its results were read, so it cannot be told whether more will follow. Turn off 'Warn If Unfinished' under Options if your runs never show one.`;
	}
	return `Run '${id}' had the status '${status}' when its results were read, which is not among 'Finished Statuses', ${more}`;
}

function withoutResultsHint(runs: Array<[id: string, status: string]>): string {
	if (runs.length > 1) {
		return `${runs.length} runs ended without results, so the next nodes get no items for them: ${listRuns(runs)}.`;
	}
	const [[id, status]] = runs;
	return `Run '${id}' ended as '${status}' without results, so the next nodes get no items for it.`;
}

function truncatedListsHint(lists: number): string {
	const which = lists === 1 ? 'The list goes on' : `${lists} lists go on`;
	return `${which} after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.`;
}

function retriesHint({ retried, reasons }: RequestStats): string {
	const byCount = [...reasons.values()].sort((a, b) => b.retries - a.retries);
	const named = byCount.map(({ failure, retries }) => `${retryReason(failure)} (${retries}×)`);
	return `${pluralize(retried, 'request')} had to be sent again, after: ${named.join(', ')}.`;
}

function retryReason(failure: Failure): string {
	switch (failure.kind) {
		case 'status':
			return `status ${failure.status}`;
		case 'network':
			return failure.requestSent ? 'connection lost' : 'no connection';
		case 'timeout':
			return 'no answer in time';
		default:
			return 'answer broke off';
	}
}

function throttlingHint({ throttled, throttledMs }: RequestStats): string {
	const were = throttled === 1 ? 'was' : 'were';
	return `${pluralize(throttled, 'request')} ${were} held back to keep to the service's rate limit, which took ${formatDuration(throttledMs)} altogether.`;
}

const forItems = (items: number) => (items === 1 ? '' : ` for ${items} items`);

function listRuns(runs: Array<[id: string, status: string]>): string {
	const named = runs.slice(0, MAX_NAMED_RUNS).map(([id, status]) => `'${id}' (${status || 'no status'})`);
	const rest = runs.length - named.length;
	return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}
