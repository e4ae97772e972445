import type { INodeListSearchResult } from 'n8n-workflow';
import { askEditor } from './editorCalls';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
beforeEach(() => {
	bench.sandbox.control.reset();
	bench.sandbox.control.patchSettings({ limit: 100_000, runStageMs: 0 });
});
afterAll(async () => await bench.close());

const search = async (method: 'searchWorkflows' | 'searchRuns', ...args: unknown[]) =>
	await askEditor<INodeListSearchResult>(bench, 'listSearch', method, { args });
const WHEN = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);
const seed = (count: number) =>
	bench.sandbox.control.seed({
		workflows: Array.from({ length: count }, (_, i) => ({ name: `More ${i + 1}` })),
	});

/** Reads on with the tokens that it is given, as a person does who scrolls to the end. */
async function scroll(method: 'searchWorkflows' | 'searchRuns', filter?: string) {
	const all: INodeListSearchResult['results'] = [];
	let token: string | undefined;
	let answers = 0;
	do {
		const answer = await search(method, filter, token);
		all.push(...answer.results);
		token = answer.paginationToken as string | undefined;
		answers++;
	} while (token !== undefined && answers < 100);
	return { all, answers };
}

describe('The picker of Prospector workflows', () => {
	const demo = [
		'Trade fair follow-up (paused)',
		'Clinics opening this quarter (active)',
		'Logistics leads, Benelux (active)',
		'SaaS founders in Germany (active)',
	];

	/** What a person recognises, without the time, which is another in every test. */
	const titles = (found: INodeListSearchResult) =>
		names(found).map((name) => name.replace(new RegExp(` · ${WHEN}$`), ''));

	it.each([undefined, ''])('shows name, status and time, and holds the id: filter %p', async (filter) => {
		const found = await search('searchWorkflows', filter);
		expect(titles(found)).toEqual(demo);
		for (const name of names(found)) expect(name).toMatch(new RegExp(`\\) · ${WHEN}$`));
		expect(found.paginationToken).toBeUndefined();
		const ids = (await bench.items({ resource: 'workflow', operation: 'getAll' })).map(({ json }) => json.id);
		expect(found.results.map(({ value }) => value)).toEqual(ids);
	});

	it.each([
		['saas', [3]],
		['  LEADS ', [2]],
		['paused', [0]],
		['in', [0, 1, 2, 3].filter((i) => demo[i].toLowerCase().includes('in'))],
		['no such thing', []],
	])('finds %p by name, in any letter case', async (filter, expected) => {
		expect(titles(await search('searchWorkflows', filter))).toEqual(expected.map((i) => demo[i]));
	});

	it('finds a workflow by its id', async () => {
		const { results } = await search('searchWorkflows');
		const id = String(results[2].value);
		expect((await search('searchWorkflows', id.toUpperCase())).results).toEqual([results[2]]);
	});

	it('goes on where the last answer ended, until every workflow was shown once', async () => {
		seed(116);
		const { all, answers } = await scroll('searchWorkflows');
		expect(answers).toBe(3);
		expect(new Set(all.map(({ value }) => value)).size).toBe(120);
		expect(all).toHaveLength(120);
	});

	it('finds what stands on a later page, and every find once', async () => {
		bench.sandbox.control.patchSettings({ defaultPageSize: 2, listOrder: 'newest' });
		seed(30);
		const { all } = await scroll('searchWorkflows', 'SaaS');
		expect(titles({ results: all })).toEqual([demo[3]]);
	});

	it('shows the id of a workflow that has no name', async () => {
		const body = {
			data: [{ id: 'wf_odd', name: '  ' }],
			pagination: { has_more: false },
			request_id: 'req_1',
		};
		bench.prepare({ kind: 'notEnvelope', body });
		expect((await search('searchWorkflows')).results).toEqual([{ name: 'wf_odd', value: 'wf_odd' }]);
	});
});

describe('Workflows of the same name', () => {
	it('can be told apart, and each by what finds it', async () => {
		bench.sandbox.control.seed({ workflows: [{ name: 'Twin' }, { name: 'Twin' }] });
		const { results } = await search('searchWorkflows', 'twin');
		expect(new Set(results.map(({ name }) => name)).size).toBe(2);
		for (const { name, value } of results) expect(name).toMatch(new RegExp(`${WHEN} · ${String(value)}$`));
	});
});

describe('Links to the pages of the service', () => {
	const pages = {
		workflowPageUrl: 'https://app.example.com/w/{workflow_id}',
		runPageUrl: 'https://app.example.com/w/{workflow_id}/r/{run_id}',
	};
	const urls = async (method: 'searchWorkflows' | 'searchRuns', key: string) =>
		(await askEditor<INodeListSearchResult>(bench, 'listSearch', method, { key })).results.map(
			({ url, value }) => [url, value] as const,
		);

	it.each(['searchWorkflows', 'searchRuns'] as const)('are none by default: %s', async (method) => {
		for (const [url] of await urls(method, 'full')) expect(url).toBeUndefined();
	});

	it('lead to each entry where the credential names the pages', async () => {
		await bench.credential('with pages', { showAdvanced: true, ...pages });
		for (const [url, id] of await urls('searchWorkflows', 'with pages')) {
			expect(url).toBe(`https://app.example.com/w/${String(id)}`);
		}
		const { runs } = bench.sandbox.control.runs();
		const found = await urls('searchRuns', 'with pages');
		expect(found).toHaveLength(runs.length);
		for (const [url, id] of found) {
			const run = runs.find((one) => one.id === id);
			expect(url).toBe(`https://app.example.com/w/${run?.workflowId}/r/${String(id)}`);
		}
	});

	it('are left out where the address cannot be used, and the node works all the same', async () => {
		await bench.credential('odd pages', { showAdvanced: true, ...pages, workflowPageUrl: 'app.example.com' });
		for (const [url] of await urls('searchWorkflows', 'odd pages')) expect(url).toBeUndefined();
		const parameters = { resource: 'workflow', operation: 'getAll' };
		expect(await bench.items(parameters, [{}], {}, 'odd pages')).toHaveLength(4);
	});
});

describe('The picker of runs', () => {
	it('shows workflow, time and status, newest first, and holds the id', async () => {
		const found = await search('searchRuns');
		const pattern = new RegExp(
			`^(SaaS founders in Germany|Logistics|Clinics).* · ${WHEN} · completed · run_\\w+$`,
		);
		expect(found.results).toHaveLength(4);
		for (const name of names(found)) expect(name).toMatch(pattern);
		const times = names(found).map((name) => name.split(' · ')[1]);
		expect(times).toEqual([...times].sort().reverse());
		const truth = bench.sandbox.control.runs().runs.map(({ id }) => id);
		expect(found.results.map(({ value }) => value).sort()).toEqual(truth.sort());
	});

	it('finds runs by workflow, by status and by id', async () => {
		const [{ id, workflowId }] = bench.sandbox.control.runs().runs;
		bench.sandbox.control.seed({ runs: [{ workflowId, status: 'failed' }] });
		expect(names(await search('searchRuns', 'saas'))).toHaveLength(3);
		expect(names(await search('searchRuns', 'FAILED'))).toHaveLength(1);
		expect((await search('searchRuns', id)).results.map(({ value }) => value)).toEqual([id]);
		expect((await search('searchRuns', 'no such run')).results).toEqual([]);
	});

	it('goes on where the last answer ended, until every run was shown once', async () => {
		const workflows = Array.from({ length: 25 }, () => ({ runs: [{}, {}] }));
		bench.sandbox.control.seed({ workflows });
		const { all, answers } = await scroll('searchRuns');
		expect(answers).toBe(3);
		expect(all).toHaveLength(54);
		expect(new Set(all.map(({ value }) => value)).size).toBe(54);
	});
});
