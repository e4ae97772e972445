import type { IDataObject } from 'n8n-workflow';
import { endpoints } from '../../../../nodes/Prospector/transport/request/endpoints';
import {
	MAX_EMPTY_PAGES,
	isCursorLoop,
	paginate,
	collectItems,
	type ListOptions,
	type Page,
	type PaginationState,
} from '../../../../nodes/Prospector/transport/request/pagination';
import type { Pagination } from '../../../../nodes/Prospector/transport/request/response';
import { fakeClient, page, expectError } from '../../helpers/support';

const CALL = { endpoint: endpoints.listRuns, ids: { workflow_id: 'wf_1' } };
const pair = (resource: IDataObject, requestId: string) => ({ resource, requestId });
const threePages = () => [page(['a', 'b'], 'c2'), page(['c', 'd'], 'c3'), page(['e'])];

async function read(answers: ReturnType<typeof threePages>, options: ListOptions = {}, connection = {}) {
	const { client, calls } = fakeClient(answers, connection);
	const found = await collectItems(client, CALL, options, pair);
	return { ids: found.map(({ resource }) => resource.id), found, queries: calls.map(({ query }) => query) };
}

describe('a circle', () => {
	test.each<[string, Pagination, Partial<PaginationState>, boolean]>([
		['the last page', { hasMore: false }, {}, false],
		['a last page with a known cursor', { hasMore: false, nextCursor: 'c1' }, { repeats: 9 }, false],
		['a new cursor', { hasMore: true, nextCursor: 'c2' }, {}, false],
		['a cursor called __proto__', { hasMore: true, nextCursor: '__proto__' }, {}, false],
		['no cursor', { hasMore: true }, {}, false],
		['a known cursor', { hasMore: true, nextCursor: 'c1' }, {}, true],
		['the same page again', { hasMore: true, nextCursor: 'c2' }, { repeats: 1 }, true],
		['the same single resource again', { hasMore: true, nextCursor: 'c2' }, { repeats: 1, size: 1 }, false],
		['it once more', { hasMore: true, nextCursor: 'c2' }, { repeats: 2, size: 1 }, true],
		['an empty page again', { hasMore: true, nextCursor: 'c2' }, { repeats: 98, size: 0 }, false],
		['the hundredth empty page', { hasMore: true, nextCursor: 'c2' }, { repeats: 99, size: 0 }, true],
	])('after %s: %#', (_, pagination, progress, expected) => {
		const known = { followed: new Set(['c1']), repeats: 0, size: 2, ...progress };
		expect(isCursorLoop(pagination, known)).toBe(expected);
	});
});

describe('a list', () => {
	test('is read to its end, each resource with the request that brought it', async () => {
		const { found, queries } = await read(threePages());
		expect(found.map(({ resource, requestId }) => `${String(resource.id)} ${requestId}`)).toEqual([
			'a req of a,b',
			'b req of a,b',
			'c req of c,d',
			'd req of c,d',
			'e req of e',
		]);
		expect(queries.map((query) => query?.cursor)).toEqual([undefined, 'c2', 'c3']);
	});

	test.each([
		[1, ['a'], 1],
		[2, ['a', 'b'], 1],
		[3, ['a', 'b', 'c'], 2],
		[4, ['a', 'b', 'c', 'd'], 2],
		[5, ['a', 'b', 'c', 'd', 'e'], 3],
		[99, ['a', 'b', 'c', 'd', 'e'], 3],
	])('with a limit of %i costs no request too many', async (limit, ids, requests) => {
		const list = await read(threePages(), { limit });
		expect(list.ids).toEqual(ids);
		expect(list.queries).toHaveLength(requests);
	});

	test.each<[string, ListOptions, object, Array<Record<string, unknown>>]>([
		[
			'nothing set',
			{},
			{},
			[
				{ cursor: undefined, limit: undefined },
				{ cursor: 'c2', limit: undefined },
			],
		],
		['a page size', { pageSize: 2 }, {}, [{ limit: 2 }, { cursor: 'c2', limit: 2 }]],
		['a start cursor', { startCursor: 'c9' }, {}, [{ cursor: 'c9' }, { cursor: 'c2' }]],
		[
			'parameter names of its own',
			{ startCursor: 'c9', pageSize: 2 },
			{ cursorParameter: 'after', pageSizeParameter: 'per_page' },
			[
				{ after: 'c9', per_page: 2 },
				{ after: 'c2', per_page: 2 },
			],
		],
	])('with %s is asked for so', async (_, options, connection, expected) => {
		const { queries } = await read([page(['a'], 'c2'), page(['b'])], options, connection);
		expect(queries).toEqual(expected);
	});

	test('keeps the call’s own query on every page', async () => {
		const { client, calls } = fakeClient([page(['a'], 'c2'), page(['b'])]);
		await collectItems(client, { ...CALL, query: { status: 'done' } }, {}, pair);
		expect(calls.map(({ query }) => query?.status)).toEqual(['done', 'done']);
	});

	test('of pages without resources goes on to the end', async () => {
		expect((await read([page([], 'c2'), page([], 'c3'), page(['a'])])).ids).toEqual(['a']);
	});

	test('of nothing but empty pages ends with words, and one page with a resource starts the count anew', async () => {
		const empty = (count: number, from: number) =>
			Array.from({ length: count }, (_, i) => page([], `c${from + i}`));
		const answers = [...empty(MAX_EMPTY_PAGES - 1, 0), page(['a'], 'x'), ...empty(MAX_EMPTY_PAGES, 1000)];
		const { client, calls } = fakeClient(answers);
		const error = await expectError(async () => await collectItems(client, CALL, {}, pair));
		expect(error.message).toMatch(/^The list goes on and on with empty pages \(request /);
		expect(calls).toHaveLength(2 * MAX_EMPTY_PAGES);
	});

	test.each<[string, ReturnType<typeof threePages>, ListOptions, string, number]>([
		['a cursor that comes back', [page(['a'], 'c2'), page(['b'], 'c2')], {}, 'leads back', 2],
		['a circle of cursors', [page(['a'], 'x'), page(['b'], 'y'), page(['c'], 'x')], {}, 'leads back', 3],
		['the start cursor', [page(['a'], 'c9')], { startCursor: 'c9' }, 'leads back', 1],
		['no cursor', [page(['a'], undefined, true)], {}, 'not where', 1],
		['no cursor and too little', [page(['a'], undefined, true)], { limit: 2 }, 'not where', 1],
	])('that leads on to %s ends with words and no items', async (_, answers, options, words, requests) => {
		const { client, calls } = fakeClient(answers);
		const error = await expectError(async () => await collectItems(client, CALL, options, pair));
		expect(error.message).toContain(words);
		expect(calls).toHaveLength(requests);
	});

	test.each<[string, ReturnType<typeof threePages>]>([
		['says that it goes on, but not where', [page(['a', 'b'], undefined, true)]],
	])('that %s is good enough for whoever has enough', async (_, answers) => {
		expect((await read(answers, { limit: 2 })).ids).toEqual(['a', 'b']);
	});

	test('whose service does not know the cursor ends with words, even where a limit would be met', async () => {
		const same = () => page(['a', 'b'], 'p2');
		const { client, calls } = fakeClient([same(), same(), same()]);
		const error = await expectError(async () => await collectItems(client, CALL, { limit: 4 }, pair));
		expect(error.message).toContain('leads back');
		expect(calls).toHaveLength(2);
	});

	test('of the same page under ever new cursors ends with words', async () => {
		const { client, calls } = fakeClient(Array.from({ length: 9 }, (_, i) => page(['a', 'b'], `c${i}`)));
		await expect(collectItems(client, CALL, {}, pair)).rejects.toThrow('leads back');
		expect(calls).toHaveLength(2);
	});

	test('of an answer without pagination is one page', async () => {
		const { client } = fakeClient([{ data: [{ id: 'a' }], requestId: 'req_1' }]);
		expect(await collectItems(client, CALL, {}, pair)).toHaveLength(1);
	});
});

test('pages show where the next one begins, and nothing on the last one', async () => {
	const { client } = fakeClient([page(['a'], 'c2'), { ...page(['b'], 'c3', false) }]);
	const read: Page[] = [];
	for await (const one of paginate(client, CALL)) read.push(one);
	expect(read.map(({ nextCursor }) => nextCursor)).toEqual(['c2', undefined]);
});

describe('a list that never ends', () => {
	/** A client whose every page has new resources and a new cursor. */
	function endless(pageSize: number) {
		const { client } = fakeClient([]);
		let pagesSent = 0;
		client.request = async () => {
			pagesSent++;
			const ids = Array.from({ length: pageSize }, (_, i) => `${pagesSent}-${i}`);
			return page(ids, `cursor-${pagesSent}`);
		};
		return { client, pagesSent: () => pagesSent };
	}

	test.each([
		[1, 10_000, 'The list goes on after 10,000 pages, so nothing was returned'],
		[1000, 1000, 'The list goes on after 1,000,000 items, so nothing was returned'],
	])('ends with a message if all of it is wanted, in pages of %i', async (size, pagesRead, message) => {
		const { client, pagesSent } = endless(size);
		const { message: shown } = await expectError(async () => await collectItems(client, CALL, {}, () => 0));
		expect(shown).toContain(message);
		expect(pagesSent()).toBe(pagesRead);
	});

	test('is read up to a limit, however large', async () => {
		const { client, pagesSent } = endless(1000);
		expect(await collectItems(client, CALL, { limit: 1_500_000 }, () => 0)).toHaveLength(1_500_000);
		expect(pagesSent()).toBe(1500);
	});
});
