import type { Failure } from '../api/failure/failure';
import type { RequestStats } from '../transport/retry/requestStats';
import { formatDuration, omitIfLong, pluralize, quote } from './userMessage';

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

type Run = [id: string, status: string];

/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
export function unfinishedHint(runs: Run[]): string | undefined {
	const which = describeRuns(runs, (status) => `is ${status}`, 'may not have finished');
	const they = runs.length === 1 ? 'it is' : 'they are';
	const advice = "more results will follow: use Run › Get with 'Wait for Completion' to get them all";
	return which && `${which}. If ${they} still going, ${advice}.`;
}

export function partialHint(runs: Run[]): string | undefined {
	const which = describeRuns(runs, (status) => `ended as ${status}`, 'ended early');
	const advice = "If this status is a full success, add it to 'Finished Statuses' under Options";
	return which && `${which}, so results may be missing. ${advice}.`;
}

export function withoutResultsHint(runs: Run[]): string | undefined {
	const which = describeRuns(runs, (status) => `found nothing (status ${status})`, 'found nothing');
	return which && `${which}.`;
}

/** Returns a clause about one run or several; undefined without runs. */
function describeRuns(runs: Run[], one: (status: string) => string, several: string): string | undefined {
	if (runs.length === 0) return undefined;
	const [[id, status]] = runs;
	if (runs.length === 1) return `Run '${id}' ${one(quote(status))}`;
	const named = runs
		.slice(0, MAX_NAMED_RUNS)
		.map(([runId, runStatus]) => `'${runId}' (${omitIfLong(runStatus) || 'no status'})`);
	const rest = runs.length - named.length;
	return `${runs.length} runs ${several}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export function repeatedKeysHint(keys: Array<[key: string, items: number]>): string | undefined {
	if (keys.length === 0) return undefined;
	const [[key, items]] = keys;
	const others = keys.length > 1 ? `, and ${pluralize(keys.length - 1, 'more key')} likewise` : '';
	return `${items} items have the same idempotency key, '${key}'${others}: the service does only the first of them. Include something from the item in 'Idempotency Key' under Options.`;
}

export function existingHint(resources: Array<[id: string, resource: ExistingResource]>): string | undefined {
	if (resources.length === 0) return undefined;
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
	`The service returned a Prospector workflow named ${quote(received)} although ${quote(sent)} was sent. Check in the workspace whether this is the right one.`;

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
	if (failure.kind === 'status') return `status ${failure.status}`;
	if (failure.kind === 'timeout') return 'no answer in time';
	return failure.kind === 'network' && !failure.requestSent ? 'no connection' : 'connection lost';
}

export const throttlingHint = ({ throttled, throttledMs }: RequestStats) =>
	`The rate limit added ${formatDuration(throttledMs)} (${pluralize(throttled, 'request')} waited).`;
