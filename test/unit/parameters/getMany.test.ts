import { checkCursor, getMany } from '../../../nodes/Prospector/parameters/getMany';
import { HintCollector } from '../../../nodes/Prospector/actions/hintCollector';
import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import { fakeClient, fakeExecution, page, expectInvalid, expectError } from '../helpers/support';

const CALL = { endpoint: endpoints.listWorkflows };

async function listWith(parameters: object, answers = [page(['a', 'b'], 'c2'), page(['c'])]) {
	const { context } = fakeExecution({ parameters: { ...parameters } });
	const { client, calls } = fakeClient(answers);
	const notes = new HintCollector();
	const run = async () => await getMany({ context, client, itemIndex: 0, notes }, CALL);
	return { run, calls, notes };
}

describe('Get Many', () => {
	test.each([
		['50 where nothing is set', {}, ['a', 'b', 'c']],
		['all of them', { returnAll: true, limit: 1 }, ['a', 'b', 'c']],
		['the limit', { returnAll: false, limit: 1 }, ['a']],
		['all of them where Return All is text', { returnAll: 'true', limit: 1 }, ['a', 'b', 'c']],
		['the limit where Return All is text', { returnAll: 'False', limit: 1 }, ['a']],
		['the limit from an expression', { limit: '2' }, ['a', 'b']],
	])('puts out %s', async (_, parameters, ids) => {
		const items = await (await listWith(parameters)).run();
		expect(items.map(({ id }) => id)).toEqual(ids);
	});

	test('has a limit of 50 by default', async () => {
		const hundred = page(Array.from({ length: 100 }, (_, i) => `id ${i}`));
		expect(await (await listWith({}, [hundred])).run()).toHaveLength(50);
	});

	test('gives every item the request that brought it', async () => {
		const items = await (await listWith({ returnAll: true })).run();
		expect(items.map(({ request_id }) => request_id)).toEqual(['req of a,b', 'req of a,b', 'req of c']);
	});

	test.each([
		[{}, { cursor: undefined, limit: undefined }],
		[
			{ pageSize: 10, startCursor: 'c9' },
			{ cursor: 'c9', limit: 10 },
		],
		[
			{ pageSize: '10', startCursor: '' },
			{ cursor: undefined, limit: 10 },
		],
		[{ startCursor: ' spaces stay ' }, { cursor: ' spaces stay ', limit: undefined }],
	])('with the options %j asks for %j', async (options, query) => {
		const { run, calls } = await listWith({ limit: 1, options });
		await run();
		expect(calls[0].query).toEqual(query);
	});

	test.each([
		[{ returnAll: 'perhaps' }, "'Return All' is neither true nor false"],
		[{ limit: 0 }, "'Limit' must be a whole number"],
		[{ limit: 'all' }, "'Limit' must be a whole number"],
		[{ options: { pageSize: 0 } }, "'Page Size' must be a whole number"],
		[{ options: { startCursor: { next: 'c2' } } }, "'Start Cursor' is not a cursor"],
	])('with %j asks nothing', async (parameters, words) => {
		const { run, calls } = await listWith(parameters);
		expect((await expectError(run)).message).toContain(words);
		expect(calls).toEqual([]);
	});
});

describe('Get Many that is cut', () => {
	test.each([
		['by a limit within the page', { limit: 1 }, undefined, 1],
		['by a limit at the end of the page', { limit: 2 }, undefined, 1],
		['not by a limit at the end of the list', { limit: 3 }, undefined, 0],
		['not by a limit beyond it', { limit: 4 }, undefined, 0],
		['not with Return All', { returnAll: true, limit: 1 }, undefined, 0],
		['not with Return One Page', { limit: 1, options: { returnOnePage: true } }, undefined, 0],
		[
			'by a limit, though the service does not say where it goes on',
			{ limit: 1 },
			[page(['a'], undefined, true)],
			1,
		],
	])('%s is noted', async (_, parameters, answers, count) => {
		const { run, notes } = await listWith(parameters, answers);
		await run();
		expect(notes.cutLists).toBe(count);
	});
});

describe('Return One Page', () => {
	const onePage = async (options: object, answers?: ReturnType<typeof page>[]) =>
		await listWith({ limit: 1, options: { returnOnePage: true, ...options } }, answers);

	test('gives the whole first page, whose items know the next one', async () => {
		const { run, calls } = await onePage({});
		expect(await run()).toEqual([
			{ id: 'a', next_cursor: 'c2', request_id: 'req of a,b' },
			{ id: 'b', next_cursor: 'c2', request_id: 'req of a,b' },
		]);
		expect(calls.map(({ query }) => query)).toEqual([{ cursor: undefined, limit: undefined }]);
	});

	test.each([
		['true', true],
		['false', false],
	])('may be %s as text', async (returnOnePage, isOn) => {
		const { run } = await onePage({ returnOnePage });
		expect((await run()).map((item) => 'next_cursor' in item)).toEqual(isOn ? [true, true] : [false]);
	});

	test.each([null, '', undefined])('with a Start Cursor of %j begins at the start', async (startCursor) => {
		const { run, calls } = await onePage({ startCursor });
		await run();
		expect(calls[0].query?.cursor).toBeUndefined();
	});

	test('says null on the last page, whatever cursor the service still sends there', async () => {
		const { run } = await onePage({ startCursor: 'c2' }, [page(['c'], 'c3', false)]);
		expect(await run()).toEqual([{ id: 'c', next_cursor: null, request_id: 'req of c' }]);
	});

	test('overrides a field of the resource that has the same name', async () => {
		const data = [{ id: 'a', next_cursor: 'its own' }];
		const { run } = await onePage({}, [{ ...page(['a']), data }]);
		expect((await run())[0].next_cursor).toBeNull();
	});

	test('reads on over empty pages, and asks only for as long a page as it is told', async () => {
		const { run, calls } = await onePage({ pageSize: 7 }, [
			page([], 'c2'),
			page([], 'c3'),
			page(['a'], 'c4'),
		]);
		expect(await run()).toMatchObject([{ id: 'a', next_cursor: 'c4' }]);
		expect(calls.map(({ query }) => query)).toEqual([
			{ cursor: undefined, limit: 7 },
			{ cursor: 'c2', limit: 7 },
			{ cursor: 'c3', limit: 7 },
		]);
	});

	test.each([
		['an empty list', [page([])]],
		['empty pages up to the end', [page([], 'c2'), page([])]],
	])('gives nothing for %s', async (_, answers) => {
		expect(await (await onePage({}, answers)).run()).toEqual([]);
	});

	test.each([
		['says that it goes on, but not where', {}, [page(['a'], undefined, true)], 'but not where'],
		['does so on an empty page', {}, [page([], undefined, true)], 'but not where'],
		['leads to the page it began with', { startCursor: 'c2' }, [page(['a'], 'c2')], 'leads back to a page'],
		[
			'goes on with empty pages for ever',
			{},
			Array.from({ length: 200 }, (_, i) => page([], `c${i}`)),
			'goes on and on with empty pages',
		],
	])('ends with words for a list that %s', async (_, options, answers, words) => {
		const { run } = await onePage(options, answers);
		expect((await expectError(run)).message).toContain(words);
	});

	test.each([5, true, { next_cursor: 'c2' }, ['c2']])('refuses the Start Cursor %j', async (startCursor) => {
		const { run, calls } = await onePage({ startCursor });
		expect((await expectError(run)).message).toBe("'Start Cursor' is not a cursor");
		expect(calls).toEqual([]);
	});
});

describe('a start cursor', () => {
	test.each(['c2', 'eyJpZCI6MX0=', '__proto__', 'x'.repeat(8192)])('%s is used as it is', (cursor) => {
		expect(checkCursor(cursor)).toEqual({ value: cursor });
	});

	test.each([5, true, ['c2'], { cursor: 'c2' }, 'x'.repeat(8193)])('%j is refused', (cursor) => {
		expect(expectInvalid(checkCursor(cursor) as never).message).toBe("'Start Cursor' is not a cursor");
	});
});
