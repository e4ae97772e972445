import { agent } from './fixtures';
import { byId, node, PROSPECTOR, startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => {
	bench = await startEnvironment();
	bench.nodeTypes.add('test.agent', agent);
});
afterAll(async () => await bench.close());

const ADVICE = 'Workflow › Get Many returns';

/** AI Agent nodes of before version 3 call their tools themselves, and pass on the message of what they throw. */
test('an agent that calls its tools itself is told what to do, once', async () => {
	const parameters = { resource: 'workflow', operation: 'get', workflowId: byId('Freight') };
	const tool = bench.prospector(parameters, { name: 'Tool', type: `${PROSPECTOR}Tool` });
	const ended = await bench.run({
		nodes: [node('Agent', 'test.agent', {}), tool],
		connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
	});
	const { message = '' } = ended.data.resultData.error ?? {};
	expect(message).toContain("The Prospector workflow 'Freight' was not found (request req_");
	expect(message.split(ADVICE)).toHaveLength(2);
});
