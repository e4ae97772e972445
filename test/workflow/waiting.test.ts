import type { IDataObject, INode } from 'n8n-workflow';
import { outputOf, stateForRetry } from '../../engine';
import { byId, chainNodes } from '../nodes';
import { idsOf, startFastEnvironment, type FastEnvironment } from './environment';

/** On the fast clock. */
const STAGE_MS = 5000;

let env: FastEnvironment;
let workflowId: string;
beforeAll(async () => {
	env = await startFastEnvironment({ resultsPerRun: 3 });
	[workflowId] = env.control.seed({ workflows: 1 }).workflows;
});
beforeEach(() => {
	env.resetService();
	setStatuses('queued', 'running', 'completed');
});
afterAll(async () => await env.close());

const setStatuses = (...runStatuses: string[]) =>
	env.control.patchSettings({ runStatuses, runStageMs: STAGE_MS });
const seedRuns = (count: number) =>
	env.control.seed({ runs: Array.from({ length: count }, () => ({ workflowId, live: true })) }).runs;
const requestsOf = (name: string) => env.journal().filter(({ operation }) => operation === name);
const committedStarts = () => requestsOf('runWorkflow').map(({ committed }) => committed);

const waitParameters = {
	'Workflow › Run': { resource: 'workflow', operation: 'run', workflowId: byId('={{ $json.id }}') },
	'Run › Get': { resource: 'run', operation: 'get', runId: byId('={{ $json.id }}') },
};
type Title = keyof typeof waitParameters;
const parametersOf = (title: Title, options: IDataObject = {}): IDataObject => ({
	...waitParameters[title],
	...{ waitForCompletion: true, options },
});

describe.each(Object.keys(waitParameters) as Title[])('%s with Wait for Completion', (title) => {
	const startsRun = title === 'Workflow › Run';
	/** An input item; its run goes through the current statuses of the sandbox. */
	const input = () => [{ id: startsRun ? workflowId : seedRuns(1)[0] }];
	const parameters = (options: IDataObject = {}) => parametersOf(title, options);
	/** The fields that name the request that started the run; there are none if the node did not start it. */
	const expectOrigin = (json: IDataObject) => {
		const [start] = requestsOf('runWorkflow');
		expect(json.run_request_id).toBe(start?.requestId);
		expect(json.idempotency_key).toBe(start?.idempotencyKey);
		expect('run_request_id' in json).toBe(startsRun);
	};

	test('checks a run once when it is already finished', async () => {
		setStatuses('completed');
		const [{ json }] = await env.getItems(parameters(), input());
		expect(env.operations()).toEqual([...(startsRun ? ['runWorkflow'] : []), 'getRun']);
		expect(json).toMatchObject({ object: 'prospector_run', status: 'completed', workflow_id: workflowId });
		expect(json.request_id).toBe(requestsOf('getRun')[0].requestId);
		expectOrigin(json);
	});

	test('checks a run until it is finished, in spite of transient failures', async () => {
		for (const fault of [{ kind: 'status', status: 503 }, { kind: 'drop' }, { kind: 'cutBody' }] as const) {
			env.control.addFault({ match: { operation: 'getRun' }, ...fault });
		}
		const options = startsRun ? { preventDuplicates: 'off' } : {};
		const [{ json }] = await env.getItems(parameters(options), input());
		expect(json.status).toBe('completed');
		expect(json.request_id).toBe(env.journal().at(-1)?.requestId);
		expect(requestsOf('getRun').length).toBeGreaterThanOrEqual(4);
		expect(requestsOf('runWorkflow')).toHaveLength(startsRun ? 1 : 0);
	});

	test('returns the results of the finished run with Return Results', async () => {
		const items = await env.getItems(parameters({ returnResults: true }), input());
		const [request] = requestsOf('listResults');
		expect(items).toHaveLength(3);
		for (const { json, pairedItem } of items) {
			expect(pairedItem).toEqual({ item: 0 });
			expect(json).toMatchObject({
				...{ object: 'prospector_result', run_status: 'completed', request_id: request.requestId },
				run_id: request.path.split('/').at(-2),
			});
			expectOrigin(json);
		}
	});

	test.each([[['fertig']], ['abgebrochen, Fertig']])(
		'accepts other finished statuses in any letter case: %j',
		async (finishedStatuses) => {
			setStatuses('In Arbeit', 'FERTIG');
			const [{ json }] = await env.getItems(parameters({ finishedStatuses }), input());
			expect(json.status).toBe('FERTIG');
		},
	);

	test('names the run, its last status and the next step at the deadline', async () => {
		setStatuses('brewing');
		const { message, description } = await env.getError(parameters({ retryFor: 10 }), input());
		const { path, requestId } = env.journal().at(-1) ?? {};
		const id = path?.split('/').at(-1);
		expect(message).toBe(`Run '${id}' was still 'brewing' after 10 s (request ${requestId})`);
		expect(description).toMatch(/Run › Get.*'Retry For (Seconds)'.*add it to 'Finished Statuses'/);
	});

	test('waits for the same run when the execution is retried after the deadline', async () => {
		setStatuses('brewing', 'completed');
		env.control.patchSettings({ runStageMs: 60_000 });
		const workflow = chainNodes(env.prospector(parameters({ retryFor: 10 })));
		const failed = await env.run(workflow, { input: input().map((json) => ({ json })) });
		expect(failed.status).toBe('error');
		await env.clock.timing.sleep(60_000);
		const retried = await env.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(outputOf(retried, 'Prospector')[0].json.status).toBe('completed');
		expect(committedStarts()).toEqual(startsRun ? [true, false] : []);
		expect(new Set(requestsOf('getRun').map(({ path }) => path)).size).toBe(1);
	});

	test.each(['failed', 'Timed Out', 'rejected'])(
		'fails with the run, the status and advice when the run ends as %j',
		async (status) => {
			setStatuses(status);
			const { message, description } = await env.getError(parameters({ returnResults: true }), input());
			const { requestId } = env.journal().at(-1) ?? {};
			expect(message).toMatch(/^Run 'run_\w+' ended as '/);
			expect(message).toContain(`ended as '${status}' (request ${requestId})`);
			expect(description).toMatch(/Result › Get Many, ID 'run_\w+'.*the same run again.*'Failed Statuses'/);
			expect(requestsOf('listResults')).toEqual([]);
		},
	);

	test.each(['Canceled', 'canceled_by_user'])(
		'leaves a failed execution that can be retried when the run ends as %j',
		async (status) => {
			setStatuses(status);
			const ended = await env.runNode(parameters({ failedStatuses: status }), input());
			expect(ended.status).toBe('error');
			const { message = '' } = ended.data.resultData.error ?? {};
			expect(message.toLowerCase()).toContain(`ended as '${status.toLowerCase()}'`);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'returns only the message when the run fails and On Error is %s',
		async (onError) => {
			setStatuses('failed');
			const ended = await env.runNode(parameters(), input(), { onError });
			expect(ended.status).toBe('success');
			const [regular, errors = []] = ended.data.resultData.runData.Prospector[0].data?.main ?? [];
			expect(onError === 'continueErrorOutput' ? regular : errors).toEqual([]);
			const [item, ...others] = (onError === 'continueErrorOutput' ? errors : regular) ?? [];
			expect(others).toEqual([]);
			expect(item.json.error).toMatch(
				/^Run 'run_\w+' ended as 'failed' \(request req_\w+\)\. What it found .*'Failed Statuses' under Options\.$/,
			);
		},
	);

	test.each([[''], ['={{ [] }}'], ['completed_badly']])(
		'returns a failed run and its results when Failed Statuses is %j',
		async (failedStatuses) => {
			setStatuses('failed');
			const [{ json }] = await env.getItems(parameters({ failedStatuses }), input());
			expect(json.status).toBe('failed');
			const results = await env.getItems(parameters({ failedStatuses, returnResults: true }), input());
			expect(results.map((item) => item.json.run_status)).toEqual(['failed', 'failed', 'failed']);
		},
	);

	test.each([[['x', 'Misslungen']], ['x,MISSLUNGEN']])(
		'fails at a status in Failed Statuses, finished or not: %j',
		async (failedStatuses) => {
			setStatuses('misslungen');
			const { message } = await env.getError(parameters({ failedStatuses }), input());
			expect(message).toMatch(/ended as 'misslungen'/);
		},
	);
});

describe('Workflow › Run after the start of the run', () => {
	const start = (options: IDataObject = {}, extra: Partial<INode> = {}) =>
		chainNodes(env.prospector(parametersOf('Workflow › Run', options), extra));
	const input = () => [{ json: { id: workflowId } }];
	const failWith = async (options: IDataObject) =>
		await env.getError(parametersOf('Workflow › Run', options), [{ id: workflowId }]);

	test.each([
		['automatic', /executions list, which goes on with the same run/],
		['none', /Do not retry this: no idempotency key was sent/],
	])('names the run when a status check is rejected: key %s', async (preventDuplicates, advice) => {
		env.control.addFault({ match: { operation: 'getRun' }, kind: 'status', status: 403 });
		const { message, description } = await failWith({ preventDuplicates });
		expect(message).toMatch(/may not read runs, after run 'run_\w+' had been started \(request req_\w+\)$/);
		expect(description).toMatch(advice);
	});

	test('names the run at the deadline when a status check gets no response', async () => {
		env.control.addFault({ match: { operation: 'getRun' }, kind: 'hang', times: 0 });
		const begin = performance.now();
		// The first check may take the whole of Max Wait, the request itself a minute.
		const { message } = await failWith({ retryFor: 2 });
		expect(message).toMatch(/did not answer in time, after run 'run_\w+' had been started$/);
		expect(performance.now() - begin).toBeLessThan(20_000);
	});

	test.each(['a retry of the execution', 'Retry On Fail'])(
		'checks a failed run again, and starts no other one, with %s',
		async (repetition) => {
			setStatuses('failed');
			const isRetryOnFail = repetition === 'Retry On Fail';
			const workflow = start(
				{},
				isRetryOnFail ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {},
			);
			let ended = await env.run(workflow, { input: input() });
			if (!isRetryOnFail) ended = await env.run(workflow, { mode: 'retry', state: stateForRetry(ended) });
			expect(ended.status).toBe('error');
			expect(committedStarts()).toEqual([true, false]);
			expect(new Set(requestsOf('runWorkflow').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
			expect(new Set(requestsOf('getRun').map(({ path }) => path)).size).toBe(1);
		},
	);

	test('starts another run in a new execution after a failed one', async () => {
		setStatuses('failed');
		for (let i = 0; i < 2; i++) await env.run(start(), { input: input() });
		expect(committedStarts()).toEqual([true, true]);
	});

	test('warns that a retry starts another run when no key was sent', async () => {
		setStatuses('failed');
		const { description } = await failWith({ preventDuplicates: 'off' });
		expect(description).toContain('A retry of this execution starts another run');
	});

	test.each([
		['stopWorkflow', 1],
		['continueRegularOutput', 2],
	] as const)(
		'starts the runs of later items after a failed run only on Continue: %s',
		async (onError, count) => {
			setStatuses('failed');
			await env.run(start({}, { onError }), { input: [...input(), ...input()] });
			expect(committedStarts()).toHaveLength(count);
		},
	);
});

describe('Run › Get', () => {
	const parameters = (options: IDataObject = {}) => parametersOf('Run › Get', options);
	const inputOf = (ids: string[]) => ids.map((id) => ({ id }));

	test('waits for several runs concurrently and keeps the input order', async () => {
		const ids = seedRuns(12);
		const items = await env.getItems(parameters(), inputOf(ids));
		expect(items.map(({ json, pairedItem }) => [json.id, json.status, pairedItem])).toEqual(
			ids.map((id, item) => [id, 'completed', { item }]),
		);
		// Five at a time: each of them is checked before the first is checked again.
		expect(
			new Set(
				env
					.journal()
					.slice(0, 5)
					.map(({ path }) => path),
			).size,
		).toBe(5);
	});

	test('fails only the items whose runs fail or take too long when On Error is Continue', async () => {
		const [first, last] = seedRuns(2);
		setStatuses('brewing');
		const [late] = seedRuns(1);
		setStatuses('failed');
		const [failed] = seedRuns(1);
		const items = await env.getItems(parameters({ retryFor: 60 }), inputOf([first, late, failed, last]), {
			onError: 'continueRegularOutput',
		});
		expect(idsOf(items)).toEqual([first, undefined, undefined, last]);
		expect(items[1].json.error).toMatch(
			/^Run 'run_\w+' was still 'brewing' after 60 s \(request req_\w+\) \[Item 1\]\. The run goes on/,
		);
		expect(items[2].json.error).toMatch(/ended as 'failed' \(request req_\w+\) \[Item 2\]\./);
	});

	test('ends all waits at the first deadline when On Error is Stop Workflow', async () => {
		setStatuses('brewing');
		const [first, second] = seedRuns(2);
		const input = [
			{ id: first, wait: 100_000 },
			{ id: second, wait: 20 },
		];
		const { message } = await env.getError(parameters({ retryFor: '={{ $json.wait }}' }), input);
		expect(message).toMatch(new RegExp(`^Run '${second}' was still 'brewing' after 20 s .* \\[Item 1\\]$`));
	});

	test('ends the wait at once when the run does not exist', async () => {
		const { message } = await env.getError(parameters(), inputOf(['run_of_nobody']));
		expect(message).toMatch(/^The run 'run_of_nobody' was not found \(request req_\w+\)$/);
		expect(env.journal().filter(({ path }) => path.includes('run_of_nobody'))).toHaveLength(1);
	});

	test('reads the run once, whatever its status is, without Wait for Completion', async () => {
		setStatuses('brewing');
		const once = { ...parameters({ finishedStatuses: ' , ' }), waitForCompletion: false };
		const [{ json }] = await env.getItems(once, inputOf(seedRuns(1)));
		expect(json.status).toBe('brewing');
		expect(env.operations()).toEqual(['getRun']);
	});
});
