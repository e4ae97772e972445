import { byId } from './support';
import { ids, MINUTE, startTriggerEnvironment, type TriggerEnvironment } from './triggerBench';

let bench: TriggerEnvironment;
let workflowId: string;

beforeEach(async () => {
	bench = await startTriggerEnvironment({ runStageMs: MINUTE });
	[workflowId] = bench.control.seed({ workflows: [{ runs: [{ status: 'failed' }] }] }).workflows;
	bench.pass(1000);
});
afterEach(async () => await bench.close());

const watching = (options: object = {}) => ({
	event: 'runFailed',
	watch: 'one',
	workflowId: byId(workflowId),
	options: { ...options },
});
const startRun = (seed: object) => bench.control.seed({ runs: [{ workflowId, ...seed }] }).runs[0];
const polls = async (trigger: ReturnType<TriggerEnvironment['trigger']>, count: number) => {
	for (let poll = 0; poll < count; poll++) {
		bench.pass(MINUTE / 2);
		await trigger.tick();
	}
	return trigger.executions.flat().map(({ json }) => [json.id, json.previous_status, json.status]);
};

test('Run Failed emits a run once when it ends without success, with the status before', async () => {
	bench.control.patchSettings({ finalStatusByWorkflow: { [workflowId]: 'failed' } });
	const trigger = bench.trigger(watching());
	expect(await trigger.activate()).toEqual([]);
	const live = startRun({ live: true });
	expect(await polls(trigger, 8)).toEqual([[live, 'running', 'failed']]);
});

test('Run Failed emits a new run that has failed already, and no run that has succeeded', async () => {
	const trigger = bench.trigger(watching());
	await trigger.activate();
	startRun({ status: 'completed' });
	startRun({ status: 'unheard-of' });
	const failed = ['Cancelled', 'timed out', 'error'].map((status) => startRun({ status }));
	expect(ids(await trigger.tick()).sort()).toEqual(failed.sort());
	expect(await trigger.tick()).toEqual([]);
});

test('Run Failed does not emit a failed run again when its status changes to another failed one', async () => {
	bench.control.patchSettings({ runStatuses: ['running', 'failed', 'aborted'] });
	const trigger = bench.trigger(watching());
	await trigger.activate();
	const live = startRun({ live: true });
	expect(await polls(trigger, 8)).toEqual([[live, 'running', 'failed']]);
});

test('Run Statuses replaces the statuses that count as failed', async () => {
	const trigger = bench.trigger(watching({ runStatuses: 'kaputt' }));
	await trigger.activate();
	startRun({ status: 'failed' });
	const broken = startRun({ status: 'Kaputt' });
	expect(ids(await trigger.tick())).toEqual([broken]);
});

test('a test in the editor shows failed runs only', async () => {
	startRun({ status: 'completed' });
	const items = await bench.trigger(watching()).test();
	expect(items.map(({ json }) => json.status)).toEqual(['failed']);
});
