import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';
import { freshState, outputOf, stateAfterKill, stateForRetry } from '../../engine';
import { agent, failing, loop, subWorkflow, wait } from './fixtures';
import { byId, inARow, node, PROSPECTOR, startBench, type Bench } from './support';

let bench: Bench;
let workflowIds: string[];

beforeAll(async () => {
	bench = await startBench();
	bench.nodeTypes
		.add('test.loop', loop)
		.add('test.wait', wait)
		.add('test.subWorkflow', subWorkflow)
		.add('test.agent', agent);
	const found = await bench.items({ resource: 'workflow', operation: 'getAll' });
	workflowIds = found.map(({ json }) => String(json.id));
});
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.sandbox.control.clearFaults();
	bench.sandbox.control.clearJournal();
});

const START = 'Start';
const start = (extra: Partial<INode> = {}, options: IDataObject = {}) =>
	bench.prospector(
		{ resource: 'workflow', operation: 'run', workflowId: byId(workflowIds[0]), options },
		{ name: START, id: 'start', ...extra },
	);

/** The starts that the service got, in their order. */
const posts = () => bench.sandbox.control.journal().filter(({ operation }) => operation === 'runWorkflow');
const keys = () => posts().map(({ idempotencyKey }) => idempotencyKey);
const startedRuns = () => posts().filter(({ committed }) => committed).length;
/** The service does it, but the answer is lost. */
const loseAnswers = (times: number) =>
	bench.sandbox.control.addFault({ match: { operation: 'runWorkflow' }, kind: 'drop', when: 'after', times });

/** n8n 1 has no resume token: there, nothing that a node can see survives a killed process (README). */
const withResumeToken = process.env.compat === 'n8n1' ? test.skip : test;

const different = (values: unknown[]) => new Set(values).size;

describe('the same key goes out', () => {
	test('when Retry On Fail runs the node again', async () => {
		loseAnswers(2);
		const ended = await bench.run(inARow(start({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 })));
		expect(ended.status).toBe('success');
		expect(keys()).toHaveLength(3);
		expect(different(keys())).toBe(1);
		expect(startedRuns()).toBe(1);
	});

	test('when a failed execution is retried, and when that retry is retried', async () => {
		loseAnswers(2);
		const workflow = inARow(start());
		const failed = await bench.run(workflow);
		expect(failed.status).toBe('error');
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('error');
		const last = await bench.run(workflow, { mode: 'retry', state: stateForRetry(again) });
		expect(last.status).toBe('success');
		expect(different(keys())).toBe(1);
		expect(keys()).toHaveLength(3);
		expect(startedRuns()).toBe(1);
		expect(outputOf(last, START)[0].json.idempotency_key).toBe(keys()[0]);
	});

	test('when a retry has lost the resume token but kept what the node remembered, as in n8n 1', async () => {
		loseAnswers(1);
		const workflow = inARow(start());
		const state = withoutToken();
		const failed = await bench.run(workflow, { state });
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(different(keys())).toBe(1);
		expect(startedRuns()).toBe(1);
	});

	test('when a node behind it failed and the execution is retried from there', async () => {
		const { type, state } = failing();
		bench.nodeTypes.add('test.failing', type);
		const workflow = inARow(start(), node('Behind', 'test.failing', {}));
		const failed = await bench.run(workflow);
		expect(failed.status).toBe('error');
		state.fails = false;
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(keys()).toHaveLength(1);
	});

	withResumeToken('when the process was killed after the start and the execution begins anew', async () => {
		loseAnswers(1);
		const workflow = inARow(start());
		const before = freshState(inARow(start()));
		const killed = await bench.run(workflow, { state: structuredClone(before) });
		const again = await bench.run(workflow, { mode: 'retry', state: structuredClone(before) });
		expect(killed.status).toBe('error');
		expect(again.status).toBe('success');
		expect(keys()).toHaveLength(2);
		expect(different(keys())).toBe(1);
		expect(startedRuns()).toBe(1);
	});

	withResumeToken(
		'in each round of a loop whose process was killed, although n8n goes on counting',
		async () => {
			const workflow = loopWorkflow();
			const input = [{ json: { n: 1 } }, { json: { n: 2 } }];
			const before = freshState(workflow, input);
			const whole = await bench.run(workflow, { state: structuredClone(before) });
			const first = keys();
			const runData = stateAfterKill(before, whole).resultData.runData;
			// Killed in the second round: of the first, everything had been saved.
			for (const runs of Object.values(runData)) runs.splice(1);
			const state = structuredClone(before);
			state.resultData.runData = runData;
			const again = await bench.run(workflow, { mode: 'retry', state });
			expect(again.status).toBe('success');
			expect(keys().slice(2)).toEqual(first);
			expect(startedRuns()).toBe(2);
		},
	);

	test('when an execution goes on after a Wait and is then retried', async () => {
		loseAnswers(1);
		const workflow = inARow(node('Wait', 'test.wait', {}), start());
		const waiting = await bench.run(workflow);
		expect(waiting.status).toBe('waiting');
		const state = structuredClone(waiting.data);
		delete state.waitTill;
		state.executionData!.nodeExecutionStack[0].node.disabled = true;
		state.resultData.runData.Wait?.pop();
		const failed = await bench.run(workflow, { state, executionId: 'same' });
		expect(failed.status).toBe('error');
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(keys()).toHaveLength(2);
		expect(different(keys())).toBe(1);
	});

	test('when a person gave it, whatever execution sends it', async () => {
		const workflow = inARow(start({}, { idempotencyKeyMode: 'custom', idempotencyKey: 'leads-2026-11-21' }));
		await bench.run(workflow);
		const ended = await bench.run(workflow);
		expect(keys()).toEqual(['leads-2026-11-21', 'leads-2026-11-21']);
		expect(startedRuns()).toBe(1);
		expect(outputOf(ended, START)[0].json.idempotency_key).toBe('leads-2026-11-21');
	});
});

describe('a different key goes out', () => {
	test('for each execution', async () => {
		const workflow = inARow(start());
		await bench.run(workflow);
		await bench.run(workflow);
		expect(different(keys())).toBe(2);
		expect(startedRuns()).toBe(2);
	});

	test('for each execution, without a resume token too', async () => {
		const workflow = inARow(start());
		const state = withoutToken();
		await bench.run(workflow, { state: structuredClone(state) });
		await bench.run(workflow, { state: structuredClone(state) });
		expect(different(keys())).toBe(2);
	});

	test('for each item', async () => {
		await bench.run(inARow(start()), { input: [{ json: {} }, { json: {} }, { json: {} }] });
		expect(different(keys())).toBe(3);
		expect(startedRuns()).toBe(3);
	});

	test('for each node of a workflow', async () => {
		const second = start({ name: 'Second', id: 'second' });
		await bench.run(inARow(start(), second));
		expect(different(keys())).toBe(2);
	});

	test('for each round of a loop', async () => {
		const ended = await bench.run(loopWorkflow(), {
			input: [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }],
		});
		expect(ended.status).toBe('success');
		expect(keys()).toHaveLength(3);
		expect(different(keys())).toBe(3);
	});

	test('for each n8n workflow', async () => {
		const state = freshState(inARow(start()));
		for (const id of ['one', 'two']) {
			await bench.run({ ...inARow(start()), id }, { state: structuredClone(state), executionId: '7' });
		}
		expect(different(keys())).toBe(2);
	});

	test('for each sub-workflow execution', async () => {
		const workflow = inARow(
			node('Call', 'test.subWorkflow', { workflow: 'sub' }),
			node('Call again', 'test.subWorkflow', { workflow: 'sub' }),
		);
		const sub = { ...inARow(start()), id: 'sub' };
		const ended = await bench.run(workflow, { subWorkflows: { sub } });
		expect(ended.status).toBe('success');
		expect(different(keys())).toBe(2);
	});

	test('for each call of an AI agent', async () => {
		const tool = { ...start(), name: 'Tool', type: `${PROSPECTOR}Tool` };
		const workflow = {
			nodes: [node('Agent', 'test.agent', { calls: 2 }), tool],
			connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] } },
		};
		const ended = await bench.run(workflow);
		expect(ended.data.resultData.error).toBeUndefined();
		expect(keys()).toHaveLength(2);
		expect(different(keys())).toBe(2);
		const [{ json }] = outputOf(ended, 'Agent');
		expect(json.answer).toMatchObject([{ object: 'prospector_run', idempotency_key: keys()[0] }]);
	});
});

describe('no key goes out', () => {
	test('when a person chose None', async () => {
		const ended = await bench.run(inARow(start({}, { idempotencyKeyMode: 'none' })));
		expect(keys()).toEqual([null]);
		expect(outputOf(ended, START)[0].json.idempotency_key).toBeNull();
	});

	test('when n8n names no execution, and the execution says so', async () => {
		const state = withoutToken();
		const ended = await bench.run(inARow(start()), { state, executionId: '' });
		expect(keys()).toEqual([null]);
		const hints = ended.data.resultData.runData[START][0].hints ?? [];
		expect(hints.map(({ message }) => message).join()).toMatch(/No idempotency key was sent/);
	});
});

test.each(['', '   ', 'line\nbreak', 'naïve', 'k'.repeat(256)])(
	'a custom key that cannot be sent is refused before anything is sent: %j',
	async (idempotencyKey) => {
		const options = { idempotencyKeyMode: 'custom', idempotencyKey };
		const ended = await bench.run(inARow(start({}, options)));
		expect(ended.data.resultData.error?.message).toMatch(/'Idempotency Key'/);
		expect(posts()).toHaveLength(0);
	},
);

/** Loop → Start → back to Loop. */
function loopWorkflow() {
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	return {
		nodes: [node('Loop', 'test.loop', {}), start()],
		connections: { Loop: { main: [[], to(START)] }, [START]: { main: [to('Loop')] } },
	};
}

/** An execution about to begin on an n8n that gives no resume token. */
const withoutToken = () => ({ ...freshState(inARow(start())), resumeToken: undefined }) as IRunExecutionData;
