import { ApiError } from './errors';
import { digest } from './ids';
import type { ListOrder, SandboxSettings } from './settings';

export interface Listed {
	id: string;
	/** ms */
	createdAt: number;
	/** Order of making, for equal times. */
	sequence: number;
}

type Rank = [number, number];

/** Things in the order of a list. Sorted orders are kept until something is added or removed. */
export class Collection<T extends Listed> {
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
	/** Tells lists apart, so that a cursor of one is refused by another. */
	list: string;
	query: Record<string, unknown>;
}

/**
 * One page of a collection (contract 2.1). A cursor names a place between items, not an item: it holds when
 * things are added or deleted between two pages.
 * @throws ApiError 400 on a cursor this list never gave out, or a page size that is no positive whole number;
 *   the contract shows no answer for either
 */
export function pageOf<T extends Listed>(
	collection: Collection<T>,
	visible: (item: T) => boolean,
	request: PageRequest,
	settings: SandboxSettings,
): Page<T> {
	const order = settings.listOrder;
	const query = new Map(Object.entries(request.query));
	const size = pageSize(query.get(settings.limitParam), settings);
	const place = readCursor(query.get(settings.cursorParam), request.list, order);
	const all = collection.ordered(order);
	const items: T[] = [];
	for (let index = place ? firstAfter(all, place, order) : 0; index < all.length; index++) {
		if (!visible(all[index])) continue;
		if (items.length === size) {
			const rank = rankOf(items[size - 1], order);
			return { items, nextCursor: writeCursor(request.list, order, rank) };
		}
		items.push(all[index]);
	}
	return { items, nextCursor: null };
}

/** The pagination object of a list response (contract 2.1). */
export function paginationOf(nextCursor: string | null, settings: SandboxSettings): Record<string, unknown> {
	if (nextCursor !== null) return { next_cursor: nextCursor, has_more: true };
	if (settings.lastCursor === 'absent') return { has_more: false };
	return { next_cursor: settings.lastCursor === 'empty' ? '' : null, has_more: false };
}

function rankOf(item: Listed, order: ListOrder): Rank {
	if (order === 'oldest') return [item.createdAt, item.sequence];
	if (order === 'newest') return [-item.createdAt, -item.sequence];
	return [parseInt(digest(`shuffle:${item.id}`, 12), 16), item.sequence];
}

function compare(a: Rank, b: Rank): number {
	return a[0] - b[0] || a[1] - b[1];
}

function firstAfter(items: Listed[], place: Rank, order: ListOrder): number {
	let low = 0;
	let high = items.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (compare(rankOf(items[middle], order), place) > 0) high = middle;
		else low = middle + 1;
	}
	return low;
}

function pageSize(given: unknown, settings: SandboxSettings): number {
	if (given === undefined) return Math.min(settings.defaultPageSize, settings.maxPageSize);
	if (typeof given !== 'string' || !/^[1-9]\d{0,8}$/.test(given)) throw new ApiError(400, 'bad page size');
	return Math.min(Number(given), settings.maxPageSize);
}

function writeCursor(list: string, order: ListOrder, rank: Rank): string {
	return Buffer.from(JSON.stringify([list, order, ...rank])).toString('base64url');
}

function readCursor(given: unknown, list: string, order: ListOrder): Rank | undefined {
	// Forms and templates send an empty parameter where they mean none.
	if (given === undefined || given === '') return undefined;
	const parts = typeof given === 'string' ? decode(given) : undefined;
	if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== list || parts[1] !== order) {
		throw new ApiError(400, 'bad cursor');
	}
	const [, , first, second] = parts as unknown[];
	if (typeof first !== 'number' || typeof second !== 'number') throw new ApiError(400, 'bad cursor');
	return [first, second];
}

function decode(cursor: string): unknown {
	try {
		return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
	} catch {
		return undefined;
	}
}
