import { clearDeduplication, stateForRetry } from '../../engine';
import { receiver } from './fixtures';
import { found, startExample } from './support';

let bench: Awaited<ReturnType<typeof startExample>>;
beforeAll(async () => {
	bench = await startExample('new-results-into-a-lead-pipeline.json');
});
afterAll(async () => await bench.close());
beforeEach(clearDeduplication);

/** A result as the trigger puts it out. */
const result = (lead: string, run = 'run_1') => ({
	id: `res_${lead}_${run}`,
	object: 'prospector_result',
	lead_id: lead,
	company_name: `Company of ${lead}`,
	created_at: '2026-03-01T06:00:00.000Z',
	updated_at: '2026-03-01T06:00:00.000Z',
	run_id: run,
	run_status: 'completed',
	request_id: 'req_1',
});
const leadsOf = (items: Array<{ lead_id?: unknown }>) => items.map(({ lead_id }) => lead_id);

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'the trigger finds what runs bring from now on, and each of it becomes a lead: lists %s',
	async (listOrder) => {
		const { control } = bench.sandbox;
		control.patchSettings({ listOrder });
		const [workflowId] = control.seed({ workflows: [{ runs: 2 }] }).workflows;
		const poller = bench.poller();
		expect(await poller.activate()).toEqual([]);
		const { results } = control.seed({ runs: [{ workflowId, results: 7 }] });
		const input = await poller.tick();
		const { error, items } = await bench.execute('trigger', { input });
		expect(error).toBeUndefined();
		expect(items('Add the lead to the pipeline')).toHaveLength(results.length);
		expect(await poller.tick()).toEqual([]);
	},
);

test('new results come out as leads', async () => {
	const { error, items } = await bench.execute('trigger', found(result('a'), result('b')));
	expect(error).toBeUndefined();
	expect(items('Add the lead to the pipeline')[0]).toEqual({
		lead_id: 'a',
		company_name: 'Company of a',
		found_at: '2026-03-01T06:00:00.000Z',
		prospector_run_id: 'run_1',
		prospector_request_id: 'req_1',
	});
	expect(leadsOf(items('Add the lead to the pipeline'))).toEqual(['a', 'b']);
});

test('a lead comes once, whether it is found twice at once or again by a later run', async () => {
	const first = await bench.execute('trigger', found(result('a'), result('b'), result('a', 'run_2')));
	expect(leadsOf(first.items('Add the lead to the pipeline'))).toEqual(['a', 'b']);
	const second = await bench.execute('trigger', found(result('b', 'run_3'), result('c', 'run_3')));
	expect(leadsOf(second.items('Add the lead to the pipeline'))).toEqual(['c']);
});

test('a failed execution that is retried goes on with the leads that it had', async () => {
	let down = true;
	const { type, taken } = receiver(() => down);
	bench.replace('Add the lead to the pipeline', type);
	const { ended, error } = await bench.execute('trigger', found(result('a'), result('b')));
	expect(error).toBeDefined();
	down = false;
	await bench.execute('retry', { state: stateForRetry(ended) });
	expect(leadsOf(taken)).toEqual(['a', 'b']);
});
