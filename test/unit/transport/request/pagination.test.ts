import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { PaginationFlaw } from '../../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import type { Client } from '../../../../nodes/Prospector/transport/request/client';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { collectItems, type CollectOptions } from '../../../../nodes/Prospector/transport/request/pagination';
import type { ApiResponse } from '../../../../nodes/Prospector/api/response';
import { CONNECTION, TURNS } from '../../helpers/support';

const REQUEST: ApiRequest = { endpoint: endpoints.listRuns, ids: { workflow_id: 'wf_1' } };
const withId = (resource: IDataObject, requestId: string) => `${String(resource.id)} of ${requestId}`;

function page(ids: string[], nextCursor?: string, hasMore = nextCursor !== undefined): ApiResponse {
	return { data: ids.map((id) => ({ id })), requestId: `req ${ids.join('')}`, nextCursor, hasMore };
}

/** A client of a list with these pages, which records the queries. */
function clientOf(respond: ApiResponse[] | ((index: number) => ApiResponse)) {
	const queries: Array<ApiRequest['query']> = [];
	const client = {
		...{ connection: { ...CONNECTION, pageSizeParameter: 'per_page' }, turns: TURNS },
		async tryRequest({ query }: ApiRequest) {
			const index = queries.push(query) - 1;
			const response = typeof respond === 'function' ? respond(index) : respond[index];
			if (response === undefined) throw new Error(`Request ${index} was not expected`);
			return await Promise.resolve(response);
		},
	} as unknown as Client;
	return { client, queries };
}

/** Reads a list, and returns its items or why it can't be read. */
async function collect(client: Client, options: CollectOptions = {}) {
	try {
		return await collectItems(client, REQUEST, options, withId);
	} catch (thrown) {
		return (thrown as { failure: unknown }).failure;
	}
}

const empty = (count: number, from = 0) => Array.from({ length: count }, (_, i) => page([], `c${from + i}`));
const EMPTY_AFTER_ITEM = [...empty(99), page(['a'], 'x'), ...empty(100, 99)];
const withoutIds = (...names: string[]) =>
	names.map((name, i): ApiResponse => ({ ...page([], `c${i}`), data: [{ name }] }));
/** Begins again with its first item after its third one, under new cursors. */
const ROTATING = Array.from({ length: 103 }, (_, i) => page([`${i % 3}`], `c${i}`));
const same = (count: number, ids: string[]) => Array.from({ length: count }, (_, i) => page(ids, `c${i}`));

test('collectItems returns one item per ID and all items without an ID, each with the request ID of its page', async () => {
	const data = [{ id: 'a' }, { id: 7 }, { id: '' }, {}];
	const first = { data, requestId: 'req_1', nextCursor: 'c2', hasMore: true };
	const second = { data: [...data].reverse(), requestId: 'req_2', hasMore: false };
	const items = (await collect(clientOf([first, second]).client)) as string[];
	expect(items.join()).toBe(
		'a of req_1,7 of req_1, of req_1,undefined of req_1,undefined of req_2, of req_2',
	);
});

test.each<[string, ApiResponse[], CollectOptions, PaginationFlaw, number]>([
	['repeats a cursor', [page(['a'], 'c2'), page(['b'], 'c2')], {}, 'cursorLoop', 2],
	['has a loop of cursors', [page(['a'], 'x'), page(['b'], 'y'), page(['c'], 'x')], {}, 'cursorLoop', 3],
	['ignores the cursor', same(3, ['a', 'b']), {}, 'repeatedPage', 3],
	['ignores the cursor before the limit is reached', same(3, ['a', 'b']), { limit: 4 }, 'repeatedPage', 3],
	['has three pages of equal items without an ID', withoutIds('a', 'a', 'a'), {}, 'repeatedPage', 3],
	['has more pages but no cursor', [page(['a'], undefined, true)], {}, 'missingCursor', 1],
	['has no cursor before the limit', [page(['a'], undefined, true)], { limit: 2 }, 'missingCursor', 1],
	['has 100 empty pages', empty(100), {}, 'endlessEmptyPages', 100],
	['has 100 empty pages after an item', EMPTY_AFTER_ITEM, {}, 'endlessEmptyPages', 200],
	['begins again and again', ROTATING, {}, 'noNewItems', 103],
	['begins again before the limit is reached', ROTATING, { limit: 4 }, 'noNewItems', 103],
	['repeats a cursor on an empty page', [page(['a'], 'x'), page([], 'x')], {}, 'cursorLoop', 2],
])(
	'collectItems fails because of invalid pagination if the list %s',
	async (_, pages, options, reason, requests) => {
		const { client, queries } = clientOf(pages);
		const { requestId } = pages[requests - 1];
		expect(await collect(client, options)).toEqual({ kind: 'invalidPagination', reason, requestId });
		expect(queries).toHaveLength(requests);
	},
);

test.each<[string, ApiResponse[], CollectOptions, number]>([
	['has the same single item on two pages', [...same(2, ['a']), page(['b'])], {}, 2],
	['has three pages of items without an ID', [...withoutIds('a', 'b', 'c'), page([])], {}, 3],
	['has 99 empty pages', [...empty(99), page(['a'])], {}, 1],
	['ends with a repeated page', [page(['a', 'b'], 'x'), page(['a', 'b'])], {}, 2],
	['repeats one of two items', [page(['a', 'b'], 'x'), page(['a', 'c'], 'y'), page([])], {}, 3],
	['has no cursor after the limit', [page(['a', 'b'], undefined, true)], { limit: 2 }, 2],
	['has a cursor named __proto__', [page(['a'], '__proto__'), page(['b'])], {}, 2],
	['repeats a cursor on its last page', [page(['a'], 'x'), page(['b'], 'x', false)], {}, 2],
])('collectItems reads a list without a failure even if the list %s', async (_, pages, options, count) => {
	expect(await collect(clientOf(pages).client, options)).toHaveLength(count);
});

test.each([
	[1, []],
	[2, [0]],
	[4, [0, 1, 2]],
	[5, [0, 2, 3]],
	[9, [0, 4, 7]],
])(
	'collectItems reads all %i pages of a list and then those at the indexes %j again, to notice whether the list has changed',
	async (count, again) => {
		const pages = Array.from({ length: count }, (_, i) => page([`${i}`], `c${i}`, i < count - 1));
		const { client, queries } = clientOf([...pages, ...again.map((i) => pages[i])]);
		const onListChanged = jest.fn();
		await collect(client, { onListChanged, pageSize: 5 });
		expect(queries.slice(0, 2)).toEqual([{ per_page: 5 }, { per_page: 5, cursor: 'c0' }].slice(0, count));
		expect([queries.slice(count), onListChanged.mock.calls]).toEqual([again.map((i) => queries[i]), []]);
	},
);

test.each([
	['a last item is gone', ['a']],
	['all items are gone', []],
	['an item is another one', ['a', 'x']],
	['an item was added', ['a', 'b', 'x']],
])('collectItems reports that a list has changed if on a page that it reads again %s', async (_, later) => {
	const { client } = clientOf([page(['a', 'b'], 'c0'), page(['c']), page(later, 'c0')]);
	const onListChanged = jest.fn();
	await collect(client, { onListChanged });
	expect(onListChanged).toHaveBeenCalledTimes(1);
});

test('collectItems does not report that a list has changed if its pages overlap whenever they are read', async () => {
	const overlapping = [page(['a', 'b'], 'c0'), page(['b', 'c'])];
	const onListChanged = jest.fn();
	const { client } = clientOf([...overlapping, overlapping[0]]);
	expect(await collect(client, { onListChanged })).toHaveLength(3);
	expect(onListChanged).not.toHaveBeenCalled();
});

test('collectItems reports that the limit left items unread only if an unread item has another ID, or pages follow', async () => {
	const idsOfPage = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
	const property = fc.asyncProperty(
		fc.array(idsOfPage, { minLength: 1, maxLength: 3 }),
		fc.integer({ min: 1, max: 5 }),
		async (idsByPage, limit) => {
			const cursorAt = (index: number) => (index < idsByPage.length - 1 ? `c${index}` : undefined);
			const { client, queries } = clientOf(idsByPage.map((ids, index) => page(ids, cursorAt(index))));
			const onListTruncated = jest.fn();
			const items = await collect(client, { limit, onListTruncated });
			const readIds = new Set(idsByPage.slice(0, queries.length).flat());
			expect(items).toHaveLength(Math.min(readIds.size, limit));
			const hasUnread = queries.length < idsByPage.length || readIds.size > limit;
			expect(onListTruncated).toHaveBeenCalledTimes(hasUnread ? 1 : 0);
		},
	);
	await fc.assert(property, { numRuns: 100 });
});

/** A client of a list with the given number of items per page, which ends after some pages or never. */
function longList(pageSize: number, pages = Infinity) {
	const rest = new Array<IDataObject>(pageSize - 1).fill({});
	return clientOf((index) => ({
		data: [{ id: index }, ...rest],
		requestId: 'req_1',
		...(index < pages - 1 ? { hasMore: true, nextCursor: `c${index}` } : { hasMore: false }),
	}));
}
const count = async (client: Client, options: CollectOptions = {}) =>
	(await collectItems(client, REQUEST, options, () => 0)).length;

test.each([
	[1, 10_000],
	[50_000, 20],
])(
	'collectItems fails on a list with a page size of %i if the list continues after %i pages',
	async (pageSize, pages) => {
		const { client, queries } = longList(pageSize);
		await expect(count(client)).rejects.toMatchObject({ failure: { reason: 'tooLong' } });
		expect(queries).toHaveLength(pages);
		expect(await count(longList(pageSize, pages).client)).toBe(pageSize * pages);
	},
);

test('collectItems reads 1,050,000 items of a list if the limit is 1,050,000 items', async () => {
	const { client, queries } = longList(50_000);
	expect(await count(client, { limit: 1_050_000 })).toBe(1_050_000);
	expect(queries).toHaveLength(21);
});
