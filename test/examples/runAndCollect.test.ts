import { startExample } from './support';

let bench: Awaited<ReturnType<typeof startExample>>;
beforeAll(async () => {
	bench = await startExample('run-and-collect.json', { resultsPerRun: 120, listOrder: 'shuffled' });
});
afterAll(async () => await bench.close());

test('unchanged, it starts one run and collects all its results', async () => {
	const { error, items } = await bench.execute('trigger');
	expect(error).toBeUndefined();
	expect(bench.sandbox.control.runs().started).toBe(1);
	expect(new Set(items('Collect the results').map(({ lead_id }) => lead_id)).size).toBe(120);
});
