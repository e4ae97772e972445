import fc from 'fast-check';
import type { INodeListSearchResult } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { fakeDependencies } from '../helpers/fakeClock';
import { expectError, fakeEditor, httpResponse, listResponse, rowsOf } from '../helpers/support';

type Answers = Parameters<typeof fakeEditor>[0];
type List = 'searchWorkflows of the node' | 'searchWorkflows of the trigger' | 'searchRuns' | 'getWorkflows';

/** n8n has one of each per process. */
function createNodes() {
	const dependencies = fakeDependencies();
	const node = new Prospector(dependencies).methods.listSearch;
	return { node, trigger: new ProspectorTrigger(dependencies).methods };
}

interface Search {
	nodes?: ReturnType<typeof createNodes>;
	filter?: unknown;
	token?: unknown;
	credential?: object;
	timeZone?: string;
}

/** Searches as the editor does. */
async function search(list: List, answers: Answers, given: Search = {}) {
	const { filter, token, credential, nodes: { node, trigger } = createNodes() } = given;
	const { context, requests } = fakeEditor(answers, { operation: 'get' }, credential);
	if (given.timeZone !== undefined) context.getTimezone = () => given.timeZone!;
	const args = [filter as string, token as string] as const;
	const methods: Record<List, () => Promise<INodeListSearchResult>> = {
		'searchWorkflows of the node': async () => await node.searchWorkflows.call(context, ...args),
		'searchWorkflows of the trigger': async () =>
			await trigger.listSearch.searchWorkflows.call(context, ...args),
		searchRuns: async () => await node.searchRuns.call(context, filter as string),
		getWorkflows: async () => ({ results: await trigger.loadOptions.getWorkflows.call(context) }),
	};
	const { results, paginationToken } = await methods[list]();
	return {
		// As a person reads them. A no-break space ends the name of the Prospector workflow.
		names: results.map(({ name }) => name.replaceAll('\u00a0', ' ')),
		ids: results.map(({ value }) => value),
		token: paginationToken,
		requests,
		paths: requests.map(({ url }) => url.split('/prospector/')[1]),
		queries: requests.map(({ qs }) => qs),
	};
}
const searchWorkflows = async (answers: Answers, options?: Search) =>
	await search('searchWorkflows of the node', answers, options);
const searchRuns = async (answers: Answers, options?: Search) => await search('searchRuns', answers, options);

const on = (day: number, hour = '08:00:00Z') => ({
	created_at: `2025-03-${String(day).padStart(2, '0')}T${hour}`,
});
const workflow = (n: number) => ({ id: `wf_${n}`, name: `Workflow ${n}` });
const run = (id: string, day = 1) => ({ id, ...on(day), status: 'done' });
const more = (next_cursor: string) => ({ has_more: true, next_cursor });
const upTo = (count: number, start = 0) => Array.from({ length: count - start }, (_, i) => start + i);
const matches = (count: number) => listResponse(upTo(count).map(workflow), more('c1'));
const almost20Matches = listResponse([...upTo(19).map(workflow), { id: 'x' }], more('c1'));
/** Ten pages with one Prospector workflow each. */
const longList = upTo(10).map((i) => listResponse([workflow(i)], more(`c${i + 1}`)));

const LISTS = ['searchWorkflows of the node', 'searchWorkflows of the trigger', 'searchRuns', 'getWorkflows'];
test.each(LISTS as List[])(
	'the method %s uses the configured cursor parameter and the time limits and messages for the editor',
	async (list) => {
		const credential = { showAdvanced: true, cursorParameter: 'after' };
		const answers = [listResponse([], more('c2')), listResponse([])];
		const { queries, requests } = await search(list, answers, { credential });
		expect(queries).toEqual([{}, { after: 'c2' }]);
		expect(requests[0].timeout).toBe(20_000);
		const searchAfter = async (seconds: string) =>
			await search(list, [httpResponse(503, '', { 'retry-after': seconds }), listResponse([])]);
		expect((await searchAfter('9')).requests).toHaveLength(2);
		expect((await expectError(async () => await searchAfter('11'))).message).toContain('503');
		const error = await expectError(async () => await search(list, [httpResponse(403, '')]));
		const message = 'This API key is not allowed to list Prospector workflows';
		expect(error).toMatchObject({ message, node: { name: 'Prospector' } });
		const slow = async () => await search(list, [Object.assign(new Error(), { code: 'ECONNABORTED' })]);
		expect(await expectError(slow)).toMatchObject({
			message: 'The service did not answer within 20 s',
			description: expect.stringMatching(/^Tried \d times over \d+ s\. Try again\.$/) as unknown,
		});
		const noKey = async () => await search(list, [], { credential: { apiKey: '' } });
		expect(await expectError(noKey)).toMatchObject({ message: "'API Key' is empty" });
	},
);

test.each(LISTS as List[])('the method %s sends each call to the service of its credential', async (list) => {
	const nodes = createNodes();
	for (const baseUrl of ['https://a.example', 'https://b.example']) {
		const { requests } = await search(list, [listResponse([])], { nodes, credential: { baseUrl } });
		expect(requests.map(({ url }) => new URL(url).origin)).toEqual([baseUrl]);
	}
});

test.each<List>(['searchWorkflows of the node', 'searchRuns', 'getWorkflows'])(
	'the method %s omits Prospector workflows and runs that have an invalid ID',
	async (list) => {
		const entries = ['..', '.', '', '\ud83d', undefined, { id: 1 }, 5].map((id) => ({ id, name: 'A' }));
		const answers = [listResponse([...entries, workflow(2)]), listResponse([...entries, { id: 'run_2' }])];
		const { ids, paths } = await search(list, answers);
		expect(ids).toEqual([list === 'searchRuns' ? 'run_2' : 'wf_2']);
		expect(paths).toEqual(['workflows', 'workflows/wf_2/runs'].slice(0, list === 'searchRuns' ? 2 : 1));
	},
);

const created_at = '2025-03-01T12:34:56.789Z';
test.each<[object, string]>([
	[{ name: ' Austria (West) ', status: 'active', created_at }, 'Austria (West) (active)'],
	[{ name: 'A\u00a0(B)' }, 'A (B)'],
	[{ name: ' ', status: 'draft' }, 'wf_1 (draft)'],
	[{ name: null, status: 5, created_at: 5 }, 'wf_1'],
	[{ name: 'x'.repeat(201) }, `${'x'.repeat(199)}…`],
	[{ name: '__proto__', created_at: 'yesterday' }, '__proto__'],
])('searchWorkflows shows the Prospector workflow %j as "%s"', async (fields, label) => {
	expect((await searchWorkflows([listResponse([{ id: 'wf_1', ...fields }])])).names).toEqual([label]);
});

test('searchWorkflows adds the ID to labels that occur twice', async () => {
	const named = ['a', 'b', 'a', '__proto__', null].map((name, i) => ({ id: `wf_${i}`, name }));
	const others = ['active', 'paused'].map((status) => ({ id: `wf_${status}`, name: 'b', status }));
	const { names } = await searchWorkflows([listResponse([...named, ...others])]);
	expect(names).toEqual([
		...['a · wf_0', 'b', 'a · wf_2', '__proto__', 'wf_4'],
		...['b (active)', 'b (paused)'],
	]);
});

test('a person can tell each entry of a list from the others, whatever their names, times and IDs are', async () => {
	const anyEntry = fc.record({
		id: fc.integer({ min: 1, max: 30 }).map(String),
		...{ name: fc.constantFrom('1', 'a', null), status: fc.constantFrom('2', 'done', null) },
		created_at: fc.constantFrom(on(1).created_at, on(2).created_at, null),
	});
	const anyList = fc.uniqueArray(anyEntry, { selector: ({ id }) => id });
	await fc.assert(
		fc.asyncProperty(anyList, async (list) => {
			const workflows = await searchWorkflows([listResponse(list)]);
			const runs = await searchRuns([listResponse([workflow(1)]), listResponse(list)]);
			const options = await search('getWorkflows', [listResponse(list)]);
			for (const { names } of [workflows, runs, options]) expect(new Set(names).size).toBe(list.length);
		}),
	);
});

test.each([
	...rowsOf([undefined, '', '  ', 'österreich', ' ÖSTERREICH ', 'o\u0308st', 'WF_4', '(act'], true),
	...rowsOf(['germany', '.*'], false),
])(
	'searchWorkflows returns the Prospector workflow "Österreich (active)" only if the filter matches (filter: %j, returned: %j)',
	async (filter, isMatch) => {
		const austria = { id: 'Wf_42', name: 'Österreich', status: 'active' };
		expect((await searchWorkflows([listResponse([austria])], { filter })).ids).toEqual(
			isMatch ? ['Wf_42'] : [],
		);
	},
);

test.each<[string, Answers, Search, number, number, unknown]>([
	['only one page without a filter', longList, {}, 1, 1, 'c1'],
	['five pages if few entries match', longList, { filter: 'workflow 3' }, 1, 5, 'c5'],
	['five pages if all are empty', upTo(9).map((i) => listResponse([], more(`c${i + 1}`))), {}, 0, 5, 'c5'],
	['one page if it has 20 matches', [matches(20)], { filter: 'w' }, 20, 1, 'c1'],
	// The pages overlap.
	[
		'two pages if one has 19 matches',
		[almost20Matches, listResponse([workflow(18)])],
		{ filter: 'w' },
		19,
		2,
		undefined,
	],
])(
	'searchWorkflows returns each match once and reads %s',
	async (_, answers, options, count, pages, token) => {
		const found = await searchWorkflows(answers, options);
		expect([found.ids.length, found.requests.length, found.token]).toEqual([count, pages, token]);
	},
);

test.each<[unknown, object]>([
	['c2', { cursor: 'c2' }],
	...rowsOf<object>(['', undefined, null, { cursor: 'c2' }], {}),
])('searchWorkflows turns the pagination token %j into the query parameters %j', async (token, query) => {
	for (const filter of [undefined, 'x']) {
		expect((await searchWorkflows([listResponse([])], { token, filter })).queries).toEqual([query]);
	}
});

test.each<[string, Answers, Search]>([
	['the token of the editor', [httpResponse(400, '')], { token: 'c9' }],
	['a cursor during a search', [listResponse([], more('c1')), httpResponse(410, '')], { filter: 'x' }],
])('searchWorkflows advises a search or an ID if the service rejects %s', async (_, answers, options) => {
	expect(await expectError(async () => await searchWorkflows(answers, options))).toMatchObject({
		message: 'The rest of the list could not be loaded',
		description: 'Search for the name. Or enter the ID by hand, or the fields as JSON.',
	});
});

test('searchRuns lists all runs, newest first, if the workspace has few Prospector workflows', async () => {
	const unknown = { id: 'run_4', created_at: 5, status: null };
	const { names, paths, queries, token } = await searchRuns([
		listResponse([{ ...workflow(1), ...on(1) }], more('c2')),
		listResponse([{ id: 'wf_2', ...on(2) }]),
		listResponse([run('run_3', 4), run('run_2', 3), unknown], more('r2')),
		listResponse([run('run_5', 5)]),
		listResponse([run('run_0', 1), run('run_1', 2), run('run_6', 2)]),
	]);
	expect(names).toEqual([
		...[5, 4, 3].map((day) => `${day} Mar, 09:00 · done · wf_2`),
		...[1, 6].map((id) => `2 Mar, 09:00 · done · Workflow 1 · run_${id}`),
		...['1 Mar, 09:00 · done · Workflow 1', 'wf_2'],
	]);
	const ofSecond = 'workflows/wf_2/runs';
	expect(paths).toEqual(['workflows', 'workflows', ofSecond, ofSecond, 'workflows/wf_1/runs']);
	expect([queries, token]).toEqual([[{}, { cursor: 'c2' }, {}, { cursor: 'r2' }, {}], undefined]);
});

test('searchRuns says that the credential can not be tried in the editor if the credential has an expression that needs an item', async () => {
	const { context } = fakeEditor([], {});
	const getCredentials = async () => {
		throw Object.assign(new Error("Node '' hasn't been executed"), { name: 'ExpressionError' });
	};
	const { listSearch } = new Prospector(fakeDependencies()).methods;
	const failed = listSearch.searchRuns.call(Object.assign(context, { getCredentials }) as never);
	await expect(failed).rejects.toMatchObject({
		message: "The credential has an expression that needs an item, so it can't be tried here",
		description: 'Enter the ID by hand, or the fields as JSON.',
	});
});

test.each([[1], [3], [10], [12]])(
	'searchRuns sends at most 10 requests for runs if the workspace has %i Prospector workflows',
	async (count) => {
		const workflows = upTo(count + 1, 1).map((n) => ({ ...workflow(n), ...on(n) }));
		let cursor = 0;
		const page = () => listResponse([run(`run_${cursor}`)], more(`r${++cursor}`));
		const { paths } = await searchRuns([listResponse(workflows), page]);
		const newest = upTo(count + 1, Math.max(1, count - 9)).reverse();
		const pages = Math.max(1, Math.floor(10 / count));
		expect(paths.slice(1)).toEqual(newest.flatMap((n) => Array(pages).fill(`workflows/wf_${n}/runs`)));
	},
);

test('searchRuns lists the newest 1,000 runs if there are more', async () => {
	const runs = upTo(1001).map((n) => ({ id: `run_${n}`, created_at: new Date(n).toISOString() }));
	const { ids } = await searchRuns([listResponse([workflow(1)]), listResponse(runs)]);
	expect(ids).toEqual(
		runs
			.slice(1)
			.reverse()
			.map(({ id }) => id),
	);
});

test('searchRuns reads at most five pages of Prospector workflows if the list is long', async () => {
	const answers = upTo(20).map((i) => listResponse([], more(`c${i + 1}`)));
	expect((await searchRuns(answers)).paths).toEqual(Array(5).fill('workflows'));
});

test.each([
	['Asia/Tokyo', '1 Mar, 17:00'],
	['GMT+2', '1 Mar, 08:00 UTC'],
])(
	'searchRuns shows the time of a run in the time zone of n8n, and finds the run by its label (%s: %s)',
	async (timeZone, time) => {
		const answers = [listResponse([workflow(1)]), listResponse([run('r')])];
		const filter = `${time} · done · Workflow 1`;
		expect((await searchRuns(answers, { timeZone, filter })).names).toEqual([filter]);
	},
);

test('searchRuns filters runs by the name of the Prospector workflow, the status and the run ID', async () => {
	const answers = [listResponse([workflow(1)]), listResponse([run('run_1'), { id: 'x', status: 'lost' }])];
	const found = async (filter: string) => (await searchRuns(answers, { filter })).ids;
	expect([await found('RUN_1'), await found('Lost'), await found('· workflow 1')]).toEqual([
		...[['run_1'], ['x'], ['run_1', 'x']],
	]);
});

test('searchRuns skips a deleted Prospector workflow (404) but reports an invalid API key (401)', async () => {
	const workflows = listResponse([workflow(1), workflow(2)]);
	const answers = [workflows, httpResponse(404, ''), listResponse([run('run_2')])];
	expect((await searchRuns(answers)).ids).toEqual(['run_2']);
	const refused = async () => await searchRuns([workflows, httpResponse(401, '')]);
	expect(await expectError(refused)).toMatchObject({ message: 'The API key was not accepted' });
});

test.each([
	[999, 2],
	[1000, 1],
	[125_000, 1],
])(
	'getWorkflows requests no further page once it has 1,000 entries (entries on the first page: %i, requests: %i)',
	async (count, pages) => {
		const answers = [listResponse(upTo(count).map(workflow), more('c2')), listResponse([])];
		const { ids, requests } = await search('getWorkflows', answers);
		expect([ids.length, requests.length]).toEqual([Math.min(count, 1000), pages]);
	},
);
