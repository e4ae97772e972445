import type { INodeListSearchResult } from 'n8n-workflow';
import { askEditor } from './editorCalls';
import { startBench, type Bench } from './support';

let bench: Bench;
beforeAll(async () => (bench = await startBench()));
beforeEach(() => {
	bench.sandbox.control.reset();
	bench.sandbox.control.patchSettings({ limit: 100_000, runStageMs: 0 });
});
afterAll(async () => await bench.close());

const search = async (method: 'searchWorkflows' | 'searchRuns', ...args: unknown[]) =>
	await askEditor<INodeListSearchResult>(bench, 'listSearch', method, { args });
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

	it.each([undefined, ''])('shows name and status and holds the id: filter %p', async (filter) => {
		const found = await search('searchWorkflows', filter);
		expect(names(found)).toEqual(demo);
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
		expect(names(await search('searchWorkflows', filter))).toEqual(expected.map((i) => demo[i]));
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
		expect(all.map(({ name }) => name)).toEqual([demo[3]]);
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

describe('The picker of runs', () => {
	it('shows workflow, time and status, newest first, and holds the id', async () => {
		const found = await search('searchRuns');
		const when = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
		const pattern = new RegExp(
			`^(SaaS founders in Germany|Logistics|Clinics).* · ${when} · completed · run_\\w+$`,
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
