import { ApiError } from './errors';
import { digest } from './ids';
import type { ListOrder, SandboxSettings } from './settings';
import type { Clock } from './types';

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
	nextCursor: string | null;
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
 * Returns a page of a collection (contract 2.1). By default, a cursor is a position between items, so it stays valid when
 * items are added or deleted between two pages; the contract shows no kind of cursor.
 *
 * @param isVisible items that are not visible are skipped
 * @throws ApiError 400 on an unknown cursor or a page size that is not a positive integer; the contract shows no
 *   response for either
 */
export function getPage<T extends ListItem>(
	collection: Collection<T>,
	isVisible: (item: T) => boolean,
	request: PageRequest,
	{ settings, clock, random }: PageContext,
): Page<T> {
	const now = clock();
	const visible = (item: T) => item.visibleAt <= now && isVisible(item);
	const order = settings.listOrder;
	const query = new Map(Object.entries(request.query));
	const size = parsePageSize(query.get(settings.limitParam), settings);
	const list: Cursor['list'] = [request.list, order];
	const cursor = decodeCursor(query.get(settings.cursorParam), list, settings, now);
	const all = collection.ordered(order, random);
	const items: T[] = [];
	for (let index = cursor ? findStart(all, visible, cursor, settings) : 0; index < all.length; index++) {
		if (!visible(all[index])) continue;
		if (items.length === size) {
			const rank = rankOf(items[size - 1], order);
			// Without it, the same page always has the same cursor.
			const issuedAt = settings.cursorTtlMs === null ? null : now;
			const next = { list, rank, offset: (cursor?.offset ?? 0) + size, issuedAt };
			return { items, nextCursor: encodeCursor(next) };
		}
		items.push(all[index]);
	}
	return { items, nextCursor: null };
}

/** Returns the index of the first item behind a cursor. @throws ApiError if the cursor's item is gone */
function findStart<T extends ListItem>(
	all: T[],
	visible: (item: T) => boolean,
	{ rank, offset }: Cursor,
	{ cursorKind, listOrder, cursorRejection }: SandboxSettings,
): number {
	if (cursorKind === 'offset' || listOrder === 'random') {
		let count = 0;
		const next = all.findIndex((item) => visible(item) && count++ === offset);
		return next < 0 ? all.length : next;
	}
	const next = findFirstAfter(all, rank, listOrder);
	// No two items have the same rank.
	const last: T | undefined = all[next - 1];
	const isGone = last === undefined || compare(rankOf(last, listOrder), rank) !== 0 || !visible(last);
	if (cursorKind === 'itemId' && isGone) throw new ApiError(cursorRejection, "the cursor's item is gone");
	return next;
}

export function renderPagination(
	nextCursor: string | null,
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
}

/** @throws ApiError */
function decodeCursor(
	given: unknown,
	list: Cursor['list'],
	{ cursorTtlMs, cursorRejection }: SandboxSettings,
	now: number,
): Cursor | undefined {
	// Forms and templates send an empty parameter instead of none.
	if (given === undefined || given === '') return undefined;
	const cursor = parseCursor(given);
	if (!cursor || String(cursor.list) !== String(list)) throw new ApiError(400, 'bad cursor');
	if (cursorTtlMs !== null && now - (cursor.issuedAt ?? now) > cursorTtlMs) {
		throw new ApiError(cursorRejection, 'the cursor has expired');
	}
	return cursor;
}

function encodeCursor({ list, rank, offset, issuedAt }: Cursor): string {
	return Buffer.from(JSON.stringify([...list, ...rank, offset, issuedAt])).toString('base64url');
}

function parseCursor(given: unknown): Cursor | undefined {
	try {
		const parts: unknown = JSON.parse(Buffer.from(String(given), 'base64url').toString('utf8'));
		if (!Array.isArray(parts) || parts.length !== 6) return undefined;
		const [name, order, first, second, offset, issuedAt] = parts as [string, ListOrder, ...number[]];
		if (typeof first !== 'number' || typeof second !== 'number') return undefined;
		return { list: [name, order], rank: [first, second], offset, issuedAt };
	} catch {
		return undefined;
	}
}
