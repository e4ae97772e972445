import type { NodeExecutionHint } from 'n8n-workflow';
import type { Failure } from '../transport/failure/failure';
import { truncate } from '../transport/failure/redactSecrets';
import { RequestStats } from '../transport/retry/requestStats';
import { formatDuration, pluralize } from './userMessage';

/** Statuses of runs by their IDs, '' without a status. */
export type StatusByRun = Map<string, string>;

/** Collects over all input items of a node execution, so that each hint appears once. */
export class HintCollector {
	readonly stats = new RequestStats();
	/** Number of lists with more items than the limit. */
	truncatedLists = 0;
	/** Number of items whose idempotency key was not used, because the mode is Automatic. */
	ignoredKeys = 0;
	/** Number of items that were sent without an idempotency key, because n8n names no execution. */
	missingKeys = 0;
	/** Runs that ended without results although results were requested. */
	readonly withoutResults: StatusByRun = new Map();
	/** Runs that had not finished when their results were read. */
	readonly unfinished: StatusByRun = new Map();
	/** Names in *Fields to Return* that no output of the first input item has, and those that exist. */
	unknownFields?: { names: string[]; known: string[] };
}

/** Shorter throttling is not mentioned. */
const MIN_REPORTED_MS = 1000;
const MAX_NAMED_RUNS = 3;
const MAX_HINT_LENGTH = 2000;

type HintEntry = [type: 'info' | 'warning', message: string | undefined];

/** Returns at most one hint of each kind. */
export function buildHints(collector: HintCollector): NodeExecutionHint[] {
	const entries: HintEntry[] = [
		['warning', unknownFieldsHint(collector.unknownFields)],
		['warning', ignoredKeysHint(collector.ignoredKeys)],
		['warning', missingKeysHint(collector.missingKeys)],
		['warning', unfinishedHint([...collector.unfinished])],
		['info', withoutResultsHint([...collector.withoutResults])],
		['info', truncatedListsHint(collector.truncatedLists)],
		['info', retriesHint(collector.stats)],
		['info', throttlingHint(collector.stats)],
	];
	return entries.flatMap(([type, message]) => (message === undefined ? [] : [toHint(type, message)]));
}

/** n8n renders hints as HTML, and some contain text of the service. */
const toHint = (type: 'info' | 'warning', message: string): NodeExecutionHint => ({
	message: truncate(message.replace(/[<>]/g, ''), MAX_HINT_LENGTH),
	type,
	location: 'outputPane',
});

const unknownFieldsHint = (fields: HintCollector['unknownFields']) =>
	fields &&
	`'Fields to Return' names what no item has: ${fields.names.join(', ')}. There are: ${fields.known.join(', ')}.`;

function ignoredKeysHint(items: number): string | undefined {
	if (items === 0) return undefined;
	return `The given 'Idempotency Key' was not used${forItems(items)}, since 'Idempotency Key Mode' is Automatic. Set it to Custom to use the key.`;
}

export function missingKeysHint(items: number): string | undefined {
	if (items === 0) return undefined;
	return `No idempotency key was sent${forItems(items)}, since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Idempotency Key Mode to Custom and give a key.`;
}

/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
function unfinishedHint(runs: Array<[id: string, status: string]>): string | undefined {
	if (runs.length === 0) return undefined;
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

function withoutResultsHint(runs: Array<[id: string, status: string]>): string | undefined {
	if (runs.length === 0) return undefined;
	if (runs.length > 1) {
		return `${runs.length} runs ended without results, so the next nodes get no items for them: ${listRuns(runs)}.`;
	}
	const [[id, status]] = runs;
	return `Run '${id}' ended as '${status}' without results, so the next nodes get no items for it.`;
}

function truncatedListsHint(lists: number): string | undefined {
	if (lists === 0) return undefined;
	const which = lists === 1 ? 'The list goes on' : `${lists} lists go on`;
	return `${which} after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.`;
}

function retriesHint({ retried, reasons }: RequestStats): string | undefined {
	if (retried === 0) return undefined;
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

function throttlingHint({ throttled, throttledMs }: RequestStats): string | undefined {
	if (throttled === 0 || throttledMs < MIN_REPORTED_MS) return undefined;
	const were = throttled === 1 ? 'was' : 'were';
	return `${pluralize(throttled, 'request')} ${were} held back to keep to the service's rate limit, which took ${formatDuration(throttledMs)} altogether.`;
}

const forItems = (items: number) => (items === 1 ? '' : ` for ${items} items`);

function listRuns(runs: Array<[id: string, status: string]>): string {
	const named = runs.slice(0, MAX_NAMED_RUNS).map(([id, status]) => `'${id}' (${status || 'no status'})`);
	const rest = runs.length - named.length;
	return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}
