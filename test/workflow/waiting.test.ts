import { outputOf } from '../../engine';
import { waitFor } from '../waitFor';
import { byId, chainNodes, startEnvironment, type Environment } from './support';

let bench: Environment;
let workflowId: string;

beforeAll(async () => {
	bench = await startEnvironment({ resultsPerRun: 3 });
	[workflowId] = bench.sandbox.control.seed({ workflows: 1 }).workflows;
});
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.prepare();
	bench.sandbox.control.patchSettings({ runStatuses: ['queued', 'running', 'completed'], runStageMs: 0 });
});

const runAndWait = (options: object = {}) => ({
	resource: 'workflow',
	operation: 'run',
	workflowId: byId(workflowId),
	waitForCompletion: true,
	options: { ...options },
});
const operations = () => bench.sandbox.control.journal().map(({ operation }) => operation);

test('a run that has finished at the first look is not waited for', async () => {
	const [item] = await bench.items(runAndWait());
	expect(operations()).toEqual(['runWorkflow', 'getRun']);
	const [start, look] = bench.sandbox.control.journal();
	expect(item.json).toMatchObject({
		object: 'prospector_run',
		status: 'completed',
		workflow_id: workflowId,
		request_id: look.requestId,
		run_request_id: start.requestId,
		idempotency_key: start.idempotencyKey,
	});
});

test('a run that takes a while is looked at until it has finished', async () => {
	bench.sandbox.control.patchSettings({ runStageMs: 500 });
	const [item] = await bench.items(runAndWait());
	expect(item.json.status).toBe('completed');
	expect(operations().filter((name) => name === 'getRun').length).toBeGreaterThanOrEqual(2);
});

test('Return Results puts out the finished run’s results, each with the run it comes from', async () => {
	const items = await bench.items(runAndWait({ returnResults: true }));
	expect(items).toHaveLength(3);
	const [start, , results] = bench.sandbox.control.journal();
	for (const { json, pairedItem } of items) {
		expect(pairedItem).toEqual({ item: 0 });
		expect(json).toMatchObject({
			object: 'prospector_result',
			run_id: results.path.split('/').at(-2),
			run_status: 'completed',
			request_id: results.requestId,
			run_request_id: start.requestId,
			idempotency_key: start.idempotencyKey,
		});
	}
});

test('statuses of another vocabulary can be named, in any letter case, as a list or as text', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['In Arbeit', 'FERTIG'] });
	for (const finishedStatuses of [['fertig'], 'abgebrochen, Fertig']) {
		const [item] = await bench.items(runAndWait({ finishedStatuses }));
		expect(item.json.status).toBe('FERTIG');
	}
});

test('at the deadline the message names the run, its last status and the next step', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	await expect(bench.items(runAndWait({ maxWait: 1 }))).rejects.toMatchObject({
		message: expect.stringMatching(/^Run 'run_\w+' was still 'brewing' after 1 s \(request req_\w+\)$/),
		description: expect.stringMatching(
			/Run › Get.*executions list.*'Max Wait'.*add it to 'Finished Statuses'/,
		),
	});
});

test('a retry after the deadline waits for the same run', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const workflow = chainNodes(
		bench.prospector(runAndWait({ maxWait: 1 }), { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
	);
	await bench.run(workflow);
	const starts = bench.sandbox.control.journal().filter(({ operation }) => operation === 'runWorkflow');
	expect(starts.map(({ committed }) => committed)).toEqual([true, false]);
	const looks = bench.sandbox.control.journal().filter(({ operation }) => operation === 'getRun');
	expect(new Set(looks.map(({ path }) => path)).size).toBe(1);
});

test('Stop ends the wait, nothing more is asked, and the execution is shown as stopped', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const execution = bench.execute(chainNodes(bench.prospector(runAndWait())));
	await waitFor('a look', () => operations().includes('getRun'));
	execution.stop();
	const ended = await execution.finished;
	expect(ended.status).toBe('canceled');
	expect(outputOf(ended, 'Prospector')).toEqual([]);
	const asked = operations().length;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(operations()).toHaveLength(asked);
});

test.each([
	['automatic', /executions list, which goes on with the same run/],
	['none', /Do not retry this: no idempotency key was sent/],
])(
	'a refused look names the started run and says whether to retry: key %s',
	async (idempotencyKeyMode, advice) => {
		bench.sandbox.control.addFault({ match: { operation: 'getRun' }, kind: 'status', status: 403 });
		await expect(bench.items(runAndWait({ idempotencyKeyMode }))).rejects.toMatchObject({
			message: expect.stringMatching(
				/may not read runs, after run 'run_\w+' had been started \(request req_\w+\)$/,
			),
			description: expect.stringMatching(advice),
		});
	},
);

test('looks that fail in passing do not end the wait', async () => {
	bench.sandbox.control.patchSettings({ runStageMs: 500 });
	for (const fault of [{ kind: 'status', status: 503 }, { kind: 'drop' }] as const) {
		bench.sandbox.control.addFault({ match: { operation: 'getRun' }, ...fault });
	}
	const [item] = await bench.items(runAndWait({ idempotencyKeyMode: 'none' }));
	expect(item.json.status).toBe('completed');
	expect(operations().filter((name) => name === 'runWorkflow')).toHaveLength(1);
});

test('a look that gets no answer does not outlast the deadline, and names the run', async () => {
	bench.sandbox.control.addFault({ match: { operation: 'getRun' }, kind: 'hang', times: 0 });
	const begin = process.hrtime.bigint();
	await expect(bench.items(runAndWait({ maxWait: 1 }))).rejects.toMatchObject({
		message: expect.stringMatching(/did not answer in time, after run 'run_\w+' had been started$/),
	});
	// Without the cut it would be the request's own minute.
	expect(Number(process.hrtime.bigint() - begin) / 1e9).toBeLessThan(20);
});

test('a finished run without results leaves a hint, as nothing follows for it', async () => {
	bench.sandbox.control.patchSettings({ resultsPerRun: 0 });
	const ended = await bench.run(chainNodes(bench.prospector(runAndWait({ returnResults: true }))));
	bench.sandbox.control.patchSettings({ resultsPerRun: 3 });
	expect(outputOf(ended, 'Prospector')).toEqual([]);
	const hints = ended.data.resultData.runData.Prospector[0].hints ?? [];
	expect(hints.map(({ message }) => message).join()).toMatch(/ended as 'completed' without results/);
});

test.each([
	[{ maxWait: 0 }, /'Max Wait'/],
	[{ maxWait: 'soon' }, /'Max Wait'/],
	[{ finishedStatuses: [' '] }, /'Finished Statuses' is empty/],
])('%j is refused before the run is started', async (options, message) => {
	await expect(bench.items(runAndWait(options))).rejects.toMatchObject({
		message: expect.stringMatching(message),
	});
	expect(operations()).toEqual([]);
});
