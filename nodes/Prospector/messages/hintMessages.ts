import type { RequestStats } from '../transport/retry/requestStats';
import { formatDuration, omitIfLong, pluralize, quote } from './userMessage';

export interface ExistingResource {
	resourceKind: 'run' | 'workflow';
	createdAtMs: number;
	/** Whether the user entered the idempotency key. */
	isUserKey: boolean;
}

const MAX_NAMED_RUNS = 3;

export const unknownFieldsHint = ({ names, knownNames }: { names: string[]; knownNames: string[] }) =>
	`'Fields to Return' has names that no item has: ${names.join(', ')}. Choose from: ${knownNames.join(', ')}.`;

export const missingIdempotencyKeyHint = (itemCount: number) =>
	`Duplicates could not be prevented${itemCount === 1 ? '' : ` for ${itemCount} items`}: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.`;

export const NO_FIELDS_HINT = 'No fields were sent.';

type Run = [id: string, status: string];

/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
export function unfinishedRunsHint(runs: Run[]): string | undefined {
	const runsClause = describeRuns(runs, (status) => `is ${status}`, 'may not have finished');
	const pronounClause = runs.length === 1 ? 'it is' : 'they are';
	const advice = "more results will follow: use Run › Get with 'Wait for Completion' to get them all";
	return runsClause && `${runsClause}. If ${pronounClause} still going, ${advice}.`;
}

export function partialRunsHint(runs: Run[]): string | undefined {
	const runsClause = describeRuns(runs, (status) => `ended as ${status}`, 'ended early');
	const advice = "If this status is a full success, add it to 'Finished Statuses' under Options";
	return runsClause && `${runsClause}, so results may be missing. ${advice}.`;
}

export function runsWithoutResultsHint(runs: Run[]): string | undefined {
	const runsClause = describeRuns(runs, (status) => `found nothing (status ${status})`, 'found nothing');
	return runsClause && `${runsClause}.`;
}

/** Returns a clause about one run or several; undefined without runs. */
function describeRuns(runs: Run[], singular: (status: string) => string, plural: string): string | undefined {
	if (runs.length === 0) return undefined;
	const [[id, status]] = runs;
	if (runs.length === 1) return `Run '${id}' ${singular(quote(status))}`;
	const namedRuns = runs
		.slice(0, MAX_NAMED_RUNS)
		.map(([runId, runStatus]) => `'${runId}' (${omitIfLong(runStatus) || 'no status'})`);
	const unnamedCount = runs.length - namedRuns.length;
	return `${runs.length} runs ${plural}: ${namedRuns.join(', ')}${unnamedCount > 0 ? ` and ${unnamedCount} more` : ''}`;
}

export function repeatedKeysHint(keys: Array<[key: string, itemCount: number]>): string | undefined {
	if (keys.length === 0) return undefined;
	const [[key, itemCount]] = keys;
	const othersClause =
		keys.length > 1 ? `, and ${pluralize(keys.length - 1, 'more idempotency key')} likewise` : '';
	return `${itemCount} items have the same idempotency key, '${key}'${othersClause}: the service does only the first of them. Include something from the item in 'Idempotency Key' under Options.`;
}

export function existingResourcesHint(
	resources: Array<[id: string, resource: ExistingResource]>,
): string | undefined {
	if (resources.length === 0) return undefined;
	const [[id, { resourceKind, createdAtMs, isUserKey }]] = resources;
	const noun = resourceKind === 'run' ? 'Run' : 'Prospector workflow';
	const othersClause = resources.length > 1 ? `, and ${resources.length - 1} more likewise` : '';
	const createdAtText = new Date(createdAtMs).toISOString().slice(0, 16).replace('T', ' ');
	const advice = isUserKey
		? "To make a new one, change 'Idempotency Key' under Options."
		: 'Check in the workspace whether this is the right one.';
	return `${noun} '${id}' was created at ${createdAtText} UTC, long before this execution${othersClause}: the service returned an existing one. ${advice}`;
}

export const wrongNameHint = ({ sentName, receivedName }: { sentName: string; receivedName: string }) =>
	`The service returned a Prospector workflow named ${quote(receivedName)} although ${quote(sentName)} was sent. Check in the workspace whether this is the right one.`;

export function changedListsHint(listCount: number): string {
	const subject = listCount === 1 ? 'A list' : `${listCount} lists`;
	return `${subject} changed while the node read ${listCount === 1 ? 'it' : 'them'}. No item is returned twice, but one may be missing. Run the node again if you need all of them.`;
}

export function truncatedListsHint(listCount: number): string {
	const subject = listCount === 1 ? 'There are' : `${listCount} lists have`;
	return `${subject} more items than 'Limit'. Turn on 'Return All' to get them all.`;
}

export const retriesHint = ({ retriedCount }: RequestStats) =>
	`${pluralize(retriedCount, 'request')} ${retriedCount === 1 ? 'was' : 'were'} sent again.`;

export const throttlingHint = ({ throttledMs }: RequestStats) =>
	`The rate limit added ${formatDuration(throttledMs)}.`;
