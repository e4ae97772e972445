import { endpoints } from '../../nodes/Prospector/transport/endpoints';
import {
	MAX_EMPTY_PAGES,
	nextPage,
	pages,
	readList,
	type ListOptions,
	type Page,
} from '../../nodes/Prospector/transport/pagination';
import { fakeClient, page, thrownBy } from './support';

const CALL = { endpoint: endpoints.listRuns, ids: { workflow_id: 'wf_1' } };
const threePages = () => [page(['a', 'b'], 'c2'), page(['c', 'd'], 'c3'), page(['e'])];

async function read(answers: ReturnType<typeof threePages>, options: ListOptions = {}, connection = {}) {
	const { client, calls } = fakeClient(answers, connection);
	const found = await readList(client, CALL, options);
	return { ids: found.map(({ resource }) => resource.id), found, queries: calls.map(({ query }) => query) };
}

describe('the page after a page', () => {
	test.each([
		['the last page', { hasMore: false }, [], {}],
		['a last page with a cursor', { hasMore: false, nextCursor: 'c2' }, [], {}],
		['a last page with a known cursor', { hasMore: false, nextCursor: 'c1' }, ['c1'], {}],
		['a page with a new cursor', { hasMore: true, nextCursor: 'c2' }, ['c1'], { cursor: 'c2' }],
		['a cursor called __proto__', { hasMore: true, nextCursor: '__proto__' }, [], { cursor: '__proto__' }],
	])('follows from %s', (_, pagination, seen, expected) => {
		expect(nextPage(pagination, { followed: new Set(seen), emptyPages: 0 }, 'req_1')).toEqual(expected);
	});

	test.each([
		['no cursor', { hasMore: true }, [], 'noCursor'],
		['a known cursor', { hasMore: true, nextCursor: 'c1' }, ['c1'], 'circle'],
	])('is missed after %s', (_, pagination, seen, flaw) => {
		expect(nextPage(pagination, { followed: new Set(seen), emptyPages: 0 }, 'req_1')).toEqual({
			kind: 'brokenList',
			flaw,
			requestId: 'req_1',
		});
	});

	test.each([
		[MAX_EMPTY_PAGES - 1, { cursor: 'c2' }],
		[MAX_EMPTY_PAGES, { kind: 'brokenList', flaw: 'onlyEmptyPages', requestId: 'req_1' }],
	])('is not looked for without end: after %i empty pages', (emptyPages, expected) => {
		const pagination = { hasMore: true, nextCursor: 'c2' };
		expect(nextPage(pagination, { followed: new Set(), emptyPages }, 'req_1')).toEqual(expected);
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
		await readList(client, { ...CALL, query: { status: 'done' } }, {});
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
		const error = await thrownBy(async () => await readList(client, CALL, {}));
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
		const error = await thrownBy(async () => await readList(client, CALL, options));
		expect(error.message).toContain(words);
		expect(calls).toHaveLength(requests);
	});

	test.each<[string, ReturnType<typeof threePages>]>([
		['says that it goes on, but not where', [page(['a', 'b'], undefined, true)]],
		['leads back', [page(['a'], 'c2'), page(['b'], 'c2')]],
	])('that %s is good enough for whoever has enough', async (_, answers) => {
		expect((await read(answers, { limit: 2 })).ids).toEqual(['a', 'b']);
	});

	test('of an answer without pagination is one page', async () => {
		const { client } = fakeClient([{ data: [{ id: 'a' }], requestId: 'req_1' }]);
		expect(await readList(client, CALL, {})).toHaveLength(1);
	});
});

test('pages show where the next one begins, and nothing on the last one', async () => {
	const { client } = fakeClient([page(['a'], 'c2'), { ...page(['b'], 'c3', false) }]);
	const read: Page[] = [];
	for await (const one of pages(client, CALL)) read.push(one);
	expect(read.map(({ nextCursor }) => nextCursor)).toEqual(['c2', undefined]);
});
