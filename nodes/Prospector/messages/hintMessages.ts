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

export const MISSING_IDEMPOTENCY_KEY_HINT =
	"Duplicates could not be prevented: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.";

export const NO_FIELDS_HINT = 'No fields were sent.';

type StatusesByRunId = Map<string, string>;

/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
export const unfinishedRunsHint = (runs: StatusesByRunId) =>
	runs.size > 0 &&
	`${nameRuns(runs)} may not have finished. If a run is still going, more results will follow: use Run › Get with 'Wait for Completion' to get them all.`;

export const partialRunsHint = (runs: StatusesByRunId) =>
	runs.size > 0 &&
	`${nameRuns(runs)} ended early, so results may be missing. If this status is a full success, add it to 'Finished Statuses' under Options.`;

export const changingResultsHint = (runs: StatusesByRunId) =>
	runs.size > 0 &&
	`${nameRuns(runs)} still had new results when they were read, so some may be missing. Get all of them later with Result › Get Many.`;

export const runsWithoutResultsHint = (runs: StatusesByRunId) =>
	runs.size > 0 && `${nameRuns(runs)} found nothing.`;

/** Returns the first runs with their statuses, such as `Run 'run_1' (queued)`. */
function nameRuns(runs: StatusesByRunId): string {
	const namedRuns = [...runs]
		.slice(0, MAX_NAMED_RUNS)
		.map(([id, status]) => `'${id}' (${omitIfLong(status) || 'no status'})`);
	const unnamedCount = runs.size - namedRuns.length;
	return `${runs.size === 1 ? 'Run' : 'Runs'} ${namedRuns.join(', ')}${unnamedCount > 0 ? ` and ${unnamedCount} more` : ''}`;
}

export function repeatedKeysHint(itemCountByKey: Map<string, number>) {
	const [repeatedKey, ...others] = [...itemCountByKey].filter(([, itemCount]) => itemCount > 1);
	if (repeatedKey === undefined) return undefined;
	const [key, itemCount] = repeatedKey;
	const othersClause =
		others.length > 0 ? `, and ${pluralize(others.length, 'more idempotency key')} likewise` : '';
	return `${itemCount} items have the same idempotency key, '${key}'${othersClause}: the service does only the first of them. Include something from the item in 'Idempotency Key' under Options.`;
}

export function existingResourcesHint(resources: Map<string, ExistingResource>) {
	if (resources.size === 0) return undefined;
	const [[id, { resourceKind, createdAtMs, isUserKey }]] = resources;
	const noun = resourceKind === 'run' ? 'Run' : 'Prospector workflow';
	const othersClause = resources.size > 1 ? `, and ${resources.size - 1} more likewise` : '';
	const createdAtText = new Date(createdAtMs).toISOString().slice(0, 19).replace('T', ' ');
	const advice = isUserKey
		? "To make a new one, change 'Idempotency Key' under Options."
		: 'Check in the workspace whether this is the right one.';
	return `${noun} '${id}' was created at ${createdAtText} UTC, before this request${othersClause}: the service returned an existing one. ${advice}`;
}

export const KEPT_OLD_VALUES_HINT =
	'A Prospector workflow was created by an earlier attempt of this execution, with other values than now. It was not created again: use Workflow › Update to change it.';

export const UNUSED_KEY_HINT =
	"'Idempotency Key' was not used. To use it, set 'Prevent Duplicates' under Options to Once per Key.";

export function deletedEarlierHint(ids: Set<string>) {
	const [id] = ids;
	const othersClause = ids.size > 1 ? ` and ${ids.size - 1} more` : '';
	return (
		ids.size > 0 &&
		`Prospector workflows that were not found: '${id}'${othersClause}. An earlier attempt of this execution has probably deleted them.`
	);
}

export const resultOfOtherRunHint = ({ runId, namedRunId }: { runId: string; namedRunId: string }) =>
	`The service returned a result of run ${quote(namedRunId)} among those of run '${runId}'. Its fields are as the service sent them.`;

export const wrongNameHint = ({ sentName, receivedName }: { sentName: string; receivedName: string }) =>
	`The service returned a Prospector workflow named ${quote(receivedName)} although ${quote(sentName)} was sent. Check in the workspace whether this is the right one.`;

export const CHANGED_LIST_HINT =
	'A list changed while the node read it. No item is returned twice, but one may be missing. Run the node again if you need all of them.';

export const TRUNCATED_LIST_HINT = "There are more items than 'Limit'. Turn on 'Return All' to get them all.";

export const retriesHint = ({ retriedCount }: RequestStats) =>
	`${pluralize(retriedCount, 'request')} ${retriedCount === 1 ? 'was' : 'were'} sent again.`;

export const throttlingHint = ({ throttledMs }: RequestStats) =>
	`The rate limit added ${formatDuration(throttledMs)}.`;
