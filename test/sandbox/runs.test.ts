import { runProgress } from '../../sandbox/runProgress';
import { closeAll, startTestSandbox } from './support';
import type { Bench } from './support';

afterEach(closeAll);

describe('runProgress', () => {
	const three = { statuses: ['a', 'b', 'c'], stageMs: 1000, results: 4 };
	const four = { statuses: ['a', 'b', 'c', 'd'], stageMs: 1000, results: 3 };
	test.each([
		[three, -5, 'a', 0],
		[three, 0, 'a', 0],
		[three, 999, 'a', 0],
		[three, 1000, 'b', 0],
		[three, 1249, 'b', 0],
		[three, 1250, 'b', 1],
		[three, 1750, 'b', 3],
		[three, 1999, 'b', 3],
		[three, 2000, 'c', 4],
		[three, 1e12, 'c', 4],
		[four, 1000, 'b', 0],
		[four, 1666, 'b', 0],
		[four, 1667, 'b', 1],
		[four, 2999, 'c', 2],
		[four, 3000, 'd', 3],
		[{ ...three, statuses: ['a', 'b'] }, 999, 'a', 0],
		[{ ...three, statuses: ['a', 'b'] }, 1000, 'b', 4],
		[{ ...three, statuses: ['only'] }, 0, 'only', 4],
		[{ ...three, stageMs: 0 }, 0, 'c', 4],
		[{ ...three, results: 0 }, 5000, 'c', 0],
	])('%j after %d ms: %s, %d results', (plan, elapsed, status, results) => {
		expect(runProgress(plan, elapsed)).toMatchObject({ status, results });
	});

	test('since and final', () => {
		expect(runProgress(three, 1500)).toMatchObject({ since: 1000, final: false });
		expect(runProgress(three, 9000)).toMatchObject({ since: 2000, final: true });
	});
});

async function started(bench: Bench) {
	const { workflows } = bench.control.seed({ workflows: 1 });
	const { data } = (await bench.call('POST', `/prospector/workflows/${workflows[0]}/run`)).json;
	return {
		workflow: workflows[0],
		run: async () => (await bench.call('GET', `/prospector/runs/${data.id}`)).json.data,
		results: async () => (await bench.call('GET', `/prospector/runs/${data.id}/results`)).json.data,
	};
}

test('a run goes from queued to completed while its results come in', async () => {
	const bench = await startTestSandbox();
	const { run, results, workflow } = await started(bench);
	const created = Date.parse((await run()).created_at);
	const seen: Array<[string, number, number]> = [];
	for (let step = 0; step < 5; step++) {
		const now = await run();
		seen.push([now.status, (await results()).length, Date.parse(now.updated_at) - created]);
		bench.pass(750);
	}
	expect(seen).toEqual([
		['queued', 0, 0],
		['queued', 0, 0],
		['running', 0, 1500],
		['running', 6, 1500],
		['completed', 12, 3000],
	]);
	const listed = (await bench.call('GET', `/prospector/workflows/${workflow}/runs`)).json.data;
	expect(listed).toEqual([await run()]);
	const all = await results();
	expect(new Set(all.map((result: { id: string }) => result.id)).size).toBe(12);
	for (const result of all) expect(Date.parse(result.created_at)).toBeGreaterThan(created + 1500);
});

test('words, pace and number of results are settings, taken when a run starts', async () => {
	const settings = { runStatuses: ['PENDING', 'DONE'], runStageMs: 100, resultsPerRun: 2 };
	const bench = await startTestSandbox({ settings });
	const { run, results } = await started(bench);
	bench.control.patchSettings({ runStatuses: ['x'], runStageMs: 9999, resultsPerRun: 9 });
	expect((await run()).status).toBe('PENDING');
	bench.pass(100);
	expect((await run()).status).toBe('DONE');
	expect(await results()).toHaveLength(2);
});

test('runEndings: runs of a workflow end in another word', async () => {
	const bench = await startTestSandbox();
	const [bad, good] = bench.control.seed({ workflows: 2 }).workflows;
	bench.control.patchSettings({ runEndings: { [bad]: 'failed' } });
	for (const id of [bad, good]) await bench.call('POST', `/prospector/workflows/${id}/run`);
	bench.pass(60_000);
	const statuses = bench.control.runs().runs.map((run) => run.status);
	expect(statuses).toEqual(['failed', 'completed']);
});
