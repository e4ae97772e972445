import { found, startExample } from './support';

let bench: Awaited<ReturnType<typeof startExample>>;
beforeAll(async () => {
	bench = await startExample('alert-when-a-run-fails.json');
});
afterAll(async () => await bench.close());

/** A run as the trigger puts it out. */
const run = {
	id: 'run_1',
	object: 'prospector_run',
	status: 'failed',
	previous_status: 'running',
	workflow_id: 'wf_1',
	created_at: '2026-03-01T06:00:00.000Z',
	updated_at: '2026-03-01T06:10:00.000Z',
	request_id: 'req_1',
};

test('the trigger finds a run that fails, and leaves out one that does not', async () => {
	const { control } = bench.sandbox;
	const [workflowId] = control.seed({ workflows: 1 }).workflows;
	const poller = bench.poller();
	expect(await poller.activate()).toEqual([]);
	const [failed] = control.seed({ runs: [{ workflowId, status: 'Failed' }, { workflowId }] }).runs;
	const { items } = await bench.execute('trigger', { input: await poller.tick() });
	expect(items('Send the alert').map(({ subject }) => subject)).toEqual([`Prospector run ${failed}: Failed`]);
});

test('where the service has other words, the option that the note names is all it takes', async () => {
	const { control } = bench.sandbox;
	const [workflowId] = control.seed({ workflows: 1 }).workflows;
	const [trigger] = bench.workflow.nodes;
	trigger.parameters = { ...trigger.parameters, options: { runStatuses: 'kaputt' } };
	const poller = bench.poller();
	await poller.activate();
	control.seed({
		runs: [
			{ workflowId, status: 'kaputt' },
			{ workflowId, status: 'fertig' },
		],
	});
	expect(await poller.tick()).toHaveLength(1);
});

test('each failed run becomes an alert that names run, status, Prospector workflow and request', async () => {
	const { error, items } = await bench.execute('trigger', found(run, { ...run, id: 'run_2' }));
	expect(error).toBeUndefined();
	const alerts = items('Send the alert');
	expect(alerts).toHaveLength(2);
	expect(alerts[0]).toEqual({
		subject: 'Prospector run run_1: failed',
		text: "Run run_1 of Prospector workflow wf_1 is now 'failed', after 'running', since 2026-03-01T06:10:00.000Z. It was started at 2026-03-01T06:00:00.000Z. When you ask the service about it, quote request req_1.",
	});
});

test('a run that was never seen before has no former status in its alert', async () => {
	const { items } = await bench.execute('trigger', found({ ...run, previous_status: null }));
	expect(items('Send the alert')[0].text).toMatch(/is now 'failed', since/);
});
