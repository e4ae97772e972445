import { byId } from '../nodes';
import { toolAnswers } from './scriptedModel';
import { agentWorkflow, fromModel, startAgentBench, type AgentBench } from './support';

let bench: AgentBench;
beforeAll(async () => {
	bench = await startAgentBench();
}, 60_000);
afterAll(async () => await bench.close());
beforeEach(() => bench.forget());

test('x', async () => {
	bench.sandbox.control.seed({ workflows: 2 });
	const list = bench.tool('List Prospector workflows', { resource: 'workflow', operation: 'getAll' });
	const get = bench.tool('Get run', { resource: 'run', operation: 'get', runId: byId(fromModel('Run')) });
	bench.model.follow(
		{ calls: [{ tool: 'List_Prospector_workflows' }] },
		{ calls: [{ tool: 'Get_run', arguments: { Run: 'nope' } }] },
		{ say: 'Done' },
	);
	const said = await bench.chat(agentWorkflow(bench, list, get));
	console.log(said, JSON.stringify(bench.model.requests, null, 1), toolAnswers(bench.model.requests.at(-1)!));
});
