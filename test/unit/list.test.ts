import { checkCursor, runList } from '../../nodes/Prospector/actions/fields/list';
import { endpoints } from '../../nodes/Prospector/transport/endpoints';
import { fakeClient, fakeExecution, page, problemOf, thrownBy } from './support';

const CALL = { endpoint: endpoints.listWorkflows };

async function listWith(parameters: object, answers = [page(['a', 'b'], 'c2'), page(['c'])]) {
	const { context } = fakeExecution({ parameters: { ...parameters } });
	const { client, calls } = fakeClient(answers);
	const run = async () => await runList({ context, client, itemIndex: 0 }, CALL);
	return { run, calls };
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
		expect((await thrownBy(run)).message).toContain(words);
		expect(calls).toEqual([]);
	});
});

describe('a start cursor', () => {
	test.each(['c2', 'eyJpZCI6MX0=', '__proto__', 'x'.repeat(8192)])('%s is used as it is', (cursor) => {
		expect(checkCursor(cursor)).toEqual({ value: cursor });
	});

	test.each([5, true, ['c2'], { cursor: 'c2' }, 'x'.repeat(8193)])('%j is refused', (cursor) => {
		expect(problemOf(checkCursor(cursor) as never).message).toBe("'Start Cursor' is not a cursor");
	});
});
