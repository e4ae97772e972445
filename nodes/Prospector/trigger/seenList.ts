import { createDictionary, type Dictionary } from '../transport/dictionary';
import type { ListOrder } from './listOrder';
import type { Tail } from './tail';
import type { WalkEnd } from './walk';

/** An entry of a list: when it was created, a mark of the state it was seen in, and what else its owner keeps. */
export type Entry = [created: number, mark?: string, resultsFloor?: number];

/**
 * What is known of one list of the service, in bounded space. All times are the service's, in milliseconds since the
 * epoch.
 */
export interface SeenList {
	/** Whatever was created before this counts as seen. */
	floor: number;
	/** Nothing created before this can turn up any more, as far as walks through the list can tell. */
	confirmed: number;
	/** The newest that the last walk saw: what it read in several pages is read once more before it counts. */
	candidate: number;
	/** When the whole list was read last, on this machine's clock. */
	wholeAt: number;
	/** By the short digest of the id. */
	entries: Dictionary<Entry>;
	/** How the list itself was found to be sorted. */
	order?: ListOrder;
	/** Lists with the oldest first: where their last page begins. */
	tail?: Tail;
}

/** Milliseconds: this often a list is read whole even where its order allows less, in case the order misleads. */
const WHOLE_AGAIN = 24 * 3_600_000;

/** Milliseconds: what is later than this machine's clock by more is no time that anything happened. */
export const CLOCKS_DIFFER = 48 * 3_600_000;

/** Stands for a missing or unreadable `created_at`; no date of JavaScript is later. */
export const UNDATED = 8.64e15;

/** A list of which everything created from `floor` on is news. */
export const emptyList = (floor = 0): SeenList => ({
	floor,
	confirmed: floor,
	candidate: floor,
	wholeAt: 0,
	entries: createDictionary(),
});

/** Whether an item of the list was not there before. */
export const isNew = (seen: SeenList, hash: string, created: number): boolean =>
	created >= seen.floor && !Object.hasOwn(seen.entries, hash);

/**
 * The order that the next walk may rely on.
 *
 * @param usual how lists of this kind are sorted, for one that is too short to tell
 */
export const reliableOrder = ({ order, wholeAt }: SeenList, usual: ListOrder | undefined, now: number) =>
	now - wholeAt < WHOLE_AGAIN ? (order ?? usual) : undefined;

/**
 * What a walk allows to leave out next time. Only to be called when everything new that it found is dealt with.
 *
 * A single page is read in one piece. Between several, deletions may have moved items onto a page that was read
 * already: so what several pages showed is read once more by the next walk before it is confirmed.
 */
export function settleWalk(seen: SeenList, end: WalkEnd, now: number): void {
	const newest = Math.max(seen.candidate, end.newest);
	seen.confirmed = end.pages > 1 ? seen.candidate : newest;
	seen.candidate = newest;
	seen.tail = end.tail;
	seen.order = end.order ?? seen.order;
	if (end.whole) seen.wholeAt = now;
}

/** The same where everything read counts as known from the start: nothing of it needs a second look. */
export function settleBaseline(seen: SeenList, end: WalkEnd, now: number): void {
	settleWalk(seen, end, now);
	seen.confirmed = seen.candidate;
}

/**
 * Forgets the oldest entries beyond a number, and raises the floor so that they count as seen. Entries created at the
 * same moment as the oldest one kept are kept too, up to four times the number.
 */
export function bound(seen: SeenList, most: number): void {
	const entries = Object.entries(seen.entries);
	if (entries.length <= most) return;
	entries.sort(([, [a]], [, [b]]) => b - a);
	const oldestKept = entries[most - 1][1][0];
	const wanted = entries.filter(([, [created]]) => created >= oldestKept);
	const kept = wanted.slice(0, most * 4);
	seen.floor = Math.max(seen.floor, kept.length === wanted.length ? oldestKept : oldestKept + 1);
	seen.entries = createDictionary(kept);
}

/** Forgets every entry: what was created up to the newest of them counts as seen. */
export function compress(seen: SeenList): void {
	for (const [created] of Object.values(seen.entries)) {
		if (created < UNDATED) seen.floor = Math.max(seen.floor, created + 1);
	}
	seen.entries = createDictionary();
}
