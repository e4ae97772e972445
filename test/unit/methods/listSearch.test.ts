import { NodeOperationError } from 'n8n-workflow';
import { searchRuns, searchWorkflows } from '../../../nodes/Prospector/methods/listSearch';
import { fakeEditor, httpResponse, listResponse, expectError } from '../helpers/support';

const workflow = (n: number) => ({ id: `wf_${n}`, name: `Workflow ${n}` });
const run = (id: string, created_at: string) => ({ id, created_at, status: 'done' });
const more = (next_cursor: string) => ({ has_more: true, next_cursor });
const at = (cursor: string) => JSON.stringify({ cursor });
const endless = (data: (i: number) => object[]) =>
	Array.from({ length: 20 }, (_, i) => listResponse(data(i), more(`c${i + 1}`)));
const pathsOf = (requests: Array<{ url: string }>) =>
	requests.map(({ url }) => new URL(url).pathname.split('/prospector/')[1]);

describe('the picker of workflows', () => {
	test('gives the first page and where the next one begins', async () => {
		const { context, requests } = fakeEditor([listResponse([workflow(1), workflow(2)], more('c2'))]);
		expect(await searchWorkflows.call(context)).toEqual({
			results: [
				{ name: 'Workflow 1', value: 'wf_1' },
				{ name: 'Workflow 2', value: 'wf_2' },
			],
			paginationToken: at('c2'),
		});
		expect(requests).toMatchObject([{ qs: {}, timeout: 20_000 }]);
	});

	test.each([
		['', {}],
		[undefined, {}],
		['c2', { cursor: 'c2' }],
		[at('c2'), { cursor: 'c2' }],
		[at('{"offset":50}'), { cursor: '{"offset":50}' }],
	])('goes on from the token %j', async (token, qs) => {
		const { context, requests } = fakeEditor([listResponse([workflow(3)])]);
		expect(await searchWorkflows.call(context, '', token)).toMatchObject({ paginationToken: undefined });
		expect(requests[0].qs).toEqual(qs);
	});

	test('reads on while the filter finds too little, up to five pages', async () => {
		const { context, requests } = fakeEditor(endless((i) => [workflow(i)]));
		const found = await searchWorkflows.call(context, 'workflow 3');
		expect(found).toEqual({ results: [{ name: 'Workflow 3', value: 'wf_3' }], paginationToken: at('c5') });
		expect(requests).toHaveLength(5);
	});

	test('stops where the filter has found enough to scroll', async () => {
		const twenty = Array.from({ length: 20 }, (_, i) => workflow(i));
		const { context, requests } = fakeEditor(endless(() => twenty));
		expect((await searchWorkflows.call(context, 'workflow')).results).toHaveLength(20);
		expect(requests).toHaveLength(1);
	});

	test.each([undefined, 'nothing like it'])(
		'is empty for the filter %j where nothing is found',
		async (filter) => {
			const { context } = fakeEditor([listResponse([])]);
			expect(await searchWorkflows.call(context, filter)).toEqual({ results: [] });
		},
	);

	test('explains a refusal', async () => {
		const { context } = fakeEditor([httpResponse(403, '')]);
		const { message } = await expectError(async () => await searchWorkflows.call(context));
		expect(message).toBe('This API key may not list Prospector workflows');
	});

	test('explains a credential that cannot work', async () => {
		const { context, requests } = fakeEditor([], 'create', {
			apiKey: '',
			baseUrl: 'https://app.example.com',
		});
		const { message } = await expectError(async () => await searchWorkflows.call(context));
		expect(message).toBe("The credential has no 'API Key'");
		expect(requests).toEqual([]);
	});
});

describe('the picker of runs', () => {
	const answers = () => [
		listResponse([workflow(1), workflow(2)], more('c2')),
		listResponse([run('run_0', '2025-02-01T10:00:00.000Z')], more('r2')),
		listResponse([run('run_1', '2025-03-01T10:00:00.000Z')]),
		listResponse([run('run_3', '2025-03-03T10:00:00.000Z'), run('run_2', '2025-03-02T10:00:00.000Z')]),
	];

	test('gives the runs of a few workflows, newest first, and where to go on', async () => {
		const { context, requests } = fakeEditor(answers());
		const { results, paginationToken } = await searchRuns.call(context);
		expect(results.map(({ name, value }) => `${String(value)}: ${name}`)).toEqual([
			'run_3: Workflow 2 · 2025-03-03 10:00 UTC · done · run_3',
			'run_2: Workflow 2 · 2025-03-02 10:00 UTC · done · run_2',
			'run_1: Workflow 1 · 2025-03-01 10:00 UTC · done · run_1',
			'run_0: Workflow 1 · 2025-02-01 10:00 UTC · done · run_0',
		]);
		expect(paginationToken).toBe(at('c2'));
		expect(pathsOf(requests)).toEqual([
			'workflows',
			'workflows/wf_1/runs',
			'workflows/wf_1/runs',
			'workflows/wf_2/runs',
		]);
		expect(requests.map(({ qs }) => qs)).toEqual([{}, {}, { cursor: 'r2' }, {}]);
	});

	test('finds runs by name and id', async () => {
		const { context } = fakeEditor([...answers(), listResponse([])]);
		const { results } = await searchRuns.call(context, 'RUN_3');
		expect(results.map(({ value }) => value)).toEqual(['run_3']);
	});

	test('goes on from a token', async () => {
		const { context, requests } = fakeEditor([listResponse([])]);
		expect(await searchRuns.call(context, undefined, 'c2')).toEqual({ results: [] });
		expect(requests[0].qs).toEqual({ cursor: 'c2' });
	});

	test('looks through no more than five pages of workflows without runs', async () => {
		const { context, requests } = fakeEditor(endless(() => []));
		expect(await searchRuns.call(context)).toEqual({ results: [], paginationToken: at('c5') });
		expect(requests).toHaveLength(5);
	});

	test('reads the runs of ten workflows at a time, however long a page of workflows is', async () => {
		const workflows = Array.from({ length: 12 }, (_, i) => workflow(i));
		const runs = (from: number, to: number) =>
			workflows.slice(from, to).map(({ id }) => listResponse([run(`of ${id}`, '2025-03-01T10:00:00.000Z')]));
		const first = fakeEditor([listResponse(workflows, more('c2')), ...runs(0, 10)]);
		const { results, paginationToken } = await searchRuns.call(first.context);
		expect(results).toHaveLength(10);
		const second = fakeEditor([listResponse(workflows, more('c2')), ...runs(10, 12)]);
		const rest = await searchRuns.call(second.context, '', String(paginationToken));
		expect(rest.results.map(({ value }) => value)).toEqual(['of wf_10', 'of wf_11']);
		expect(rest.paginationToken).toBe(at('c2'));
	});

	test('reaches a run however far back its page is', async () => {
		const pageOf = (i: number) =>
			listResponse([run(`run_${i}`, '2025-03-01T10:00:00.000Z')], i < 11 ? more(`r${i + 1}`) : undefined);
		const first = fakeEditor([
			listResponse([workflow(1)]),
			...Array.from({ length: 10 }, (_, i) => pageOf(i)),
		]);
		const { results, paginationToken } = await searchRuns.call(first.context, 'run_11');
		expect(results).toEqual([]);
		const second = fakeEditor([listResponse([workflow(1)]), pageOf(10), pageOf(11)]);
		const rest = await searchRuns.call(second.context, 'run_11', String(paginationToken));
		expect(second.requests[1].qs).toEqual({ cursor: 'r10' });
		expect(rest).toMatchObject({ results: [{ value: 'run_11' }], paginationToken: undefined });
	});

	test('leaves out a workflow that was deleted since its page was read', async () => {
		const { context } = fakeEditor([
			listResponse([workflow(1), workflow(2)]),
			httpResponse(404, ''),
			listResponse([run('run_2', '2025-03-01T10:00:00.000Z')]),
		]);
		const { results } = await searchRuns.call(context);
		expect(results.map(({ value }) => value)).toEqual(['run_2']);
	});

	test('explains any other refusal of a list of runs', async () => {
		const { context } = fakeEditor([listResponse([workflow(1)]), httpResponse(429, '')]);
		const { message } = await expectError(async () => await searchRuns.call(context));
		expect(message).toMatch(/used up/);
	});

	test('costs no more than ten lists of runs per answer, over as many pages as there are', async () => {
		const { context, requests } = fakeEditor(
			Array.from({ length: 40 }, (_, i) =>
				i % 4 === 0
					? listResponse(
							[1, 2, 3].map((n) => workflow(i * 10 + n)),
							more(`c${i}`),
						)
					: listResponse([]),
			),
		);
		const { paginationToken } = await searchRuns.call(context, 'nothing like it');
		expect(pathsOf(requests).filter((path) => path.endsWith('/runs'))).toHaveLength(10);
		expect(JSON.parse(String(paginationToken))).toEqual({ cursor: 'c8', offset: 1 });
	});

	test.each(['..', '.', '', '\ud83d', undefined, { id: 1 }])(
		'asks nothing for a workflow whose id %j cannot be part of an address',
		async (id) => {
			const { context, requests } = fakeEditor([listResponse([{ id }, workflow(2)]), listResponse([])]);
			expect(await searchRuns.call(context)).toEqual({ results: [] });
			expect(pathsOf(requests)).toEqual(['workflows', 'workflows/wf_2/runs']);
		},
	);
});

const NOT_A_TOKEN = {
	message: "The list can't be continued from here",
	description: 'Search again, or close the list and open it again',
};

describe.each([
	['workflows', searchWorkflows],
	['runs', searchRuns],
])('the picker of %s', (_, search) => {
	const { message, description } = NOT_A_TOKEN;

	test.each([
		...[
			'5',
			'-1',
			'0.5',
			'1e999',
			'null',
			'true',
			'"c2"',
			'[]',
			'[{"cursor":"c2"}]',
			'{"__proto__":{"cursor":"c2"}}',
		],
		...['{"page":2}', '{"cursor":"c2","constructor":1}', '{"cursor":5}', '{"cursor":null}', '{"cursor":{}}'],
		...['{"cursor":["c2"]}', '{"cursor":""}', '{"offset":-1}', '{"offset":0.5}', '{"offset":1e300}'],
		...['{"offset":"1"}', '{"offset":null}', '{"offset":{}}', '{"runsCursor":5}', '{"runsCursor":{}}'],
		...['{"offset":0,"runsCursor":[]}'],
		...[5, true, { cursor: 'c2' }, ['c2']],
	])('asks for a new search when the token is %j', async (token) => {
		const { context, requests } = fakeEditor([listResponse([])]);
		const thrown = await expectError(async () => await search.call(context, '', token as string));
		expect(thrown).toBeInstanceOf(NodeOperationError);
		expect(thrown).toMatchObject({ message, description });
		expect(requests).toEqual([]);
	});

	test.each(['c2', '{', "{'offset':1}", '__proto__', '[1', '5 '.repeat(2)])(
		'takes the token %j for a cursor when it is not JSON',
		async (token) => {
			const { context, requests } = fakeEditor([listResponse([])]);
			await search.call(context, '', token);
			expect(requests[0].qs).toEqual({ cursor: token });
		},
	);

	test('asks for a new search when the token is nested 100,000 levels deep', async () => {
		const { context } = fakeEditor([listResponse([])]);
		const token = '['.repeat(100_000) + ']'.repeat(100_000);
		const thrown = await expectError(async () => await search.call(context, '', token));
		expect(thrown).toMatchObject({ message, description });
	});

	test('begins at the first page when the token is null', async () => {
		const { context, requests } = fakeEditor([listResponse([])]);
		await search.call(context, '', null as unknown as string);
		expect(requests[0].qs).toEqual({});
	});
});

describe('the picker of runs', () => {
	test('goes on with the next page when the offset is beyond the page', async () => {
		const token = JSON.stringify({ cursor: 'c1', offset: Number.MAX_SAFE_INTEGER, runsCursor: 'r9' });
		const { context, requests } = fakeEditor([
			listResponse([workflow(1)], more('c2')),
			listResponse([workflow(2)]),
			listResponse([run('run_2', '2025-03-01T10:00:00.000Z')]),
		]);
		const { results } = await searchRuns.call(context, '', token);
		expect(results.map(({ value }) => value)).toEqual(['run_2']);
		// The cursor belonged to the runs of another workflow.
		expect(requests.map(({ qs }) => qs)).toEqual([{ cursor: 'c1' }, { cursor: 'c2' }, {}]);
	});

	test('begins at the first run of the next workflow when the workflow of the token was deleted', async () => {
		const { context, requests } = fakeEditor([
			listResponse([workflow(1), workflow(2)]),
			httpResponse(404, ''),
			listResponse([]),
		]);
		await searchRuns.call(context, '', JSON.stringify({ offset: 0, runsCursor: 'r9' }));
		expect(requests.map(({ qs }) => qs)).toEqual([{}, { cursor: 'r9' }, {}]);
	});
});
