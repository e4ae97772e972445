import { executeNode, pageResponse, listResponse } from '../helpers/support';

const PAGES = [pageResponse(['a', 'b'], 'c2'), pageResponse(['c'])];
const CUT =
	"after 'Limit', so not everything was returned. Raise 'Limit', or turn on 'Return All' for the rest.";

async function list(parameters: object, answers = PAGES) {
	const { items, queries, hints, message } = await executeNode({
		operation: 'workflow.getAll',
		parameters: { ...parameters },
		answers,
	});
	return { items, ids: items.map(({ id }) => id), queries, hints, message };
}

describe('Get Many', () => {
	test.each<[object, string[], boolean]>([
		[{ limit: 1 }, ['a'], true],
		[{ limit: 2 }, ['a', 'b'], true],
		[{ limit: 3 }, ['a', 'b', 'c'], false],
		[{}, ['a', 'b', 'c'], false],
		[{ returnAll: true, limit: 1 }, ['a', 'b', 'c'], false],
	])('with %j returns %j, and a hint if the list goes on: %j', async (parameters, expected, isCut) => {
		const { ids, hints } = await list(parameters);
		expect(ids).toEqual(expected);
		expect(hints.map(({ message, type }) => [message, type])).toEqual(
			isCut ? [[`The list goes on ${CUT}`, 'info']] : [],
		);
	});

	test('returns a hint if the limit cuts the last page, or a page without a cursor', async () => {
		for (const answer of [pageResponse(['a', 'b']), listResponse([{ id: 'a' }], { has_more: true })]) {
			expect((await list({ limit: 1 }, [answer])).hints).toHaveLength(1);
		}
	});

	test('returns the request ID of its page with each item', async () => {
		const { items } = await list({ returnAll: true });
		expect(items).toEqual([
			{ id: 'a', request_id: 'req of a,b' },
			{ id: 'b', request_id: 'req of a,b' },
			{ id: 'c', request_id: 'req of c' },
		]);
	});

	test('sends the page size and the cursor', async () => {
		const { queries } = await list({ returnAll: true, options: { pageSize: 10, startCursor: 'c1' } });
		expect(queries).toEqual([
			{ cursor: 'c1', limit: 10 },
			{ cursor: 'c2', limit: 10 },
		]);
	});
});

describe('Return One Page', () => {
	const onePage = async (options: object, answers?: typeof PAGES) =>
		await list({ limit: 1, options: { returnOnePage: true, ...options } }, answers);

	test('returns the whole first page with the cursor of the next, without a hint', async () => {
		const { items, queries, hints } = await onePage({});
		expect(items).toEqual([
			{ id: 'a', next_cursor: 'c2', request_id: 'req of a,b' },
			{ id: 'b', next_cursor: 'c2', request_id: 'req of a,b' },
		]);
		expect({ queries, hints }).toEqual({ queries: [{}], hints: [] });
	});

	test('returns null for the cursor of the last page, whatever its items contain', async () => {
		const last = listResponse([{ id: 'c', next_cursor: 'its own' }], { has_more: false, next_cursor: 'c3' });
		const { items, queries } = await onePage({ startCursor: 'c2' }, [last]);
		expect(items).toEqual([{ id: 'c', next_cursor: null, request_id: 'req_1' }]);
		expect(queries).toEqual([{ cursor: 'c2' }]);
	});

	test('skips empty pages', async () => {
		const answers = [pageResponse([], 'c2'), pageResponse([], 'c3'), pageResponse(['a'], 'c4')];
		const { items, queries } = await onePage({ pageSize: 7 }, answers);
		expect(items).toMatchObject([{ id: 'a', next_cursor: 'c4' }]);
		expect(queries).toEqual([{ limit: 7 }, { cursor: 'c2', limit: 7 }, { cursor: 'c3', limit: 7 }]);
	});

	test('returns no item if there are only empty pages', async () => {
		for (const answers of [[pageResponse([])], [pageResponse([], 'c2'), pageResponse([])]]) {
			expect((await onePage({}, answers)).items).toEqual([]);
		}
	});
});
