import { executeNode, httpResponse, itemResponse, listResponse, pageResponse } from '../helpers/support';

const PAGES = [pageResponse(['a', 'b'], 'c2'), pageResponse(['c'])];
const CUT = "There are more items than 'Limit'. Turn on 'Return All' to get them all.";

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
		expect(hints.map(({ message, type }) => [message, type])).toEqual(isCut ? [[CUT, 'info']] : []);
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

	test('sends the page size, and the cursor of the page before', async () => {
		const { queries } = await list({ returnAll: true, options: { pageSize: 10, startCursor: 'c1' } });
		expect(queries).toEqual([{ limit: 10 }, { cursor: 'c2', limit: 10 }]);
	});

	test('sends requests with the timeout of the credential', async () => {
		for (const [credential, timeout] of [
			[{}, 60_000],
			[{ requestTimeout: 7 }, 60_000],
			[{ showAdvanced: true, requestTimeout: 7 }, 7000],
		] as const) {
			const { requests } = await executeNode({ operation: 'workflow.getAll', credential });
			expect(requests.map((request) => request.timeout)).toEqual([timeout]);
		}
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

describe.each(['workflow.getAll', 'run.getAll', 'result.getAll'])(
	'the query parameters of %s',
	(operation) => {
		const IDS = { workflowId: 'wf_1', runId: 'run_1' };
		const queryParameters = (...parameter: Array<{ name: string; value: unknown }>) => ({
			filters: { queryParameters: { parameter } },
		});
		const listWith = async (parameters: object, credential = {}) => {
			const { queries, urls, ...rest } = await executeNode({
				operation,
				parameters: { ...IDS, returnAll: true, ...parameters },
				credential,
				answers: [
					({ url }) => (url.endsWith('/runs/run_1') ? itemResponse({ status: 'done' }) : PAGES[pages++]),
				],
			});
			const isList = (_: unknown, i: number) => !urls[i].endsWith('/runs/run_1');
			return {
				...rest,
				queries: queries.filter(isList),
				others: queries.filter((one, i) => !isList(one, i)),
			};
		};
		let pages = 0;
		beforeEach(() => (pages = 0));

		test('are sent with every page, and only with those', async () => {
			const filters = queryParameters({ name: 'city', value: 'Ghent' }, { name: 'min', value: 5 });
			const query = { city: 'Ghent', min: '5' };
			const { queries, others, items } = await listWith({ ...filters, options: { pageSize: 9 } });
			expect(queries).toEqual([
				{ ...query, limit: 9 },
				{ ...query, cursor: 'c2', limit: 9 },
			]);
			expect(others).toEqual(operation === 'result.getAll' ? [{}] : []);
			expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
		});

		test('are sent with one page', async () => {
			const filters = queryParameters({ name: 'city', value: 'Ghent' });
			const options = { returnOnePage: true, startCursor: 'c1' };
			expect((await listWith({ ...filters, options })).queries).toEqual([{ city: 'Ghent', cursor: 'c1' }]);
		});

		test('are not sent if they have no value', async () => {
			const filters = queryParameters({ name: 'city', value: '' });
			expect((await listWith(filters)).queries).toEqual([{}, { cursor: 'c2' }]);
		});

		const RENAMED = { showAdvanced: true, cursorParameter: 'after', pageSizeParameter: 'size' };
		test.each([
			['cursor', {}, 'Start Cursor'],
			[' limit ', {}, 'Page Size'],
			['after', RENAMED, 'Start Cursor'],
			['size', RENAMED, 'Page Size'],
		])("can't be called %j, which the node sets itself (%j)", async (name, credential, label) => {
			for (const value of ['x', 5]) {
				const filters = queryParameters({ name: 'city', value: 'Ghent' }, { name, value });
				for (const options of [{}, { returnOnePage: true }]) {
					expect(await listWith({ ...filters, options }, credential)).toMatchObject({
						message: `'${name.trim()}' can't be in 'Query Parameters'`,
						description: `Use '${label}' under Options.`,
						queries: [],
					});
				}
			}
		});

		test('can be called cursor and limit if the service calls them otherwise', async () => {
			const filters = queryParameters({ name: 'cursor', value: 'x' }, { name: 'limit', value: 2 });
			expect((await listWith(filters, RENAMED)).queries).toEqual([
				{ cursor: 'x', limit: '2' },
				{ after: 'c2', cursor: 'x', limit: '2' },
			]);
		});

		test('can have any other name, also one of Object.prototype', async () => {
			const filters = queryParameters({ name: '__proto__', value: 'x' }, { name: 'toString', value: 'y' });
			const [query] = (await listWith(filters)).queries;
			expect(Object.entries(query as object)).toEqual([
				['__proto__', 'x'],
				['toString', 'y'],
			]);
		});
	},
);

describe('the filters of Run › Get Many', () => {
	const run = (id: string, status?: unknown, created_at?: unknown) => ({ id, status, created_at });
	const day = (n: number) => `2026-01-0${n}T08:00:00Z`;
	const RUNS = [
		[run('r1', 'completed', day(2)), run('r2', 'Timed Out', day(4)), run('r3', 'running')],
		[run('r4', ' COMPLETED ', day(1)), run('r5', 'failed', day(3)), run('r6', undefined, 'yesterday')],
		[
			run('r7', 'completed', '2026-01-02T09:00:00+02:00'),
			run('r8', 'done', 5),
			run('r9', 'completed', day(5)),
		],
	];
	const RUN_PAGES = RUNS.map((runs, i) =>
		listResponse(runs, i < 2 ? { has_more: true, next_cursor: `c${i + 2}` } : { has_more: false }),
	);

	const listRuns = async (filters: object, parameters: object = {}) => {
		const { items, urls, hints, message, description, queries } = await executeNode({
			operation: 'run.getAll',
			parameters: { workflowId: 'wf_1', returnAll: true, filters, ...parameters },
			answers: RUN_PAGES,
		});
		const shown = hints.map((hint) => hint.message);
		return { ids: items.map(({ id }) => id).join(' '), urls, hints: shown, message, description, queries };
	};
	const ALL = 'r1 r2 r3 r4 r5 r6 r7 r8 r9';

	test.each<[object, string]>([
		[{}, ALL],
		[{ status: '' }, ALL],
		[{ status: 'completed' }, 'r1 r4 r7 r9'],
		[{ status: 'timed_out, Failed' }, 'r2 r5'],
		[{ status: ['running', 'done'] }, 'r3 r8'],
		[{ status: 'complete' }, ''],
		[{ sort: 'newestFirst' }, 'r9 r2 r5 r1 r7 r4 r3 r6 r8'],
		[{ sort: 'oldestFirst' }, 'r4 r7 r1 r5 r2 r9 r3 r6 r8'],
		[{ sort: 'newestFirst', status: 'completed, running' }, 'r9 r1 r7 r4 r3'],
		[{ sort: 'oldestFirst', status: 'completed' }, 'r4 r7 r1 r9'],
	])('%j return %s, after the whole list was read', async (filters, ids) => {
		for (const [limit, returnAll] of [
			[1, true],
			[9, false],
		]) {
			const { urls, ...result } = await listRuns(filters, { limit, returnAll });
			expect(result).toMatchObject({ ids, hints: [], message: undefined });
			expect(urls).toHaveLength(3);
		}
	});

	test.each<[object, number, string, boolean]>([
		[{ status: 'completed' }, 1, 'r1', true],
		[{ status: 'completed' }, 3, 'r1 r4 r7', true],
		[{ status: 'completed' }, 4, 'r1 r4 r7 r9', false],
		[{ status: 'running' }, 1, 'r3', false],
		[{ status: 'nothing' }, 1, '', false],
		[{ status: 'completed', sort: 'newestFirst' }, 1, 'r9', false],
		[{ sort: 'newestFirst' }, 2, 'r9 r2', false],
		[{ sort: 'oldestFirst' }, 8, 'r4 r7 r1 r5 r2 r9 r3 r6', false],
		[{ sort: 'oldestFirst' }, 9, 'r4 r7 r1 r5 r2 r9 r3 r6 r8', false],
	])(
		'%j with Limit %i return %j, and a hint if there are more that were not sorted: %j',
		async (filters, limit, ids, isCut) => {
			const result = await listRuns(filters, { returnAll: false, limit });
			expect(result).toMatchObject({ ids, hints: isCut ? [CUT] : [] });
			expect(result.urls).toHaveLength(3);
		},
	);

	test('return at most 50 by default', async () => {
		const runs = Array.from({ length: 51 }, (_, i) => run(`r${i}`, 'done'));
		const { items, hints } = await executeNode({
			operation: 'run.getAll',
			parameters: { workflowId: 'wf_1', filters: { status: 'done' } },
			answers: [listResponse(runs)],
		});
		expect([items.length, hints.map(({ message }) => message)]).toEqual([50, [CUT]]);
	});

	test('use the page size', async () => {
		const { queries } = await listRuns({ sort: 'newestFirst' }, { limit: 1, options: { pageSize: 3 } });
		expect(queries).toEqual([{ limit: 3 }, { cursor: 'c2', limit: 3 }, { cursor: 'c3', limit: 3 }]);
	});

	test.each([{ status: 'done' }, { sort: 'newestFirst' }, { status: 'done', sort: 'oldestFirst' }])(
		'%j need the whole list, and not one page',
		async (filters) => {
			expect(await listRuns(filters, { options: { returnOnePage: true } })).toMatchObject({
				message: "'Status' and 'Sort' need the whole list",
				description: "Remove them from 'Filters', or turn off 'Return One Page' under Options.",
				urls: [],
			});
		},
	);

	test.each([{}, { status: '', sort: '' }, { status: ' , ' }])(
		'%j can be used with one page',
		async (filters) => {
			const { ids } = await listRuns(filters, { options: { returnOnePage: true } });
			expect(ids).toBe('r1 r2 r3');
		},
	);

	test('of a list that is not complete return nothing', async () => {
		const { items, message } = await executeNode({
			operation: 'run.getAll',
			parameters: { workflowId: 'wf_1', limit: 1, filters: { status: 'completed' } },
			answers: [RUN_PAGES[0], httpResponse(500, '')],
		});
		expect([items, message]).toEqual([[], 'The service answered with status 500']);
	});
});
