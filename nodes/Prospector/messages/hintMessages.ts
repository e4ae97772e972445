import type { NodeExecutionHint } from 'n8n-workflow';
import { truncate } from '../transport/failure/plainText';
import type { RequestStats } from '../transport/retry/requestStats';
import { formatDuration } from './format';
import type { HintCollector, StatusByRun } from '../actions/hintCollector';

/** Milliseconds: being held back for less is not worth a word. */
const WORTH_TELLING = 1000;
/** More runs than this are counted, not named. */
const MOST_NAMED = 3;

const MAX_HINT_LENGTH = 2000;

type Told = [type: 'info' | 'warning', message: string | undefined];

/** The hints for what was noted: at most one of each kind, however many items there were. */
export function buildHints(notes: HintCollector): NodeExecutionHint[] {
	const told: Told[] = [
		['warning', aboutKeysNotUsed(notes.keysNotUsed)],
		['warning', aboutKeysNotSent(notes.keysNotSent)],
		['warning', aboutUnfinished(notes.unfinished)],
		['info', aboutRunsWithoutResults(notes.withoutResults)],
		['info', aboutCutLists(notes.cutLists)],
		['info', aboutRetries(notes.stats)],
		['info', aboutHoldingBack(notes.stats)],
	];
	return told.flatMap(([type, message]) => (message === undefined ? [] : [hint(type, message)]));
}

/** n8n renders hints as HTML, and text of the service is part of some. */
export const hint = (type: 'info' | 'warning', message: string): NodeExecutionHint => ({
	message: truncate(message.replace(/[<>]/g, ''), MAX_HINT_LENGTH),
	type,
	location: 'outputPane',
});

export function aboutKeysNotUsed(items: number): string | undefined {
	if (items === 0) return undefined;
	return `The given 'Idempotency Key' was not used${forItems(items)}, since 'Idempotency Key Mode' is Automatic. Set it to Custom to use the key.`;
}

export function aboutKeysNotSent(items: number): string | undefined {
	if (items === 0) return undefined;
	return `No idempotency key was sent${forItems(items)}, since n8n does not tell which execution this is: a retry may do the same thing twice. Set Options › Idempotency Key Mode to Custom and give a key.`;
}

/** A status that nobody listed may mean that the run has finished: the contract shows no status (section 3). */
export function aboutUnfinished(statuses: StatusByRun): string | undefined {
	const runs = [...statuses];
	if (runs.length === 0) return undefined;
	const more =
		"so more results may follow. Wait for the end with Run › Get before you read them, or, if such a status is the end, add it to 'Finished Statuses' under Options.";
	if (runs.length > 1) {
		return `${runs.length} runs had a status that is not among 'Finished Statuses' when their results were read (${listed(runs)}), ${more}`;
	}
	const [[id, status]] = runs;
	if (status === '') {
		return `Run '${id}' showed no status when its results were read, so it cannot be told whether more will follow. Turn off 'Warn If Unfinished' under Options if your runs never show one.`;
	}
	return `Run '${id}' had the status '${status}' when its results were read, which is not among 'Finished Statuses', ${more}`;
}

export function aboutRunsWithoutResults(statuses: StatusByRun): string | undefined {
	const runs = [...statuses];
	if (runs.length === 0) return undefined;
	if (runs.length > 1) {
		return `${runs.length} runs ended without results, so nothing follows for them: ${listed(runs)}.`;
	}
	const [[id, status]] = runs;
	return `Run '${id}' ended as '${status}' without results, so nothing follows for it.`;
}

export function aboutCutLists(lists: number): string | undefined {
	if (lists === 0) return undefined;
	const which = lists === 1 ? 'The list goes on' : `${lists} lists go on`;
	return `${which} after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.`;
}

export function aboutRetries({
	retried,
	causes,
}: Pick<RequestStats, 'retried' | 'causes'>): string | undefined {
	if (retried === 0) return undefined;
	const why = [...causes].sort(([, a], [, b]) => b - a).map(([cause, times]) => `${cause} (${times}×)`);
	return `${counted(retried, 'request')} had to be sent again, after: ${why.join(', ')}.`;
}

export function aboutHoldingBack({
	throttled,
	throttledMs,
}: Pick<RequestStats, 'throttled' | 'throttledMs'>): string | undefined {
	if (throttled === 0 || throttledMs < WORTH_TELLING) return undefined;
	const were = throttled === 1 ? 'was' : 'were';
	return `${counted(throttled, 'request')} ${were} held back to keep to the service's rate limit, which took ${formatDuration(throttledMs)} altogether.`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A single item needs no number. */
const forItems = (items: number) => (items === 1 ? '' : ` for ${items} items`);

function listed(runs: Array<[id: string, status: string]>): string {
	const named = runs.slice(0, MOST_NAMED).map(([id, status]) => `'${id}' (${status || 'no status'})`);
	const rest = runs.length - named.length;
	return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}
