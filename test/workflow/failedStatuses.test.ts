import type { IDataObject, INode, IRun } from 'n8n-workflow';
import { outputOf, stateForRetry } from '../../engine';
import { byId, chainNodes, startEnvironment, type Environment } from './support';

let bench: Environment;
let workflowId: string;

beforeAll(async () => {
	bench = await startEnvironment({ resultsPerRun: 2 });
	[workflowId] = bench.sandbox.control.seed({ workflows: 1 }).workflows;
});
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.prepare();
	bench.sandbox.control.patchSettings({ runStatuses: ['failed'] });
});

const journal = () => bench.sandbox.control.journal();
const of = (operation: string) => journal().filter((entry) => entry.operation === operation);
const starts = () => of('runWorkflow');
const lastRequest = () => journal().at(-1)?.requestId;

const waits = {
	'Workflow › Run': (options: IDataObject = {}): IDataObject => ({
		resource: 'workflow',
		operation: 'run',
		workflowId: byId('={{ $json.id }}'),
		waitForCompletion: true,
		options,
	}),
	'Run › Get': (options: IDataObject = {}): IDataObject => ({
		resource: 'run',
		operation: 'get',
		runId: byId('={{ $json.id }}'),
		waitForCompletion: true,
		options,
	}),
};
type Title = keyof typeof waits;
const titles = Object.keys(waits) as Title[];

/** The input item that leads to a run which ends as told. */
function itemFor(title: Title, status: string): IDataObject {
	bench.sandbox.control.patchSettings({ runStatuses: [status] });
	if (title === 'Workflow › Run') return { id: workflowId };
	const [id] = bench.sandbox.control.seed({ runs: [{ workflowId, status }] }).runs;
	return { id };
}

const errorOf = (ended: IRun) => ended.data.resultData.error as { message: string; description: string };

describe.each(titles)('%s', (title) => {
	const parameters = waits[title];

	test.each(['failed', 'Timed Out', 'ERROR', 'rejected'])(
		'reports a run that ended as %j, names it, and says what to do',
		async (status) => {
			const ended = await bench.over(parameters(), [itemFor(title, status)]);
			expect(ended.status).toBe('error');
			const { message, description } = errorOf(ended);
			expect(message).toMatch(/^Run 'run_\w+' ended as '/);
			expect(message).toContain(`ended as '${status}' (request ${lastRequest()})`);
			expect(description).toMatch(/Result › Get Many, ID 'run_\w+'.*the same run again.*'Failed Statuses'/);
		},
	);

	test.each(['canceled', 'cancelled', 'Canceled', 'canceled_by_user'])(
		'leaves a failed execution, which n8n lets people retry, after a run that ended as %j',
		async (status) => {
			const item = itemFor(title, status);
			const ended = await bench.over(parameters({ failedStatuses: status }), [item]);
			expect(ended.status).toBe('error');
			expect(errorOf(ended).message.toLowerCase()).toContain(`ended as '${status.toLowerCase()}'`);
		},
	);

	test('fails the item alone under Continue, with nothing but the message in it', async () => {
		const item = itemFor(title, 'failed');
		const items = await bench.items(parameters(), [item], { onError: 'continueRegularOutput' });
		expect(items).toEqual([
			{
				json: {
					error: expect.stringMatching(
						/^Run 'run_\w+' ended as 'failed' \(request req_\w+\)\. What it found .*'Failed Statuses' under Options\.$/,
					),
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('sends the failed item to the error branch', async () => {
		const item = itemFor(title, 'failed');
		const ended = await bench.over(parameters(), [item], { onError: 'continueErrorOutput' });
		expect(ended.status).toBe('success');
		expect(outputOf(ended, 'Prospector')).toEqual([]);
		expect(outputOf(ended, 'Prospector', 1)[0].json.error).toMatch(/ended as 'failed'/);
	});

	test('does not read the results of such a run, and says how to', async () => {
		const item = itemFor(title, 'failed');
		const ended = await bench.over(parameters({ returnResults: true }), [item]);
		expect(errorOf(ended).description).toMatch(/^What it found can still be read with Result › Get Many/);
		expect(of('listResults')).toEqual([]);
	});

	test.each([[''], [[]], ['={{ [] }}'], ['completed_badly']])(
		'returns a failed run where Failed Statuses is %j',
		async (failedStatuses) => {
			const item = itemFor(title, 'failed');
			const [{ json }] = await bench.items(parameters({ failedStatuses }), [item]);
			expect(json.status).toBe('failed');
			const results = await bench.items(parameters({ failedStatuses, returnResults: true }), [
				itemFor(title, 'failed'),
			]);
			expect(results.map(({ json: { run_status } }) => run_status)).toEqual(['failed', 'failed']);
		},
	);

	test.each([['misslungen'], [['x', 'Misslungen']], ['x,MISSLUNGEN']])(
		'ends the wait with a status of one’s own, finished or not: %j',
		async (failedStatuses) => {
			const item = itemFor(title, 'misslungen');
			const ended = await bench.over(parameters({ failedStatuses }), [item]);
			expect(errorOf(ended).message).toMatch(/ended as 'misslungen'/);
		},
	);
});

describe('A run that was started here and failed', () => {
	const start = (options: IDataObject = {}, extra: Partial<INode> = {}) =>
		chainNodes(bench.prospector(waits['Workflow › Run'](options), extra));
	const input = () => [{ json: { id: workflowId } }];

	test('is looked at again by a retry of the execution, and no other is started', async () => {
		const workflow = start();
		const failed = await bench.run(workflow, { input: input() });
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('error');
		expect(errorOf(again).message.split(' (')[0]).toBe(errorOf(failed).message.split(' (')[0]);
		expect(starts().map(({ committed }) => committed)).toEqual([true, false]);
		expect(new Set(starts().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
		expect(new Set(of('getRun').map(({ path }) => path)).size).toBe(1);
	});

	test('is looked at again by Retry On Fail, and no other is started', async () => {
		const workflow = start({}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
		const failed = await bench.run(workflow, { input: input() });
		expect(failed.status).toBe('error');
		expect(starts().map(({ committed }) => committed)).toEqual([true, false, false]);
	});

	test('is followed by another when the n8n workflow is executed anew', async () => {
		const workflow = start();
		await bench.run(workflow, { input: input() });
		await bench.run(workflow, { input: input() });
		expect(starts().map(({ committed }) => committed)).toEqual([true, true]);
	});

	test('without a key is not said to be looked at again', async () => {
		const ended = await bench.run(start({ idempotencyKeyMode: 'none' }), { input: input() });
		expect(errorOf(ended).description).toContain('A retry of this execution starts another run');
	});

	test('keeps the items behind it from being started, unless told to go on', async () => {
		const two = [...input(), ...input()];
		await bench.run(start(), { input: two });
		expect(starts()).toHaveLength(1);
		bench.prepare();
		await bench.run(start({}, { onError: 'continueRegularOutput' }), { input: two });
		expect(starts()).toHaveLength(2);
	});
});

test('one failed run among several that are waited for fails its item alone under Continue', async () => {
	const input = ['completed', 'failed', 'completed'].map((status) => itemFor('Run › Get', status));
	const parameters = waits['Run › Get']();
	const items = await bench.items(parameters, input, { onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.status)).toEqual(['completed', undefined, 'completed']);
	expect(items[1].json.error).toMatch(/ended as 'failed' \(request req_\w+\) \[Item 1\]\./);
});
