import { ApiError } from './errors';
import { digest } from './ids';
import type { ListOrder, SandboxSettings } from './settings';

export interface ListItem {
	id: string;
	/** Epoch milliseconds. */
	createdAt: number;
	/** Orders items with the same time. */
	sequence: number;
}

type Rank = [number, number];

/** Items that can be listed in several orders, each cached until an item is added or removed. */
export class Collection<T extends ListItem> {
	private readonly byId = new Map<string, T>();
	private readonly orders = new Map<ListOrder, T[]>();

	add(item: T): T {
		this.byId.set(item.id, item);
		this.orders.clear();
		return item;
	}

	remove(id: string): void {
		this.byId.delete(id);
		this.orders.clear();
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

	ordered(order: ListOrder): T[] {
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

/**
 * Returns a page of a collection (contract 2.1). A cursor is a position between items, so it stays valid when items are
 * added or deleted between two pages.
 * @throws ApiError 400 on an unknown cursor or a page size that is not a positive integer; the contract shows no
 *   response for either
 */
export function getPage<T extends ListItem>(
	collection: Collection<T>,
	visible: (item: T) => boolean,
	request: PageRequest,
	settings: SandboxSettings,
): Page<T> {
	const order = settings.listOrder;
	const query = new Map(Object.entries(request.query));
	const size = parsePageSize(query.get(settings.limitParam), settings);
	const after = decodeCursor(query.get(settings.cursorParam), request.list, order);
	const all = collection.ordered(order);
	const items: T[] = [];
	for (let index = after ? findFirstAfter(all, after, order) : 0; index < all.length; index++) {
		if (!visible(all[index])) continue;
		if (items.length === size) {
			const rank = rankOf(items[size - 1], order);
			return { items, nextCursor: encodeCursor(request.list, order, rank) };
		}
		items.push(all[index]);
	}
	return { items, nextCursor: null };
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
	if (given === undefined) return Math.min(settings.defaultPageSize, settings.maxPageSize);
	if (typeof given !== 'string' || !/^[1-9]\d{0,8}$/.test(given)) throw new ApiError(400, 'bad page size');
	return Math.min(Number(given), settings.maxPageSize);
}

function encodeCursor(list: string, order: ListOrder, rank: Rank): string {
	return Buffer.from(JSON.stringify([list, order, ...rank])).toString('base64url');
}

function decodeCursor(given: unknown, list: string, order: ListOrder): Rank | undefined {
	// Forms and templates send an empty parameter instead of none.
	if (given === undefined || given === '') return undefined;
	const parts = typeof given === 'string' ? parseCursor(given) : undefined;
	if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== list || parts[1] !== order) {
		throw new ApiError(400, 'bad cursor');
	}
	const [, , first, second] = parts as unknown[];
	if (typeof first !== 'number' || typeof second !== 'number') throw new ApiError(400, 'bad cursor');
	return [first, second];
}

function parseCursor(cursor: string): unknown {
	try {
		return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
	} catch {
		return undefined;
	}
}
