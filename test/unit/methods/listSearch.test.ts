import type { INodeListSearchResult } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { fakeDependencies } from '../helpers/fakeClock';
import {
	expectError,
	fakeEditor,
	httpResponse,
	listResponse,
	pageResponse,
	rowsOf,
} from '../helpers/support';

type Answers = Parameters<typeof fakeEditor>[0];
type Method = 'searchWorkflows' | 'searchRuns';

interface Search {
	filter?: string;
	token?: unknown;
	credential?: object;
}

/** Searches as the editor does. */
async function search(method: Method, answers: Answers, { filter, token, credential }: Search = {}) {
	const { context, requests } = fakeEditor(answers, 'get', credential);
	const { listSearch } = new Prospector(fakeDependencies()).methods ?? {};
	let found: INodeListSearchResult = { results: [] };
	let error: unknown;
	try {
		found = await listSearch![method].call(context, filter, token as string);
	} catch (thrown) {
		error = thrown;
	}
	const { results, paginationToken } = found;
	return {
		error,
		results,
		names: results.map(({ name }) => name),
		ids: results.map(({ value }) => value),
		token: paginationToken as unknown,
		requests,
		paths: requests.map(({ url }) => url.split('/prospector/')[1]),
		queries: requests.map(({ qs }) => qs),
	};
}

const workflow = (n: number) => ({ id: `wf_${n}`, name: `Workflow ${n}` });
const run = (id: string, day = '01') => ({ id, created_at: `2025-03-${day}T10:00:00.000Z`, status: 'done' });
const more = (next_cursor: string) => ({ has_more: true, next_cursor });
const at = (cursor: string) => JSON.stringify({ cursor });
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('searchWorkflows', () => {
	const entries = async (workflows: object[], search_: Search = {}) =>
		await search('searchWorkflows', [listResponse(workflows)], search_);

	test('returns the first page and where the next one begins', async () => {
		const answers = [listResponse([workflow(1), workflow(2)], more('c2'))];
		const { results, token, queries, requests } = await search('searchWorkflows', answers);
		expect(results).toEqual([
			{ name: 'Workflow 1', value: 'wf_1' },
			{ name: 'Workflow 2', value: 'wf_2' },
		]);
		expect([token, queries, requests[0].timeout]).toEqual([at('c2'), [{}], 20_000]);
	});

	const created_at = '2025-03-01T12:34:56.789Z';
	test.each<[object, string]>([
		[{ name: 'Austria', status: 'active', created_at }, 'Austria (active)'],
		[{ name: ' Austria ', created_at }, 'Austria'],
		[{ name: ' ', status: 'draft' }, 'wf_1 (draft)'],
		[{ name: null, status: 5, created_at: 5 }, 'wf_1'],
		[{ created_at }, 'wf_1'],
		[{ created_at: 'yesterday' }, 'wf_1'],
		[{ name: 'x'.repeat(201) }, `${'x'.repeat(199)}…`],
		[{ name: '__proto__' }, '__proto__'],
	])('returns for %j the name %s', async (fields, name) => {
		expect((await entries([{ id: 'wf_1', ...fields }])).results).toEqual([{ name, value: 'wf_1' }]);
	});

	test('adds the time to names that occur twice, and the ID if that is not enough', async () => {
		const on = (day: string) => ({ created_at: `2025-03-${day}T08:00:00Z` });
		const { names, ids } = await entries([
			{ id: 'wf_0', name: 'a', ...on('01') },
			{ id: 'wf_1', name: 'b', ...on('01') },
			{ id: 'wf_2', name: 'a', ...on('02') },
			{ id: 'wf_3', name: 'c', ...on('03') },
			{ id: 'wf_4', name: 'c', ...on('03') },
			{ id: 'wf_5', name: 'c' },
			{ id: 'wf_6', name: 'd', created_at: 'yesterday' },
			{ id: 'wf_7', name: 'd', created_at: 5 },
			{ id: 'wf_8', name: 'e', status: 'active', ...on('04') },
			{ id: 'wf_9', name: 'e', status: 'paused', ...on('04') },
		]);
		expect(names).toEqual([
			'a · 1 Mar 2025, 08:00 UTC',
			'b',
			'a · 2 Mar 2025, 08:00 UTC',
			'c · 3 Mar 2025, 08:00 UTC · wf_3',
			'c · 3 Mar 2025, 08:00 UTC · wf_4',
			'c',
			'd · wf_6',
			'd · wf_7',
			'e (active)',
			'e (paused)',
		]);
		expect(ids).toEqual(Array.from({ length: 10 }, (_, i) => `wf_${i}`));
	});

	test.each([
		['2025-03-01T12:34:56.789Z', '1 Mar 2025, 12:34 UTC'],
		['2025-12-31T23:59:59-05:00', '1 Jan 2026, 04:59 UTC'],
		['2025-06-01T00:00:00+02:00', '31 May 2025, 22:00 UTC'],
	])('shows the time %s of namesakes as %s', async (created_at, time) => {
		const { names } = await entries([
			{ id: 'wf_1', name: 'a', created_at },
			{ id: 'wf_2', name: 'a' },
		]);
		expect(names).toEqual([`a · ${time}`, 'a']);
	});

	test.each(['..', '', '\ud83d', undefined, { id: 1 }, 5])('returns nothing with the ID %j', async (id) => {
		expect((await entries([{ id, name: 'A' }, workflow(2)])).ids).toEqual(['wf_2']);
	});

	test.each([
		...rowsOf([undefined, '', '  ', 'austria', ' AUSTRIA ', 'WF_4', '(act'], true),
		...rowsOf(['germany', '.*'], false),
	])('matches an entry with %j: %j', async (filter, isMatch) => {
		const austria = { id: 'wf_42', name: 'Austria', status: 'active' };
		expect((await entries([austria], { filter: filter as string })).ids).toEqual(isMatch ? ['wf_42'] : []);
	});

	test('reads up to five pages while a filter finds fewer than 20', async () => {
		const answers = upTo(20).map((i) => listResponse([workflow(i)], more(`c${i + 1}`)));
		const { ids, token, requests } = await search('searchWorkflows', answers, { filter: 'workflow 3' });
		expect([ids, token, requests.length]).toEqual([['wf_3'], at('c5'), 5]);
	});

	test.each([
		[19, 2],
		[20, 1],
	])('reads for a filter with %i matches on the first page %i pages', async (matches, pages) => {
		const answers = [listResponse(upTo(matches).map(workflow), more('c2')), pageResponse(['wf_x'])];
		const { ids, requests } = await search('searchWorkflows', answers, { filter: 'workflow' });
		expect([ids.length, requests.length]).toEqual([matches, pages]);
	});

	test('returns 125,000 entries of one page', async () => {
		const { ids } = await entries(upTo(125_000).map(workflow));
		expect(ids).toHaveLength(125_000);
	});

	test('links to the pages of the credential, with encoded IDs', async () => {
		const credential = { showAdvanced: true, workflowPageUrl: 'https://a.example/w/{workflow_id}' };
		const { results } = await entries([{ id: 'a/b?' }], { credential });
		expect(results).toEqual([{ name: 'a/b?', value: 'a/b?', url: 'https://a.example/w/a%2Fb%3F' }]);
	});

	test.each([
		['a refusal', [httpResponse(403, '')], {}, 'This API key is not allowed to list Prospector workflows', 1],
		['an invalid credential', [], { apiKey: '' }, "'API Key' is empty", 0],
	])('throws an error of n8n for %s', async (_, answers, credential, message, sent) => {
		const { error, requests } = await search('searchWorkflows', answers, { credential });
		expect(error).toMatchObject({ message, node: { name: 'Prospector' } });
		expect(requests).toHaveLength(sent);
	});
});

describe('searchRuns', () => {
	const ANSWERS = [
		listResponse([workflow(1), { id: 'wf_2' }], more('c2')),
		listResponse([run('run_0')], more('r2')),
		listResponse([run('run_1', '02')]),
		listResponse([run('run_3', '04'), run('run_2', '03'), { id: 'run_4', created_at: 5, status: null }]),
	];

	test('returns the runs of a page of Prospector workflows, newest first, and where to continue', async () => {
		const { names, ids, token, paths, queries } = await search('searchRuns', ANSWERS);
		expect(names).toEqual([
			'wf_2 · 4 Mar 2025, 10:00 UTC · done',
			'wf_2 · 3 Mar 2025, 10:00 UTC · done',
			'Workflow 1 · 2 Mar 2025, 10:00 UTC · done',
			'Workflow 1 · 1 Mar 2025, 10:00 UTC · done',
			'wf_2',
		]);
		expect([ids[0], token]).toEqual(['run_3', at('c2')]);
		const ofFirst = 'workflows/wf_1/runs';
		expect(paths).toEqual(['workflows', ofFirst, ofFirst, 'workflows/wf_2/runs']);
		expect(queries).toEqual([{}, {}, { cursor: 'r2' }, {}]);
	});

	test('returns the Prospector workflow, time and status of a run, and the ID last for namesakes', async () => {
		const saas = listResponse([{ id: 'wf_1', name: ' SaaS founders in Germany ' }]);
		const created_at = '2026-03-01T08:00:00Z';
		const answers = [
			saas,
			listResponse([
				{ id: 'run_1', created_at, status: 'completed' },
				{ id: 'run_2', created_at, status: 'failed' },
				{ id: 'run_3', created_at, status: 'failed' },
				{ id: 'run_4', status: 'running' },
				{ id: 'run_5' },
				{ id: 'run_6', created_at: 'yesterday' },
			]),
		];
		const { results } = await search('searchRuns', answers);
		const name = 'SaaS founders in Germany';
		expect(results.map((one) => [one.value, one.name]).sort()).toEqual([
			['run_1', `${name} · 1 Mar 2026, 08:00 UTC · completed`],
			['run_2', `${name} · 1 Mar 2026, 08:00 UTC · failed · run_2`],
			['run_3', `${name} · 1 Mar 2026, 08:00 UTC · failed · run_3`],
			['run_4', `${name} · running`],
			['run_5', `${name} · run_5`],
			['run_6', `${name} · run_6`],
		]);
	});

	test('links to the pages of runs, with encoded IDs', async () => {
		const credential = { showAdvanced: true, runPageUrl: 'https://a.example/{workflow_id}/{run_id}' };
		const answers = [listResponse([{ id: 'w 1' }]), listResponse([run('$&{run_id}')])];
		const { results } = await search('searchRuns', answers, { credential });
		expect(results).toMatchObject([{ url: 'https://a.example/w%201/%24%26%7Brun_id%7D' }]);
	});

	test('reads up to five pages of Prospector workflows without runs', async () => {
		const answers = upTo(20).map((i) => listResponse([], more(`c${i + 1}`)));
		const { ids, token, requests } = await search('searchRuns', answers);
		expect([ids, token, requests.length]).toEqual([[], at('c5'), 5]);
	});

	test('reads ten lists of runs, and continues with the next Prospector workflow', async () => {
		const workflows = listResponse(upTo(12).map(workflow), more('c2'));
		const runsOf = (from: number, to: number) =>
			upTo(12)
				.slice(from, to)
				.map((n) => listResponse([run(`run_${n}`)]));
		const first = await search('searchRuns', [workflows, ...runsOf(0, 10)]);
		expect([first.ids.length, first.token]).toEqual([10, '{"offset":10}']);
		const second = await search('searchRuns', [workflows, ...runsOf(10, 12)], { token: first.token });
		expect([second.ids, second.token]).toEqual([['run_10', 'run_11'], at('c2')]);
	});

	test('reads ten lists over several pages of Prospector workflows', async () => {
		const answers = upTo(40).map((i) =>
			i % 4 === 0
				? listResponse(
						upTo(3).map((n) => workflow(i + n)),
						more(`c${i}`),
					)
				: listResponse([]),
		);
		const { paths, token } = await search('searchRuns', answers, { filter: 'nothing like it' });
		expect(paths.filter((path) => path.endsWith('/runs'))).toHaveLength(10);
		expect(token).toBe('{"cursor":"c8","offset":1}');
	});

	test('continues within a long list of runs', async () => {
		const pageOf = (i: number) => listResponse([run(`run_${i}`)], i < 11 ? more(`r${i + 1}`) : undefined);
		const workflows = listResponse([workflow(1)]);
		const filter = 'RUN_11';
		const first = await search('searchRuns', [workflows, ...upTo(10).map(pageOf)], { filter });
		expect([first.ids, first.token]).toEqual([[], '{"offset":0,"runsCursor":"r10"}']);
		const answers = [workflows, pageOf(10), pageOf(11)];
		const { ids, token, queries } = await search('searchRuns', answers, { filter, token: first.token });
		expect([ids, token, queries[1]]).toEqual([['run_11'], undefined, { cursor: 'r10' }]);
	});

	test('continues on the next page if the offset is beyond the page', async () => {
		const token = JSON.stringify({ cursor: 'c1', offset: Number.MAX_SAFE_INTEGER, runsCursor: 'r9' });
		const answers = [
			listResponse([workflow(1)], more('c2')),
			listResponse([workflow(2)]),
			listResponse([run('run_2')]),
		];
		const { ids, queries } = await search('searchRuns', answers, { token });
		expect(ids).toEqual(['run_2']);
		// The cursor belonged to the runs of another Prospector workflow.
		expect(queries).toEqual([{ cursor: 'c1' }, { cursor: 'c2' }, {}]);
	});

	test('omits a Prospector workflow that was deleted meanwhile, and its cursor', async () => {
		const token = JSON.stringify({ offset: 0, runsCursor: 'r9' });
		const answers = [
			listResponse([workflow(1), workflow(2)]),
			httpResponse(404, ''),
			listResponse([run('run_2')]),
		];
		const { ids, queries } = await search('searchRuns', answers, { token });
		expect([ids, queries]).toEqual([['run_2'], [{}, { cursor: 'r9' }, {}]]);
	});

	test('throws any other refusal', async () => {
		const { error } = await search('searchRuns', [listResponse([workflow(1)]), httpResponse(401, '')]);
		expect(error).toMatchObject({ message: 'The API key was not accepted' });
	});

	test.each(['..', '.', '', '\ud83d', undefined, { id: 1 }])(
		'sends no request for a Prospector workflow with the ID %j, and returns no run with it',
		async (id) => {
			const answers = [listResponse([{ id }, workflow(2)]), listResponse([{ id }])];
			const { ids, paths } = await search('searchRuns', answers);
			expect([ids, paths]).toEqual([[], ['workflows', 'workflows/wf_2/runs']]);
		},
	);

	test('returns 125,000 runs of one page', async () => {
		const answers = [pageResponse(['wf_1']), listResponse(upTo(125_000).map((i) => ({ id: `run_${i}` })))];
		expect((await search('searchRuns', answers)).ids).toHaveLength(125_000);
	});
});

describe.each<Method>(['searchWorkflows', 'searchRuns'])('%s with a token', (method) => {
	test.each<[unknown, object]>([
		...rowsOf<object>(['', undefined, null, '{}'], {}),
		...['c2', '{', "{'offset':1}", '__proto__', '[1', '5 5 '].map((token): [unknown, object] => [
			token,
			{ cursor: token },
		]),
		[at('c2'), { cursor: 'c2' }],
		[at('{"offset":50}'), { cursor: '{"offset":50}' }],
		['{"cursor":"c2","offset":0,"runsCursor":"r2"}', { cursor: 'c2' }],
	])('%j starts at %j', async (token, query) => {
		const found = await search(method, [listResponse([])], { token });
		expect([found.error, found.results, found.queries, found.token]).toEqual([
			undefined,
			[],
			[query],
			undefined,
		]);
	});

	test.each([
		...['5', '-1', '0.5', '1e999', 'null', 'true', '"c2"', '[]', '[{"cursor":"c2"}]', '{"page":2}'],
		...['{"__proto__":{"cursor":"c2"}}', '{"cursor":"c2","constructor":1}', '{"cursor":5}'],
		...['{"cursor":null}', '{"cursor":{}}', '{"cursor":["c2"]}', '{"cursor":""}', '{"offset":-1}'],
		...['{"offset":0.5}', '{"offset":1e300}', '{"offset":"1"}', '{"offset":null}', '{"runsCursor":5}'],
		...['{"runsCursor":""}', '{"offset":0,"runsCursor":[]}'],
		...[5, true, { cursor: 'c2' }, ['c2']],
	])('%j asks for a new search', async (token) => {
		const { error, requests } = await search(method, [listResponse([])], { token });
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: "The list can't be continued from here",
			description: 'Search again, or close the list and open it again.',
		});
		expect(requests).toEqual([]);
	});
});

describe('getWorkflows of the trigger', () => {
	const getWorkflows = async (answers: Answers) => {
		const { context, requests } = fakeEditor(answers);
		const { loadOptions } = new ProspectorTrigger(fakeDependencies()).methods ?? {};
		return { options: await loadOptions!.getWorkflows.call(context), requests };
	};

	test('returns valid Prospector workflows by their names', async () => {
		const answers = [
			listResponse([workflow(1), { id: '..' }, { id: 'wf_2', name: 'Workflow 1' }], more('c2')),
			pageResponse(['wf_3']),
		];
		expect((await getWorkflows(answers)).options).toEqual([
			{ name: 'Workflow 1 · wf_1', value: 'wf_1' },
			{ name: 'Workflow 1 · wf_2', value: 'wf_2' },
			{ name: 'wf_3', value: 'wf_3' },
		]);
	});

	test.each([
		[999, 2],
		[1000, 1],
		[125_000, 1],
	])('reads, after %i on the first page, %i pages', async (count, pages) => {
		const answers = [listResponse(upTo(count).map(workflow), more('c2')), listResponse([])];
		const { options, requests } = await getWorkflows(answers);
		expect([options.length, requests.length]).toEqual([count, pages]);
	});

	test('throws an error of n8n for a refusal', async () => {
		const { message } = await expectError(async () => await getWorkflows([httpResponse(403, '')]));
		expect(message).toBe('This API key is not allowed to list Prospector workflows');
	});
});
