import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { digest } from '../transport/digest';
import { failureOf } from '../transport/errors';
import type { Call } from '../transport/failure';
import { pages } from '../transport/pagination';
import { toText } from '../transport/values';
import { noEvidence, observe, verdict, type ListOrder, type OrderEvidence } from './listOrder';
import { tailOf, type PageStart, type Tail } from './tail';
import { CLOCKS_DIFFER, UNDATED, type SeenList } from './seenList';

/** An item of a list, with what is kept of it. */
export interface ListItem {
	resource: IDataObject;
	/** Of the request that brought it. */
	requestId: string;
	/** A short digest of its id. */
	hash: string;
	/** Milliseconds since the epoch, or {@link UNDATED}. */
	created: number;
}

export interface Walk {
	client: Client;
	call: Call;
	/** Items per request; the service's own number if absent. */
	pageSize?: number;
	seen: SeenList;
	/** On this machine's clock. */
	now: number;
	/** Asked between two pages: true where there is no time for another. */
	isOver?: () => boolean;
	/** How the list is known to be sorted; without it, every page is read. */
	order?: ListOrder;
}

/** What a walk through a list tells beside its items. */
export interface WalkEnd {
	pages: number;
	/** Whether the list was read from its beginning to its end. */
	whole: boolean;
	/** The order it turned out to have, where it was read far enough to tell. */
	order?: ListOrder;
	/** Newest `created_at` read; 0 for none. */
	newest: number;
	tail?: Tail;
}

/** @returns eight characters; among 10,000 ids, one in five million times two share theirs */
export const shortDigest = (id: unknown) =>
	Buffer.from(digest(toText(id)).slice(0, 12), 'hex').toString('base64url');

/** @returns milliseconds since the epoch, or {@link UNDATED} */
export function momentOf(timestamp: unknown): number {
	const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
	return Number.isNaN(moment) ? UNDATED : moment;
}

export const listItem = (resource: IDataObject, requestId: string): ListItem => ({
	resource,
	requestId,
	hash: shortDigest(resource.id),
	created: momentOf(resource.created_at),
});

/**
 * Reads of a list what may have changed, and no page more than its order requires: with the newest first down to what
 * is confirmed, with the oldest first from its last page on, in any other order everything.
 *
 * @param take told of every item once
 * @returns 'outOfTime' where not everything was read
 * @throws NodeApiError when a page cannot be had
 */
export async function walk(plan: Walk, take: (item: ListItem) => void): Promise<WalkEnd | 'outOfTime'> {
	const taken = new Set<string>();
	const takeOnce = (item: ListItem) => {
		if (taken.has(item.hash)) return;
		taken.add(item.hash);
		take(item);
	};
	const { tail } = plan.seen;
	const resumed =
		plan.order === 'oldest' && tail !== undefined ? await resume(plan, tail, takeOnce) : undefined;
	return resumed ?? (await fromStart(plan, takeOnce));
}

/** What pages have told so far. */
interface Reading {
	evidence: OrderEvidence;
	starts: PageStart[];
	pages: number;
	newest: number;
}

const nothingRead = (): Reading => ({ evidence: noEvidence(), starts: [], pages: 0, newest: 0 });

async function fromStart(
	{ client, call, pageSize, seen, order, now, isOver }: Walk,
	take: (item: ListItem) => void,
): Promise<WalkEnd | 'outOfTime'> {
	const reading = nothingRead();
	let cursor: string | undefined;
	for await (const page of pages(client, call, { pageSize })) {
		const items = readPage(reading, page, cursor, now);
		items.forEach(take);
		const last = items.at(-1);
		if (order === 'newest' && reading.evidence.newest && last && last.created < seen.confirmed) {
			return { pages: reading.pages, newest: reading.newest, whole: false };
		}
		cursor = page.nextCursor;
		if (cursor !== undefined && isOver?.()) return 'outOfTime';
	}
	const { evidence, starts, newest } = reading;
	const found = verdict(evidence);
	const isOldestFirst = (found ?? order) === 'oldest' && evidence.oldest;
	const tail = isOldestFirst ? tailOf(starts, newest) : undefined;
	return { pages: reading.pages, newest, whole: true, order: found, tail };
}

/** @returns undefined where the remembered page is not what it was: then the list is to be read from its start */
async function resume(
	{ client, call, pageSize, now, isOver }: Walk,
	tail: Tail,
	take: (item: ListItem) => void,
): Promise<WalkEnd | 'outOfTime' | undefined> {
	const reading = nothingRead();
	let { cursor }: { cursor?: string } = tail;
	try {
		for await (const page of pages(client, call, { pageSize, startCursor: cursor })) {
			const items = readPage(reading, page, cursor, now);
			if (reading.pages === 1 && items[0]?.hash !== tail.anchor) return undefined;
			if (!reading.evidence.oldest) return undefined;
			items.forEach(take);
			cursor = page.nextCursor;
			if (cursor !== undefined && isOver?.()) return 'outOfTime';
		}
	} catch (error) {
		return isForgottenCursor(error) ? undefined : await Promise.reject(error as Error);
	}
	const { starts, newest } = reading;
	return { pages: reading.pages, newest, whole: false, tail: tailOf(starts, newest) };
}

/** Notes what a page tells, and gives its items. */
function readPage(
	reading: Reading,
	page: { resources: IDataObject[]; requestId: string },
	cursor: string | undefined,
	now: number,
): ListItem[] {
	const items = page.resources.map((resource) => listItem(resource, page.requestId));
	for (const { created } of items) {
		observe(reading.evidence, created);
		if (created <= now + CLOCKS_DIFFER) reading.newest = Math.max(reading.newest, created);
	}
	reading.pages++;
	if (items.length > 0) reading.starts.push({ cursor, anchor: items[0].hash, created: items[0].created });
	return items;
}

/** How a service refuses a cursor that it does not know any more is not in the contract: by some 4xx, most likely. */
function isForgottenCursor(error: unknown): boolean {
	const failure = failureOf(error);
	if (failure?.kind === 'brokenList') return true;
	return (
		failure?.kind === 'status' &&
		failure.status >= 400 &&
		failure.status < 500 &&
		![401, 403, 429].includes(failure.status)
	);
}
