import type { Failure } from '../api/failure/failure';
import type { RequestStats } from '../transport/retry/requestStats';
import { formatDuration, pluralize } from './userMessage';

export interface ExistingResource {
	what: 'run' | 'workflow';
	/** Milliseconds since the epoch. */
	createdAt: number;
	/** Whether the user entered the idempotency key. */
	isUserKey: boolean;
}

const MAX_NAMED_RUNS = 3;

export const unknownFieldsHint = ({ names, known }: { names: string[]; known: string[] }) =>
	`'Fields to Return' has names that no item has: ${names.join(', ')}. Choose from: ${known.join(', ')}.`;

export const missingKeysHint = (items: number) =>
	`Duplicates could not be prevented${items === 1 ? '' : ` for ${items} items`}: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.`;

/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
export function unfinishedHint(runs: Array<[id: string, status: string]>): string {
	const [[id, status]] = runs;
	const [which, they] =
		runs.length === 1
			? [`Run '${id}' is '${status}'`, 'it is']
			: [`${runs.length} runs may not have finished: ${listRuns(runs)}`, 'they are'];
	return `${which}. If ${they} still going, more results will follow: use Run › Get with 'Wait for Completion' to get them all.`;
}

export function repeatedKeysHint(keys: Array<[key: string, items: number]>): string {
	const [[key, items]] = keys;
	const others = keys.length > 1 ? `, and ${pluralize(keys.length - 1, 'more key')} likewise` : '';
	return `${items} items have the same idempotency key, '${key}'${others}: the service does only the first of them. Include something from the item in 'Idempotency Key' under Options.`;
}

export function existingHint(resources: Array<[id: string, resource: ExistingResource]>): string {
	const [[id, { what, createdAt, isUserKey }]] = resources;
	const noun = what === 'run' ? 'Run' : 'Prospector workflow';
	const rest = resources.length > 1 ? `, and ${resources.length - 1} more likewise` : '';
	const time = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
	const advice = isUserKey
		? "To make a new one, change 'Idempotency Key' under Options."
		: 'Check in the workspace whether this is the right one.';
	return `${noun} '${id}' was created at ${time} UTC, long before this execution${rest}: the service returned an existing one. ${advice}`;
}

export const otherNamesHint = ({ sent, received }: { sent: string; received: string }) =>
	`The service returned a Prospector workflow named '${received}' although '${sent}' was sent. Check in the workspace whether this is the right one.`;

export function partialHint(runs: Array<[id: string, status: string]>): string {
	const [[id, status]] = runs;
	const which =
		runs.length === 1
			? `Run '${id}' ended as '${status}'`
			: `${runs.length} runs ended early: ${listRuns(runs)}`;
	return `${which}, so results may be missing. If this status is a full success, add it to 'Finished Statuses' under Options.`;
}

export function withoutResultsHint(runs: Array<[id: string, status: string]>): string {
	const [[id, status]] = runs;
	return runs.length === 1
		? `Run '${id}' found nothing (status '${status}').`
		: `${runs.length} runs found nothing: ${listRuns(runs)}.`;
}

export function changedListsHint(lists: number): string {
	const which = lists === 1 ? 'A list' : `${lists} lists`;
	return `${which} changed while the node read ${lists === 1 ? 'it' : 'them'}. No item is returned twice, but one may be missing. Run the node again if you need all of them.`;
}

export function truncatedListsHint(lists: number): string {
	const which = lists === 1 ? 'There are' : `${lists} lists have`;
	return `${which} more items than 'Limit'. Turn on 'Return All' to get them all.`;
}

export function retriesHint({ retried, reasons }: RequestStats): string {
	const byCount = [...reasons.values()].sort((a, b) => b.retries - a.retries);
	const named = byCount.map(({ failure, retries }) => `${retryReason(failure)} (${retries}×)`);
	return `${pluralize(retried, 'request')} ${retried === 1 ? 'was' : 'were'} sent again: ${named.join(', ')}.`;
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

export const throttlingHint = ({ throttled, throttledMs }: RequestStats) =>
	`The rate limit added ${formatDuration(throttledMs)} (${pluralize(throttled, 'request')} waited).`;

function listRuns(runs: Array<[id: string, status: string]>): string {
	const named = runs.slice(0, MAX_NAMED_RUNS).map(([id, status]) => `'${id}' (${status || 'no status'})`);
	const rest = runs.length - named.length;
	return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}
