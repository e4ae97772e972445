// Collects the hints of one node execution, and holds their texts. Operations add hints, and the router passes them to n8n
// at the end, each kind once.
import type { NodeExecutionHint } from 'n8n-workflow';
import { RequestStats } from '../transport/retry/withRetries';
import { redactAndTruncate, type Redactor } from './redact';
import { formatDuration, omitIfLong, pluralize, quote } from './userMessage';

interface ExistingResource {
	resourceKind: 'run' | 'workflow';
	createdAtMs: number;
	/** Whether the user entered the idempotency key. */
	isUserKey: boolean;
}

type StatusesByRunId = Map<string, string>;

const MAX_NAMED_RUNS = 3;
const MAX_NAMED_FIELDS = 5;

/** Returns the first runs with their statuses, such as `Run 'run_1' (queued)`. */
function nameRuns(runs: StatusesByRunId): string {
	const namedRuns = [...runs]
		.slice(0, MAX_NAMED_RUNS)
		.map(([id, status]) => `'${id}' (${omitIfLong(status) || 'no status'})`);
	const unnamedCount = runs.size - namedRuns.length;
	return `${runs.size === 1 ? 'Run' : 'Runs'} ${namedRuns.join(', ')}${unnamedCount > 0 ? ` and ${unnamedCount} more` : ''}`;
}

/** Returns the texts that occur more than once, and how often. */
function countRepeated(texts: Iterable<string>): Array<[text: string, count: number]> {
	const countByText = new Map<string, number>();
	for (const text of texts) countByText.set(text, (countByText.get(text) ?? 0) + 1);
	return [...countByText].filter(([, count]) => count > 1);
}

/** Each returns the text about what was collected, by ID; '' leaves the hint out. In the order in which they are shown. */
const hintTexts = {
	unknownFields(fields: Map<string, { names: string[]; knownNames: string[] }>) {
		const [{ names, knownNames }] = fields.values();
		return `'Fields to Return' has names that no item has: ${names.join(', ')}. Choose from: ${knownNames.join(', ')}.`;
	},
	missingIdempotencyKey: () =>
		"Duplicates could not be prevented: this n8n does not say which execution it is. Set 'Prevent Duplicates' to Once per Key.",
	/** An unknown status may mean that the run has finished, because the contract shows no statuses (section 3). */
	unfinishedRuns: (runs: StatusesByRunId) =>
		`${nameRuns(runs)} may not have finished. If a run is still going, more results will follow: use Run › Get with 'Wait for Completion' and 'Return Results' to get them all.`,
	/** By item. */
	userKeys(keys: Map<string, string>) {
		const [repeatedKey, ...others] = countRepeated(keys.values());
		if (repeatedKey === undefined) return '';
		const [key, itemCount] = repeatedKey;
		const othersClause =
			others.length > 0 ? `, and ${pluralize(others.length, 'more idempotency key')} likewise` : '';
		return `${itemCount} items have the same idempotency key, '${key}'${othersClause}: the service may do only the first of them. Include something from the item in 'Idempotency Key' under Options.`;
	},
	/** By idempotency key or, without one, by item. */
	sharedResources(ids: Map<string, string>) {
		const [repeatedId, ...others] = countRepeated(ids.values());
		if (repeatedId === undefined) return '';
		const [id, itemCount] = repeatedId;
		const othersClause = others.length > 0 ? `, and ${others.length} more likewise` : '';
		return `The service returned '${id}' for ${itemCount} items${othersClause}, so it may have started or created it only once. Check in the workspace whether all are there.`;
	},
	existingResources(resources: Map<string, ExistingResource>) {
		const [[id, { resourceKind, createdAtMs, isUserKey }]] = resources;
		const noun = resourceKind === 'run' ? 'Run' : 'Prospector workflow';
		const othersClause = resources.size > 1 ? `, and ${resources.size - 1} more likewise` : '';
		const createdAtText = new Date(createdAtMs).toISOString().slice(0, 19).replace('T', ' ');
		const advice = isUserKey
			? "To make a new one, change 'Idempotency Key' under Options."
			: 'Check in the workspace whether this is the right one.';
		return `${noun} '${id}' was created at ${createdAtText} UTC, before this request${othersClause}: the service returned an existing one. ${advice}`;
	},
	keptOldValues: () =>
		'A Prospector workflow was created by an earlier attempt of this execution, with other values than now. It was not created again: use Workflow › Update to change it.',
	deletedEarlier(ids: Map<string, true>) {
		const [id] = ids.keys();
		const othersClause = ids.size > 1 ? ` and ${ids.size - 1} more` : '';
		return `Prospector workflows that were not found: '${id}'${othersClause}. An earlier attempt of this execution has probably deleted them.`;
	},
	unusedKey: () =>
		"'Idempotency Key' was not used. To use it, set 'Prevent Duplicates' under Options to Once per Key.",
	resultOfOtherRun(namedRunIds: Map<string, string>) {
		const [[runId, namedRunId]] = namedRunIds;
		return `The service returned a result of run ${quote(namedRunId)} among those of run '${runId}'. Its fields are as the service sent them.`;
	},
	changingResults: (runs: StatusesByRunId) =>
		`${nameRuns(runs)} had results that changed while they were read, so some may be missing. Get all of them later with Result › Get Many.`,
	partialRuns: (runs: StatusesByRunId) =>
		`${nameRuns(runs)} ended early, so results may be missing. If this status is a full success, add it to 'Finished Statuses' under Options.`,
	changedList: () =>
		'A list changed while the node read it. No item is returned twice, but one may be missing. Run the node again if you need all of them.',
	noResults: (runs: StatusesByRunId) => `${nameRuns(runs)} found nothing.`,
	emptyOutput: () =>
		"There are no items, so the next nodes are not executed. Turn on 'Always Output Data' in the node's Settings if they must be executed, as in a loop.",
	noFields: () => 'No fields were sent.',
	expressionAsText: () =>
		"'{{ $' was sent as text. If it begins an expression, switch the field from Fixed to Expression.",
	textNumbers: (fields: Map<string, true>) =>
		`Numbers that JavaScript can't represent became text when they were read, so that no digit changes. Fields: ${[...fields.keys()].slice(0, MAX_NAMED_FIELDS).map(quote).join(', ')}${fields.size > MAX_NAMED_FIELDS ? ' and others' : ''}.`,
	truncatedList: () => "There are more items than 'Limit'. Turn on 'Return All' to get them all.",
	retries(requestCounts: Map<string, number>) {
		const [count] = requestCounts.values();
		return `${pluralize(count, 'request')} ${count === 1 ? 'was' : 'were'} sent again.`;
	},
	throttling(milliseconds: Map<string, number>) {
		const [throttledMs] = milliseconds.values();
		return `The rate limit added ${formatDuration(throttledMs)}.`;
	},
};

/** The other kinds are warnings. */
const INFO_HINTS = ['noResults', 'emptyOutput', 'textNumbers', 'truncatedList', 'retries', 'throttling'];

type HintKind = keyof typeof hintTexts;

/**
 * The ID of the resource or item that a hint is about ('': the whole node), and the detail that it names. A hint whose text
 * is always the same has no arguments.
 */
type HintArguments<Kind extends HintKind> =
	Parameters<(typeof hintTexts)[Kind]> extends [Map<string, infer Detail>]
		? [id: string, detail: Detail]
		: [];

/** Shorter throttling is not mentioned. */
const MIN_REPORTED_THROTTLING_MS = 1000;
const MAX_HINT_LENGTH = 2000;

/** Collects over all input items of a node execution, so that each kind of hint appears once. */
export class HintCollector {
	readonly stats = new RequestStats();
	private readonly details = new Map<string, Map<string, unknown>>();

	/** A new detail replaces the last one. */
	add<Kind extends HintKind>(kind: Kind, ...[id = '', detail]: HintArguments<Kind>): void {
		const details = this.details.get(kind) ?? new Map<string, unknown>();
		this.details.set(kind, details.set(id, detail));
	}

	/** Returns the hints for n8n. */
	build({ redact }: Redactor): NodeExecutionHint[] {
		const { retriedCount, throttledMs, fieldsWithTextNumbers } = this.stats;
		for (const name of fieldsWithTextNumbers) this.add('textNumbers', name, true);
		if (retriedCount > 0) this.add('retries', '', retriedCount);
		if (throttledMs >= MIN_REPORTED_THROTTLING_MS) this.add('throttling', '', throttledMs);
		return Object.entries<(details: never) => string>(hintTexts).flatMap(([kind, toText]) => {
			const details = this.details.get(kind);
			const message = details === undefined ? '' : toText(details as never);
			if (message === '') return [];
			// n8n renders hints as HTML (n8n-behaviour.md#hints), and some contain text of the service.
			// The API key is looked for before, too, because it may contain <.
			const plainMessage = redact(message).replace(/[<>]/g, '');
			const text = redactAndTruncate(plainMessage, redact, MAX_HINT_LENGTH);
			const type = INFO_HINTS.includes(kind) ? 'info' : 'warning';
			return [{ message: text, type, location: 'outputPane' } as const];
		});
	}
}
