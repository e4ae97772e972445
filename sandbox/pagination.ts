import type { Clock } from './clock';
import { ApiError } from './errors';
import { digest, seededRandom } from './ids';
import type { ListOrder, SandboxSettings } from './settings';

export interface ListItem {
	/** In paths, and unique in a collection. */
	id: string;
	/** The ID in responses: any JSON. Differs from `id` if it can't be in a path. */
	shownId: unknown;
	/** Epoch milliseconds. */
	createdAt: number;
	/** Epoch milliseconds from which lists contain the item. */
	visibleAt: number;
	/** Orders items with the same time. */
	sequence: number;
}

type Rank = [number, number];

/** Items that can be listed in several orders, each cached until an item is removed. */
export class Collection<T extends ListItem> {
	private readonly byId = new Map<string, T>();
	private readonly orders = new Map<ListOrder, T[]>();

	/** Adds an item, in place of the one with the same ID. */
	add(item: T): T {
		this.remove(item.id);
		this.byId.set(item.id, item);
		for (const [order, items] of this.orders) {
			items.splice(findFirstAfter(items, rankOf(item, order), order), 0, item);
		}
		return item;
	}

	/** Returns whether there was such an item. */
	remove(id: string): boolean {
		const isRemoved = this.byId.delete(id);
		if (isRemoved) this.orders.clear();
		return isRemoved;
	}

	get(id: string): T | undefined {
		return this.byId.get(id);
	}

	get size(): number {
		return this.byId.size;
	}

	all(): T[] {
		return [...this.byId.values()];
	}

	/** @param random returns a number in [0, 1) for the order `random` */
	ordered(order: ListOrder, random: () => number): T[] {
		if (order === 'random') {
			const ranked = this.all().map((item) => ({ item, rank: random() }));
			return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
		}
		let items = this.orders.get(order);
		if (!items) {
			const ranked = this.all().map((item) => ({ item, rank: rankOf(item, order) }));
			items = ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ item }) => item);
			this.orders.set(order, items);
		}
		return items;
	}
}

export interface Page<T> {
	items: T[];
	/** Null on the last page; undefined if the list continues, but no cursor leads there. */
	nextCursor?: string | null;
}

export interface PageRequest {
	/** Part of the cursor, so that other lists reject it. */
	list: string;
	query: Record<string, unknown>;
}

interface PageContext {
	settings: SandboxSettings;
	clock: Clock;
	random: () => number;
}

/**
 * Returns a page of a collection (contract, section 2.1). By default, a cursor is a position between items, so it stays
 * valid when items are added or deleted between two pages; the contract shows no kind of cursor.
 *
 * @param isVisible items that are not visible are skipped
 * @throws ApiError 400 on an unknown cursor or a page size that is not a positive integer, and `cursorRejection` on a
 *   rejected cursor; the contract shows no response for any of them
 */
export function getPage<T extends ListItem>(
	collection: Collection<T>,
	isVisible: (item: T) => boolean,
	request: PageRequest,
	{ settings, clock, random }: PageContext,
): Page<T> {
	const now = clock();
	// Without stale replicas, the order `random` takes all random numbers.
	const isStale = settings.staleProbability > 0 && random() < settings.staleProbability;
	const seenUntil = isStale ? now - settings.replicaLagMs : now;
	const visible = (item: T) => item.visibleAt <= seenUntil && isVisible(item);
	const { listOrder: order, pages, cursorRejection } = settings;
	const pageSize = parsePageSize(request.query.limit, settings);
	const list: Cursor['list'] = [request.list, order];
	let cursor = decodeCursor(request.query.cursor, list);
	const ordered = () => collection.ordered(order, random);
	const rejection = cursor && findRejection(ordered, visible, cursor, settings, now);
	if (rejection !== undefined) {
		if (cursorRejection === 'emptyPage') return { items: [], nextCursor: null };
		if (cursorRejection === 'noCursor') return { items: [] };
		if (cursorRejection !== 'firstPage') throw new ApiError(cursorRejection, rejection);
		cursor = undefined;
	}
	// Without a time in it, the cursor of a page is always the same.
	const issuedAt = settings.cursorTtlMs === null ? null : now;
	if (cursor?.isEmptyPageNext) {
		return { items: [], nextCursor: encodeCursor({ ...cursor, issuedAt, isEmptyPageNext: false }) };
	}
	const all = ordered();
	const offset = cursor?.offset ?? 0;
	const size = pages === 'varying' ? 1 + Math.floor(seededRandom(offset)() * pageSize) : pageSize;
	const items: T[] = [];
	for (let index = cursor ? findStart(all, visible, cursor, settings) : 0; index < all.length; index++) {
		if (!visible(all[index])) continue;
		if (items.length === size) {
			const newItems = pages === 'overlapping' ? Math.max(size - 1, 1) : size;
			const rank = rankOf(items[newItems - 1], order);
			const isEmptyPageNext = pages === 'emptyBetween';
			const next = { list, rank, offset: offset + newItems, issuedAt, isEmptyPageNext };
			return { items, nextCursor: encodeCursor(next) };
		}
		items.push(all[index]);
	}
	return { items, nextCursor: null };
}

/** Returns why a cursor is rejected; undefined if it is not. */
function findRejection<T extends ListItem>(
	ordered: () => T[],
	visible: (item: T) => boolean,
	{ rank, offset, issuedAt }: Cursor,
	{ cursorKind, cursorTtlMs, cursorMaxItems, listOrder }: SandboxSettings,
	now: number,
): string | undefined {
	if (cursorTtlMs !== null && now - (issuedAt ?? now) > cursorTtlMs) return 'the cursor has expired';
	if (cursorMaxItems !== null && offset >= cursorMaxItems) return 'the cursor leads too far';
	if (cursorKind !== 'itemId' || listOrder === 'random') return undefined;
	const all = ordered();
	// No two items have the same rank.
	const last: T | undefined = all[findFirstAfter(all, rank, listOrder) - 1];
	const isGone = last === undefined || compare(rankOf(last, listOrder), rank) !== 0 || !visible(last);
	return isGone ? "the cursor's item is gone" : undefined;
}

/** Returns the index of the first item behind a cursor. */
function findStart<T extends ListItem>(
	all: T[],
	visible: (item: T) => boolean,
	{ rank, offset }: Cursor,
	{ cursorKind, listOrder }: SandboxSettings,
): number {
	if (cursorKind === 'offset' || listOrder === 'random') {
		let count = 0;
		const next = all.findIndex((item) => visible(item) && count++ === offset);
		return next < 0 ? all.length : next;
	}
	return findFirstAfter(all, rank, listOrder);
}

export function renderPagination(
	nextCursor: string | null | undefined,
	settings: SandboxSettings,
): Record<string, unknown> {
	if (nextCursor !== null) return { next_cursor: nextCursor, has_more: true };
	if (settings.lastCursor === 'absent') return { has_more: false };
	return { next_cursor: settings.lastCursor === 'empty' ? '' : null, has_more: false };
}

function rankOf(item: ListItem, order: ListOrder): Rank {
	if (order === 'oldest') return [item.createdAt, item.sequence];
	if (order === 'newest') return [-item.createdAt, -item.sequence];
	return [parseInt(digest(`shuffle:${item.id}`, 12), 16), item.sequence];
}

function compare(a: Rank, b: Rank): number {
	return a[0] - b[0] || a[1] - b[1];
}

function findFirstAfter(items: ListItem[], after: Rank, order: ListOrder): number {
	let low = 0;
	let high = items.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (compare(rankOf(items[middle], order), after) > 0) high = middle;
		else low = middle + 1;
	}
	return low;
}

function parsePageSize(given: unknown, settings: SandboxSettings): number {
	const { defaultPageSize, maxPageSize, ignorePageSize } = settings;
	if (given === undefined || ignorePageSize) return Math.min(defaultPageSize, maxPageSize);
	if (typeof given !== 'string' || !/^[1-9]\d{0,8}$/.test(given)) throw new ApiError(400, 'bad page size');
	return Math.min(Number(given), maxPageSize);
}

/** What a service may keep of a page's last item. */
interface Cursor {
	/** Other lists and orders reject the cursor. */
	list: [name: string, order: ListOrder];
	/** Identifies the item, and its place in the list. */
	rank: Rank;
	/** Number of visible items before the next page. */
	offset: number;
	/** Epoch milliseconds; null if cursors did not expire then. */
	issuedAt: number | null;
	/** Whether an empty page comes before the next items. */
	isEmptyPageNext: boolean;
}

/** @throws ApiError */
function decodeCursor(given: unknown, list: Cursor['list']): Cursor | undefined {
	// Forms and templates send an empty parameter instead of none.
	if (given === undefined || given === '') return undefined;
	const cursor = parseCursor(given);
	if (!cursor || String(cursor.list) !== String(list)) throw new ApiError(400, 'bad cursor');
	return cursor;
}

const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

function parseCursor(given: unknown): Cursor | undefined {
	try {
		const cursor = JSON.parse(Buffer.from(String(given), 'base64url').toString('utf8')) as Cursor;
		return cursor.rank.every(Number.isFinite) ? cursor : undefined;
	} catch {
		return undefined;
	}
}
