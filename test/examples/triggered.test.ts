import { clearDeduplication, stateForRetry } from '../../engine';
import { receiver } from './fixtures';
import { startExample, type ExampleEnvironment } from './support';

let environment: ExampleEnvironment;
afterEach(async () => await environment.close());

const TIMES = { created_at: '2026-03-01T06:00:00.000Z', updated_at: '2026-03-01T06:10:00.000Z' };

describe('alert-when-a-run-fails.json', () => {
	beforeEach(async () => {
		environment = await startExample('alert-when-a-run-fails.json');
	});

	const run = {
		id: 'run_1',
		object: 'prospector_run',
		status: 'failed',
		previous_status: 'running' as string | null,
		workflow_id: 'wf_1',
		...TIMES,
		request_id: 'req_1',
	};
	const alertsFor = async (...runs: Array<typeof run>) => {
		const { error, items } = await environment.executeWith(...runs);
		expect(error).toBeUndefined();
		return items('Send the alert');
	};

	test('alerts when a run fails, and not when another one succeeds', async () => {
		const { control } = environment.sandbox;
		const [workflowId] = control.seed({ workflows: 1 }).workflows;
		const poller = environment.poller();
		expect(await poller.activate()).toEqual([]);
		const [failed] = control.seed({ runs: [{ workflowId, status: 'Failed' }, { workflowId }] }).runs;
		const { items } = await environment.execute('trigger', { input: await poller.tick() });
		expect(items('Send the alert').map(({ subject }) => subject)).toEqual([
			`Prospector run ${failed}: Failed`,
		]);
	});

	test('finds runs with other statuses if they are set in the option that the note names', async () => {
		const { control } = environment.sandbox;
		const [workflowId] = control.seed({ workflows: 1 }).workflows;
		const [trigger] = environment.workflow.nodes;
		trigger.parameters = { ...trigger.parameters, options: { runStatuses: 'kaputt' } };
		const poller = environment.poller();
		await poller.activate();
		control.seed({ runs: ['kaputt', 'fertig'].map((status) => ({ workflowId, status })) });
		expect(await poller.tick()).toHaveLength(1);
	});

	test('sends an alert per run, with its statuses, Prospector workflow and request', async () => {
		const alerts = await alertsFor(run, { ...run, id: 'run_2' });
		expect(alerts).toHaveLength(2);
		expect(alerts[0]).toEqual({
			subject: 'Prospector run run_1: failed',
			text: "Run run_1 of Prospector workflow wf_1 is now 'failed', after 'running', since 2026-03-01T06:10:00.000Z. It was started at 2026-03-01T06:00:00.000Z. When you ask the service about it, quote request req_1.",
		});
		const [alert] = await alertsFor({ ...run, previous_status: null });
		expect(alert.text).toMatch(/is now 'failed', since/);
	});
});

describe('new-results-into-a-lead-pipeline.json', () => {
	beforeEach(async () => {
		clearDeduplication();
		environment = await startExample('new-results-into-a-lead-pipeline.json');
	});

	const PIPELINE = 'Add the lead to the pipeline';
	const result = (lead: string, run = 'run_1') => ({
		id: `res_${lead}_${run}`,
		object: 'prospector_result',
		lead_id: lead,
		company_name: `Company of ${lead}`,
		...TIMES,
		run_id: run,
		run_status: 'completed',
		request_id: 'req_1',
	});
	const leadsOf = (items: Array<{ lead_id?: unknown }>) => items.map(({ lead_id }) => lead_id);
	const leadsFor = async (...results: Array<ReturnType<typeof result>>) => {
		const { error, items } = await environment.executeWith(...results);
		expect(error).toBeUndefined();
		return items(PIPELINE);
	};

	test.each(['newest', 'oldest', 'shuffled'] as const)(
		'adds a lead for each new result if lists are sorted: %s',
		async (listOrder) => {
			const { control } = environment.sandbox;
			control.patchSettings({ listOrder });
			const [workflowId] = control.seed({ workflows: [{ runs: 2 }] }).workflows;
			const poller = environment.poller();
			expect(await poller.activate()).toEqual([]);
			const { results } = control.seed({ runs: [{ workflowId, results: 7 }] });
			const { error, items } = await environment.execute('trigger', { input: await poller.tick() });
			expect(error).toBeUndefined();
			expect(items(PIPELINE)).toHaveLength(results.length);
			expect(await poller.tick()).toEqual([]);
		},
	);

	test('adds each lead once, even if it is found twice at once or again by a later run', async () => {
		const leads = await leadsFor(result('a'), result('b'), result('a', 'run_2'));
		expect(leads[0]).toEqual({
			lead_id: 'a',
			company_name: 'Company of a',
			found_at: TIMES.created_at,
			prospector_run_id: 'run_1',
			prospector_request_id: 'req_1',
		});
		expect(leadsOf(leads)).toEqual(['a', 'b']);
		expect(leadsOf(await leadsFor(result('b', 'run_3'), result('c', 'run_3')))).toEqual(['c']);
	});

	test('continues with the same leads when a failed execution is retried', async () => {
		let isDown = true;
		const { type, taken } = receiver(() => isDown);
		environment.replace(PIPELINE, type);
		const { ended, error } = await environment.executeWith(result('a'), result('b'));
		expect(error).toBeDefined();
		isDown = false;
		await environment.execute('retry', { state: stateForRetry(ended) });
		expect(leadsOf(taken)).toEqual(['a', 'b']);
	});
});
