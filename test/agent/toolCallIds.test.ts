import type { INode } from 'n8n-workflow';
import { stateForRetry } from '../../scripts/engine';
import { byId } from '../nodes';
import type { ModelRequest, Turn } from './scriptedModel';
import { agentWorkflow, fromModel, startAgentEnvironment, type AgentEnvironment } from './support';

let env: AgentEnvironment;
let tool: INode;
beforeAll(async () => {
	env = await startAgentEnvironment();
	const workflowId = byId(fromModel('Workflow', 'ID of the Prospector workflow'));
	tool = env.tool('Start run', { resource: 'workflow', operation: 'run', workflowId });
});
afterAll(async () => await env.close());
beforeEach(() => env.resetService());

const isAnswered = ({ messages }: ModelRequest) => messages.some(({ role }) => role === 'tool');

/** Executes an agent for three items, each of which starts a run of the same Prospector workflow. */
async function startThreeRuns(typeVersion: number, batchSize: number, toolCallId: string, failures = 0) {
	const [Workflow] = env.sandbox.control.seed({ workflows: 1 }).workflows;
	const call: Turn = { calls: [{ tool: 'Start_run', arguments: { Workflow } }] };
	let failuresLeft = failures;
	const answer = (request: ModelRequest): Turn => {
		if (!isAnswered(request)) return call;
		if (failuresLeft-- > 0) throw new Error('The model is out of order');
		return { say: 'Done' };
	};
	env.model.repeatToolCallId(toolCallId);
	env.model.follow(...Array<typeof answer>(12).fill(answer));
	const workflow = agentWorkflow(env, tool);
	const agent = workflow.nodes.find(({ name }) => name === 'AI Agent')!;
	const batching = { batchSize, delayBetweenBatches: 0 };
	Object.assign(agent, { typeVersion, parameters: { options: { batching } } });
	const input = [1, 2, 3].map((item) => ({ json: { sessionId: `s${item}`, chatInput: 'Go' } }));
	const ended = await env.run(workflow, { input, mode: 'trigger' });
	return { ended, workflow };
}

describe.each([
	[3.1, 1],
	[3.1, 3],
	[2.2, 1],
	[2.2, 3],
])('AI Agent %s with batches of %i items', (typeVersion, batchSize) => {
	test.each([
		['short', 'call_0'],
		['very long', 'x'.repeat(50_000)],
	])(
		'the agent starts one run for each of three items if the model gives all tool calls the same %s ID',
		async (_, toolCallId) => {
			const { ended } = await startThreeRuns(typeVersion, batchSize, toolCallId);
			expect(ended.data.resultData.error).toBeUndefined();
			expect(env.starts().map(({ committed }) => committed)).toEqual([true, true, true]);
		},
	);
});

test('the retry of an execution that the model has failed starts no further run although all tool calls have the same ID', async () => {
	const { ended, workflow } = await startThreeRuns(3.1, 1, 'call_0', 1);
	expect(ended.status).toBe('error');
	expect(env.starts()).toHaveLength(3);
	const again = await env.run(workflow, { state: stateForRetry(ended), mode: 'retry' });
	expect([again.status, env.starts().length]).toEqual(['success', 3]);
});
