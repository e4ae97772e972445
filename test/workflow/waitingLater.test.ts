import { outputOf, stateForRetry } from '../../engine';
import { waitFor } from '../waitFor';
import { startFastEnvironment, type FastEnvironment } from './fastBench';
import { byId, chainNodes } from './support';

let bench: FastEnvironment;
let workflowId: string;

beforeAll(async () => {
	bench = await startFastEnvironment({ resultsPerRun: 3 });
	[workflowId] = bench.sandbox.control.seed({ workflows: 1 }).workflows;
});
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.prepare();
	bench.sandbox.control.patchSettings({ runStatuses: ['queued', 'running', 'completed'], runStageMs: 5000 });
});

const waitForRun = (runId: string, options: object = {}) => ({
	resource: 'run',
	operation: 'get',
	runId: byId(runId),
	waitForCompletion: true,
	options: { ...options },
});
/** Runs that were started earlier, by whomever, and go through the statuses of the settings. */
const startedRuns = (count: number) =>
	bench.sandbox.control.seed({ runs: Array.from({ length: count }, () => ({ workflowId, live: true })) })
		.runs;
const startedRun = () => startedRuns(1)[0];
const operations = () => bench.journal().map(({ operation }) => operation);

test('a run started earlier is looked at until it has finished', async () => {
	const id = startedRun();
	const [item] = await bench.items(waitForRun(id));
	expect(item.json).toMatchObject({ id, status: 'completed', workflow_id: workflowId });
	expect(item.json.request_id).toBe(bench.journal().at(-1)?.requestId);
	// Nothing was started here, so there is nothing to say of it.
	expect(item.json).not.toHaveProperty('idempotency_key');
	expect(item.json).not.toHaveProperty('run_request_id');
	expect(operations().length).toBeGreaterThanOrEqual(2);
	expect(new Set(operations())).toEqual(new Set(['getRun']));
});

test('one that has finished at the first look is not waited for', async () => {
	bench.sandbox.control.patchSettings({ runStageMs: 0 });
	const [item] = await bench.items(waitForRun(startedRun()));
	expect(item.json.status).toBe('completed');
	expect(operations()).toEqual(['getRun']);
});

test('Return Results puts out the finished run’s results, each with the run it comes from', async () => {
	const id = startedRun();
	const items = await bench.items(waitForRun(id, { returnResults: true }));
	expect(items).toHaveLength(3);
	const results = bench.journal().at(-1);
	expect(results?.operation).toBe('listResults');
	for (const { json, pairedItem } of items) {
		expect(pairedItem).toEqual({ item: 0 });
		expect(json).toMatchObject({
			object: 'prospector_result',
			run_id: id,
			run_status: 'completed',
			request_id: results?.requestId,
		});
		expect(json).not.toHaveProperty('idempotency_key');
	}
});

test('several runs are waited for side by side, and come out in the order of input', async () => {
	const ids = startedRuns(12);
	const input = ids.map((id) => ({ id }));
	const items = await bench.items(waitForRun('={{ $json.id }}'), input);
	expect(items.map(({ json, pairedItem }) => [json.id, json.status, pairedItem])).toEqual(
		ids.map((id, item) => [id, 'completed', { item }]),
	);
	// Five at a time, unless set otherwise: all of them were looked at before the first was looked at again.
	const seen = bench.journal().map(({ path }) => path);
	expect(new Set(seen.slice(0, 5)).size).toBe(5);
});

test('under Continue a run that takes too long fails its item, and the others go on', async () => {
	const [first, third] = startedRuns(2);
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const ids = [first, startedRun(), third];
	const input = ids.map((id) => ({ id }));
	const items = await bench.items(waitForRun('={{ $json.id }}', { maxWait: 60 }), input, {
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => json.id)).toEqual([first, undefined, third]);
	expect(items[1].json).toEqual({
		error: expect.stringMatching(
			/^Run 'run_\w+' was still 'brewing' after 60 s \(request req_\w+\) \[Item 1\]\. The run goes on/,
		),
	});
});

test('a run that takes too long ends the wait for the others, unless told to go on', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const [first, second] = startedRuns(2);
	const workflow = chainNodes(
		bench.prospector(waitForRun('={{ $json.id }}', { maxWait: '={{ $json.wait }}' })),
	);
	const input = [{ json: { id: first, wait: 100_000 } }, { json: { id: second, wait: 20 } }];
	const ended = await bench.run(workflow, { input });
	expect(ended.status).toBe('error');
	expect(ended.data.resultData.error?.message).toMatch(
		new RegExp(`^Run '${second}' was still 'brewing' after 20 s .* \\[Item 1\\]$`),
	);
});

test('at the deadline the message names the run, its last status and the next step', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const id = startedRun();
	const { message, description } = await bench.failure(waitForRun(id, { maxWait: 10 }));
	expect(message).toBe(
		`Run '${id}' was still 'brewing' after 10 s (request ${bench.journal().at(-1)?.requestId})`,
	);
	expect(description).toMatch(/^The run goes on\. Look at it again later with Run › Get/);
	expect(description).toMatch(/retry this, which waits for the same run/);
	expect(description).toMatch(/'Max Wait'.*add it to 'Finished Statuses'/);
});

test('a retry after the deadline goes on waiting', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing', 'completed'], runStageMs: 300_000 });
	const workflow = chainNodes(bench.prospector(waitForRun(startedRun(), { maxWait: 10 })));
	const failed = await bench.run(workflow);
	expect(failed.status).toBe('error');
	await bench.clock.timing.sleep(300_000);
	const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
	expect(outputOf(again, 'Prospector')[0].json.status).toBe('completed');
	expect(new Set(operations())).toEqual(new Set(['getRun']));
});

test('Stop ends the wait, nothing more is asked, and the execution is shown as stopped', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const execution = bench.execute(chainNodes(bench.prospector(waitForRun(startedRun()))));
	await waitFor('a look', () => operations().includes('getRun'));
	execution.stop();
	const ended = await execution.finished;
	expect(ended.status).toBe('canceled');
	const asked = operations().length;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(operations()).toHaveLength(asked);
});

test('looks that fail in passing do not end the wait', async () => {
	for (const fault of [{ kind: 'status', status: 503 }, { kind: 'drop' }, { kind: 'cutBody' }] as const) {
		bench.sandbox.control.addFault({ match: { operation: 'getRun' }, ...fault });
	}
	const [item] = await bench.items(waitForRun(startedRun()));
	expect(item.json.status).toBe('completed');
});

test('a run that is not there ends the wait at once', async () => {
	const { message } = await bench.failure(waitForRun('run_of_nobody'));
	expect(message).toMatch(/^The run 'run_of_nobody' was not found \(request req_\w+\)$/);
	expect(operations()).toEqual(['getRun']);
});

test('statuses of another vocabulary can be named, in any letter case, as a list or as text', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['In Arbeit', 'FERTIG'] });
	for (const finishedStatuses of [['fertig'], 'abgebrochen, Fertig']) {
		const [item] = await bench.items(waitForRun(startedRun(), { finishedStatuses }));
		expect(item.json.status).toBe('FERTIG');
	}
});

test.each([
	[{ maxWait: 0 }, /'Max Wait'/],
	[{ finishedStatuses: [' '] }, /'Finished Statuses' is empty/],
])('%j is refused before anything is asked', async (options, message) => {
	expect((await bench.failure(waitForRun('run_1', options))).message).toMatch(message);
	expect(operations()).toEqual([]);
});

test('without Wait for Completion the run is read once, whatever its status', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const parameters = { ...waitForRun(startedRun(), { finishedStatuses: ' , ' }), waitForCompletion: false };
	const [item] = await bench.items(parameters);
	expect(item.json.status).toBe('brewing');
	expect(operations()).toEqual(['getRun']);
});
