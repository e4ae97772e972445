import type { IHttpRequestOptions } from 'n8n-workflow';
import { executeNode, httpResponse, itemResponse, listResponse, pageResponse } from '../helpers/support';

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
const NEWEST = { creationTime: 'newestFirst' };
const ALL = 'r1 r2 r3 r4 r5 r6 r7 r8 r9';

async function listRuns(parameters: object, execution: object = {}) {
	const { items, hints, ...rest } = await executeNode({
		operation: 'run.getAll',
		parameters: { workflowId: 'wf_1', simplify: false, ...parameters },
		answers: [...PAGES, ...PAGES],
		...execution,
	});
	const ids = items.map(({ id }) => id).join(' ');
	return { ...rest, items, ids, hints: hints.map(({ message }) => message) };
}

// Here are the options in every combination; test/workflow/optionsPerItem.test.ts has them with the real engine.
test.each<[object, string]>([
	[{ limit: 1 }, 'r1'],
	[{ limit: 8 }, 'r1 r2 r3 r4 r5 r6 r7 r8'],
	[{ returnAll: true, limit: 1 }, ALL],
	[{ returnAll: true, limit: 1, options: { status: 'timed_out, Failed' } }, 'r2 r5'],
	[{ returnAll: true, options: { status: ['running', 'done'] } }, 'r3 r8'],
	[{ returnAll: true, options: { status: 'complete' } }, ''],
	[{ limit: 1, options: { status: 'completed' } }, 'r1'],
	[{ limit: 4, options: { status: 'completed' } }, 'r1 r4 r7 r9'],
	[{ sort: NEWEST }, 'r9 r2 r5 r1 r7 r4 r3 r6 r8'],
	[{ sort: { creationTime: 'oldestFirst' } }, 'r4 r7 r1 r5 r2 r9 r3 r6 r8'],
	[{ limit: 2, sort: NEWEST }, 'r9 r2'],
	[{ returnAll: true, limit: 1, sort: NEWEST, options: { status: 'completed, running' } }, 'r9 r1 r7 r4 r3'],
	[{ sort: '', options: { status: ' , ', returnOnePage: true } }, 'r1 r2 r3'],
])('Get Many with the parameters %j returns the runs %j', async (parameters, ids) => {
	const isEmpty = ids === '';
	const hints = isEmpty ? [expect.stringContaining("Turn on 'Always Output Data'") as unknown] : [];
	const listed = await listRuns(parameters);
	expect(listed).toMatchObject({ ids, hints });
	expect(listed.items.filter((item) => !('run_outcome' in item))).toEqual([]);
});

// For one input item, n8n shows such a hint itself.
test.each<[object, number, boolean]>([
	[{ limit: 8 }, 2, true],
	[{ limit: 8 }, 1, false],
	[{ limit: 9 }, 2, false],
	[{ limit: 1, options: { status: 'completed' } }, 2, true],
	[{ limit: 4, options: { status: 'completed' } }, 2, false],
	[{ limit: 2, sort: NEWEST }, 2, false],
])(
	'Get Many with the parameters %j and %d input items adds a hint that there are more items than Limit: %j',
	async (parameters, count, hasHint) => {
		const answer = ({ qs }: IHttpRequestOptions) => PAGES[Number(String(qs?.cursor ?? 'c1').slice(1)) - 1];
		const { hints } = await listRuns(parameters, { input: Array(count).fill({}), answers: [answer] });
		expect(hints).toEqual(hasHint ? [MORE] : []);
	},
);

test.each([
	[{}, 'none c2 c3'],
	[{ limit: 3 }, 'none'],
	[{ limit: 4 }, 'none c2'],
	[{ sort: NEWEST, options: { pageSize: 9 } }, 'none c2 c3 none c2'],
	[{ options: { pageSize: 9, startCursor: 'c1' } }, 'none c2 c3'],
	[{ options: { pageSize: 9, returnOnePage: true, startCursor: 'c1' } }, 'c1'],
	[{ options: { pageSize: 9, returnOnePage: true, startCursor: ' c1 ' } }, ' c1 '],
	[{ options: { pageSize: 9, returnOnePage: true, startCursor: null } }, 'none'],
])(
	'Get Many with Page Size 9 and the parameters %j requests pages of 9 items with the cursors "%s"',
	async (rest, cursors) => {
		const { queries } = await listRuns({ options: { pageSize: 9 }, ...rest });
		const sent = queries as Array<{ cursor?: string; limit?: number }>;
		expect(sent.map(({ cursor = 'none' }) => cursor).join(' ')).toBe(cursors);
		expect(sent.filter(({ limit }) => limit !== 9)).toEqual([]);
	},
);

const CHANGED =
	'A list changed while the node read it. No item is returned twice, but one may be missing. Run the node again if you need all of them.';
/** Running the node again could start another run. */
const CHANGED_RESULTS =
	"Run 'x' (done) had results that changed while they were read, so some may be missing. Get all of them later with Result › Get Many.";

test.each([
	['workflow.getAll', { options: { queryParameters: { parameter: [{ name: 'city', value: 'Ghent' }] } } }],
	['run.getAll', {}],
	['run.getAll', { sort: NEWEST }],
	['result.getAll', { options: { queryParameters: { parameter: [{ name: 'city', value: 'Ghent' }] } } }],
	['run.get', { waitForCompletion: true, returnResults: true }],
	['workflow.runAndGetResults', {}],
])(
	'the operation %s with %j requests the first, middle and last but one of five pages again, and adds a hint only if one has changed',
	async (operation, rest) => {
		const hint = operation.endsWith('getAll') ? CHANGED : CHANGED_RESULTS;
		const options = { pageSize: 1, retryFor: 60, ...('options' in rest && rest.options) };
		const parameters = { workflowId: 'x', runId: 'x', returnAll: true, ...rest, options };
		const pages = ['c1', 'c2', 'c3', 'c4', undefined].map((cursor, i) => pageResponse([`id_${i}`], cursor));
		for (const given of ['0 2 3', '503 503 503', '4', '503 4', '0 2 4']) {
			const again = given.split(' ').map((index) => pages[Number(index)] ?? httpResponse(503, ''));
			const sent: IHttpRequestOptions[] = [];
			const answer = (request: IHttpRequestOptions) =>
				/(workflows|runs|results)$/.test(request.url)
					? [...pages, ...again][sent.push(request) - 1]
					: itemResponse({ id: 'x', status: 'done' });
			const { hints } = await executeNode({ operation, parameters, answers: [answer] });
			const changes = hints.filter(({ message }) => !message.includes('Always Output Data'));
			expect(changes.map(({ message }) => message)).toEqual(given.endsWith('4') ? [hint] : []);
			for (const { qs } of sent) expect(qs).toMatchObject({ limit: 1 });
			if ('options' in rest && 'queryParameters' in rest.options)
				for (const { qs } of sent) expect(qs).toMatchObject({ city: 'Ghent' });
			const repeated = [sent[0], sent[2], sent[3]].slice(0, again.length);
			expect(sent.slice(5)).toEqual(repeated.map((request) => ({ ...request, timeout: 5000 })));
		}
	},
);

const REJECTED = 'The service refused the next page of the list (request req_9)';
const NO_CURSOR = 'The list ended half-way (request req of a)';
const NOT_ACCEPTED = "The service did not accept 'Start Cursor' (request req_9)";
const NOT_FOUND = "Prospector workflow 'wf_1' was not found (request req_9)";
const ALL_PAGES = { returnAll: true };
const ONE_PAGE = { options: { returnOnePage: true } };
const SORTED_PAGE = { sort: NEWEST, options: { returnOnePage: true } };
const WHOLE_LIST = "'Status' and 'Sort' need the whole list";
const FROM_CURSOR = { options: { returnOnePage: true, startCursor: 'c1' } };

/** Such as `a,b>c2` for a page with the next cursor c2; after `a>` the list continues, but without a cursor. */
test.each<[string, object, string, string, string?]>([
	['adds a hint if the first page has changed', ALL_PAGES, 'a>c2 a,b>c3 c x>c2', 'a b c', CHANGED],
	['adds no hint if an item is always on two pages', ALL_PAGES, 'a>c2 a,b>c3 c a>c2 a,b>c3', 'a b c'],
	['reads again if a cursor is rejected', ALL_PAGES, 'a>c2 b>c3 410 a>c2 b>c3 c a>c2 b>c3', 'a b c'],
	['reads again if only the second page is forbidden', ALL_PAGES, 'a>c2 403 a>c2 b a>c2', 'a b'],
	['fails if a cursor is rejected twice', ALL_PAGES, 'a>c2 410 a>c2 410', REJECTED],
	['fails if the Prospector workflow is gone', ALL_PAGES, 'a>c2 404 404', NOT_FOUND],
	['returns what fits if the list continues behind Limit without a cursor', { limit: 1 }, 'a>', 'a'],
	['counts a repeated item once for the limit', { limit: 2 }, 'a,a,b>c2', 'a b'],
	['fails if it returns one page and the list continues without a cursor', ONE_PAGE, 'a>', NO_CURSOR],
	['fails if Sort is set together with Return One Page', SORTED_PAGE, 'a', WHOLE_LIST],
	['skips empty pages', ONE_PAGE, '>c2 >c3 a,b>c4', 'a b>c4'],
	['fails if the cursor of an empty first page is rejected', ONE_PAGE, '>c2 410', REJECTED],
	['fails if there is no such Prospector workflow', ONE_PAGE, '404', NOT_FOUND],
	['fails if Start Cursor is rejected', FROM_CURSOR, '410', NOT_ACCEPTED],
])('Get Many %s', async (_, parameters, list, expected, hint = '') => {
	const answers = list.split(' ').map((text) => {
		const [ids, cursor] = text.split('>');
		return Number(ids) > 0
			? httpResponse(Number(ids), { request_id: 'req_9' })
			: pageResponse(ids.split(',').filter(Boolean), cursor);
	});
	const { message, ids, items, hints } = await listRuns(parameters, { answers });
	const next = items[0]?.next_cursor ? `>${String(items[0].next_cursor)}` : '';
	expect(message ?? ids + next).toBe(expected);
	expect(hints.join()).toBe(hint);
});

test('Get Many says why the service refused a page', async () => {
	const refusal = httpResponse(410, { message: 'Cursors live for 30 s' });
	for (const parameters of [ALL_PAGES, FROM_CURSOR]) {
		const answers = parameters === FROM_CURSOR ? [refusal] : [pageResponse(['a'], 'c2'), refusal];
		const answer = ({ qs }: IHttpRequestOptions) =>
			answers[qs?.cursor === undefined ? 0 : answers.length - 1];
		const { description } = await listRuns(parameters, { answers: [answer] });
		expect(description).toContain('The service said: "Cursors live for 30 s"');
	}
});

test('Return One Page sets next_cursor to null on the last page, and returns no item if that page is empty', async () => {
	const last = listResponse([{ id: 'c', next_cursor: 'its own' }], { has_more: false, next_cursor: 'c3' });
	const { items } = await listRuns({ options: { returnOnePage: true } }, { answers: [last] });
	expect(items).toEqual([{ id: 'c', run_outcome: 'open', next_cursor: null, request_id: 'req_1' }]);
	expect((await listRuns(ONE_PAGE, { answers: [listResponse([])] })).items).toEqual([]);
});

test('each result of one page has the fields of its run', async () => {
	const run = itemResponse({ id: 'run_1', status: 'done', workflow_id: 'wf_1', name: 'Freight' });
	const answers = [
		({ url }: IHttpRequestOptions) => (url.endsWith('/results') ? pageResponse(['a'], 'c2') : run),
	];
	const parameters = { runId: 'run_1', options: { returnOnePage: true } };
	const { items } = await executeNode({ operation: 'result.getAll', parameters, answers });
	expect(items).toMatchObject([{ id: 'a', run_id: 'run_1', run_status: 'done', next_cursor: 'c2' }]);
});

test.each(['cursor', ' limit ', '__proto__'])(
	'a list is requested with the query parameter %j of the user if no option sets it',
	async (name) => {
		for (const returnOnePage of [false, true]) {
			const queryParameters = { parameter: [{ name, value: 5 }] };
			const { queries } = await listRuns({ options: { queryParameters, returnOnePage } });
			expect(Object.entries(queries[0] as object)).toEqual([[name.trim(), '5']]);
		}
	},
);

test("Page Size and the cursor of the next page replace the user's query parameters of the same names", async () => {
	const entries = { cursor: 'c1', limit: 5, after: 'x' };
	const parameter = Object.entries(entries).map(([name, value]) => ({ name, value }));
	const options = { queryParameters: { parameter }, pageSize: 2 };
	const answers = [pageResponse(['a'], 'c2'), pageResponse(['b']), pageResponse(['a'], 'c2')];
	const { queries } = await listRuns({ returnAll: true, options }, { answers });
	expect(queries).toEqual(['c1', 'c2', 'c1'].map((cursor) => ({ cursor, limit: 2, after: 'x' })));
});
