import { executeNode, listResponse, pageResponse } from '../helpers/support';

const MORE = "There are more items than 'Limit'. Turn on 'Return All' to get them all.";

const run = (id: string, status?: unknown, created_at?: unknown) => ({ id, status, created_at });
const day = (n: number) => `2026-01-0${n}T08:00:00Z`;
const RUNS = [
	[run('r1', 'completed', day(2)), run('r2', 'Timed Out', day(4)), run('r3', 'running')],
	[run('r4', ' COMPLETED ', day(1)), run('r5', 'failed', day(3)), run('r6', undefined, 'yesterday')],
	[run('r7', 'completed', '2026-01-02T09:00:00+02:00'), run('r8', 'done', 5), run('r9', 'completed', day(5))],
];
const PAGES = RUNS.map((runs, i) =>
	listResponse(runs, i < 2 ? { has_more: true, next_cursor: `c${i + 2}` } : { has_more: false }),
);
const ALL = 'r1 r2 r3 r4 r5 r6 r7 r8 r9';

async function listRuns(parameters: object, { answers = PAGES, credential = {} } = {}) {
	const { items, hints, ...rest } = await executeNode({
		operation: 'run.getAll',
		parameters: { workflowId: 'wf_1', simplify: false, ...parameters },
		answers,
		credential,
	});
	const ids = items.map(({ id }) => id).join(' ');
	return { ...rest, items, ids, hints: hints.map(({ message }) => message) };
}

// What is read with the real engine is tested in test/workflow/lists.test.ts; here are the options in every combination.
test.each<[object, string, boolean?]>([
	[{ limit: 1 }, 'r1', true],
	[{ limit: 8 }, 'r1 r2 r3 r4 r5 r6 r7 r8', true],
	[{ limit: 9 }, ALL],
	[{}, ALL],
	[{ returnAll: true, limit: 1 }, ALL],
	[{ limit: 2, options: { startAt: 3 } }, 'r3 r4', true],
	[{ limit: 2, options: { startAt: 8 } }, 'r8 r9'],
	[{ returnAll: true, options: { startAt: 8 } }, 'r8 r9'],
	[{ limit: 2, options: { startAt: 10 } }, ''],
	[{ returnAll: true, limit: 1, options: { status: 'timed_out, Failed' } }, 'r2 r5'],
	[{ returnAll: true, options: { status: ['running', 'done'] } }, 'r3 r8'],
	[{ returnAll: true, options: { status: 'complete' } }, ''],
	[{ limit: 1, options: { status: 'completed' } }, 'r1', true],
	[{ limit: 4, options: { status: 'completed' } }, 'r1 r4 r7 r9'],
	[{ limit: 2, options: { status: 'completed', startAt: 2 } }, 'r4 r7', true],
	[{ limit: 3, options: { status: 'completed', startAt: 2 } }, 'r4 r7 r9'],
	[{ options: { sort: 'newestFirst' } }, 'r9 r2 r5 r1 r7 r4 r3 r6 r8'],
	[{ options: { sort: 'oldestFirst' } }, 'r4 r7 r1 r5 r2 r9 r3 r6 r8'],
	[{ limit: 2, options: { sort: 'newestFirst', startAt: 3 } }, 'r5 r1'],
	[
		{ returnAll: true, limit: 1, options: { sort: 'newestFirst', status: 'completed, running' } },
		'r9 r1 r7 r4 r3',
	],
	[{ limit: 1, options: { returnOnePage: true, startAt: 2 } }, 'r1 r2 r3'],
	[{ options: { status: ' , ', sort: '', returnOnePage: true } }, 'r1 r2 r3'],
])('Get Many with the parameters %j returns the runs %j', async (parameters, ids, isCut = false) => {
	expect(await listRuns(parameters)).toMatchObject({ ids, hints: isCut ? [MORE] : [] });
});

test('a hint says that more items exist if has_more is true but the response has no cursor', async () => {
	const answers = [listResponse([run('a')], { has_more: true })];
	expect((await listRuns({ limit: 1 }, { answers })).hints).toEqual([MORE]);
});

test.each([
	[{}, '- c2 c3'],
	[{ options: { pageSize: 9, sort: 'newestFirst' } }, '- c2 c3'],
	[{ options: { pageSize: 9, startCursor: 'c1' } }, '- c2 c3'],
	[{ options: { pageSize: 9, returnOnePage: true, startCursor: 'c1' } }, 'c1'],
])(
	'Get Many with the parameters %j requests pages of 9 items with the cursors "%s"',
	async (rest, cursors) => {
		const { queries } = await listRuns({ options: { pageSize: 9 }, ...rest });
		const sent = queries as Array<{ cursor?: string; limit?: number }>;
		expect(sent.map(({ cursor = '-' }) => cursor).join(' ')).toBe(cursors);
		expect(sent.filter(({ limit }) => limit !== 9)).toEqual([]);
	},
);

test('Return One Page skips empty pages when the list continues', async () => {
	const answers = [pageResponse([], 'c2'), pageResponse([], 'c3'), pageResponse(['a'], 'c4')];
	const { items, urls } = await listRuns({ options: { returnOnePage: true } }, { answers });
	expect([items, urls.length]).toEqual([[{ id: 'a', next_cursor: 'c4', request_id: 'req of a' }], 3]);
	expect((await listRuns({ options: { returnOnePage: true } }, { answers: [pageResponse([])] })).ids).toBe(
		'',
	);
});

test('Return One Page returns null as the next cursor when the page is the last one', async () => {
	const last = listResponse([{ id: 'c', next_cursor: 'its own' }], { has_more: false, next_cursor: 'c3' });
	const { items } = await listRuns({ options: { returnOnePage: true } }, { answers: [last] });
	expect(items).toEqual([{ id: 'c', next_cursor: null, request_id: 'req_1' }]);
});

const RENAMED = { showAdvanced: true, cursorParameter: 'after', pageSizeParameter: 'size' };
test.each<[string, object, string | undefined]>([
	['cursor', {}, 'Start Cursor'],
	[' limit ', {}, 'Page Size'],
	['after', RENAMED, 'Start Cursor'],
	['size', RENAMED, 'Page Size'],
	['cursor', RENAMED, undefined],
	['limit', RENAMED, undefined],
	['__proto__', {}, undefined],
])(
	'the node rejects the query parameter %j only if the node sets it itself (credential settings %j, option %s)',
	async (name, credential, label) => {
		const queryParameters = { parameter: [{ name, value: 5 }] };
		for (const page of [{}, { returnOnePage: true }]) {
			const options = { queryParameters, ...page };
			const { message, description, urls, queries } = await listRuns({ options }, { credential });
			if (label === undefined) {
				expect(message).toBeUndefined();
				expect(Object.entries(queries[0] as object)).toContainEqual([name, '5']);
			} else {
				expect({ message, description, urls }).toEqual({
					message: `'${name.trim()}' can't be in 'Query Parameters'`,
					description: `Use '${label}' under Options.`,
					urls: [],
				});
			}
		}
	},
);
