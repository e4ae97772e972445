import type { INode } from 'n8n-workflow';
import { initialState, outputOf, stateAfterKill, stateForRetry, type WorkflowFile } from '../../engine';
import { byId } from '../nodes';
import { toolAnswers } from './scriptedModel';
import { agentWorkflow, fromModel, startAgentBench, type AgentBench } from './support';

let bench: AgentBench;
let tool: INode;
let workflow: WorkflowFile;
let workflowIds: string[];

beforeAll(async () => {
	bench = await startAgentBench();
	tool = bench.tool('Start run', {
		resource: 'workflow',
		operation: 'run',
		workflowId: byId(fromModel('Workflow')),
	});
	workflow = agentWorkflow(bench, tool);
});
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.forget();
	workflowIds = bench.sandbox.control.seed({ workflows: 2 }).workflows;
});

const input = [{ json: { sessionId: 's', action: 'sendMessage', chatInput: 'Go' } }];
const start = (id = workflowIds[0]) => ({ calls: [{ tool: 'Start_run', arguments: { Workflow: id } }] });
const outOfOrder = () => {
	throw new Error('The model is out of order');
};

/** The model starts a run, and is out of order when it is to answer. */
async function failedAfterStart() {
	const state = initialState(workflow, input);
	const before = structuredClone(state);
	bench.model.follow(start(), outOfOrder);
	const failed = await bench.run(workflow, { state });
	expect(failed.data.resultData.error).toBeDefined();
	expect(bench.starts()).toHaveLength(1);
	return { failed, before };
}

test('a retried execution goes on after the tools that had answered, and starts nothing', async () => {
	const { failed } = await failedAfterStart();
	bench.model.follow((request) => ({ say: `Got ${toolAnswers(request).length}` }));
	const retried = await bench.run(workflow, { state: stateForRetry(failed), mode: 'retry' });
	expect(outputOf(retried, 'AI Agent')[0].json.output).toBe('Got 1');
	expect(bench.starts()).toHaveLength(1);
});

test('after a killed process the agent begins anew: the same call in the same place gets the same run', async () => {
	const { failed, before } = await failedAfterStart();
	bench.model.follow(start(), { say: 'Done' });
	await bench.run(workflow, { state: stateAfterKill(before, failed), mode: 'retry' });
	const [first, second] = bench.starts();
	expect(second.idempotencyKey).toBe(first.idempotencyKey);
});

test('… and a call for another Prospector workflow is another start', async () => {
	const { failed, before } = await failedAfterStart();
	bench.model.follow(start(workflowIds[1]), { say: 'Done' });
	await bench.run(workflow, { state: stateAfterKill(before, failed), mode: 'retry' });
	const [first, second] = bench.starts();
	expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
});

test('a message sent again is another execution, and so another start', async () => {
	for (let i = 0; i < 2; i++) {
		bench.model.follow(start(), { say: 'Done' });
		await bench.chat(workflow);
	}
	const [first, second] = bench.starts();
	expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
});

test("a tool's own Retry On Fail repeats with the same key", async () => {
	bench.sandbox.control.addFault({
		match: { operation: 'runWorkflow' },
		kind: 'drop',
		when: 'after',
		times: 1,
	});
	const persistent = { ...tool, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	persistent.parameters = { ...tool.parameters, options: { maxWait: 0 } };
	bench.model.follow(start(), { say: 'Done' });
	await bench.chat(agentWorkflow(bench, persistent));
	const keys = bench.starts().map(({ idempotencyKey }) => idempotencyKey);
	expect(keys).toHaveLength(2);
	expect(new Set(keys).size).toBe(1);
});
