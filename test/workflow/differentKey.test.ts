import type { WorkflowExecuteMode } from 'n8n-workflow';
import { initialState, outputOf, stateForRetry } from '../../engine';
import { different, startRunEnvironment, type RunEnvironment } from './runBench';
import { chainNodes, node, PROSPECTOR } from './support';

let bench: RunEnvironment;

beforeAll(async () => {
	bench = await startRunEnvironment();
});
afterAll(async () => await bench.close());
beforeEach(() => bench.forget());

const MODES: WorkflowExecuteMode[] = ['manual', 'webhook', 'trigger', 'cli', 'integrated'];

test.each(MODES)('an execution begun as %s sends a key of its own, and its retry the same', async (mode) => {
	bench.loseAnswers(1);
	const workflow = chainNodes(bench.start());
	const failed = await bench.run(workflow, { mode });
	const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
	await bench.run(workflow, { mode });
	expect(again.status).toBe('success');
	const [first, retried, next] = bench.keys();
	expect(retried).toBe(first);
	expect(next).not.toBe(first);
	expect(bench.startedRuns()).toBe(2);
});

describe('a different key goes out', () => {
	test('for each execution', async () => {
		const workflow = chainNodes(bench.start());
		await bench.run(workflow);
		await bench.run(workflow);
		expect(different(bench.keys())).toBe(2);
		expect(bench.startedRuns()).toBe(2);
	});

	test('for each execution, without a resume token too', async () => {
		const workflow = chainNodes(bench.start());
		const state = bench.withoutToken();
		await bench.run(workflow, { state: structuredClone(state) });
		await bench.run(workflow, { state: structuredClone(state) });
		expect(different(bench.keys())).toBe(2);
	});

	test('for each item', async () => {
		await bench.run(chainNodes(bench.start()), { input: [{ json: {} }, { json: {} }, { json: {} }] });
		expect(different(bench.keys())).toBe(3);
		expect(bench.startedRuns()).toBe(3);
	});

	test('for each node of a workflow', async () => {
		const second = bench.start({ name: 'Second', id: 'second' });
		await bench.run(chainNodes(bench.start(), second));
		expect(different(bench.keys())).toBe(2);
	});

	test('for each round of a loop', async () => {
		const ended = await bench.run(bench.loopWorkflow(), {
			input: [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 3 } }],
		});
		expect(ended.status).toBe('success');
		expect(bench.keys()).toHaveLength(3);
		expect(different(bench.keys())).toBe(3);
	});

	test('for each n8n workflow', async () => {
		const state = initialState(chainNodes(bench.start()));
		for (const id of ['one', 'two']) {
			await bench.run(
				{ ...chainNodes(bench.start()), id },
				{ state: structuredClone(state), executionId: '7' },
			);
		}
		expect(different(bench.keys())).toBe(2);
	});

	test('for each sub-workflow execution', async () => {
		const workflow = chainNodes(
			node('Call', 'test.subWorkflow', { workflow: 'sub' }),
			node('Call again', 'test.subWorkflow', { workflow: 'sub' }),
		);
		const sub = { ...chainNodes(bench.start()), id: 'sub' };
		const ended = await bench.run(workflow, { subWorkflows: { sub } });
		expect(ended.status).toBe('success');
		expect(different(bench.keys())).toBe(2);
	});

	test('for each call of an AI agent', async () => {
		const tool = { ...bench.start(), name: 'Tool', type: `${PROSPECTOR}Tool` };
		const workflow = {
			nodes: [node('Agent', 'test.agent', { calls: 2 }), tool],
			connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] } },
		};
		const ended = await bench.run(workflow);
		expect(ended.data.resultData.error).toBeUndefined();
		expect(bench.keys()).toHaveLength(2);
		expect(different(bench.keys())).toBe(2);
		const [{ json }] = outputOf(ended, 'Agent');
		expect(json.answer).toMatchObject([{ object: 'prospector_run', idempotency_key: bench.keys()[0] }]);
	});
});
