import { startScriptedModel, toolAnswers, type ScriptedModel } from '../../agent/scriptedModel';
import { readExample } from '../../examples/examples';
import { startEnvironment, type Environment } from '../environment';
import { failureOf } from '../n8n/executions';
import { atLeast } from '../n8n/target';

const FILE = 'agent-starts-a-run.json';
const CHAT_TRIGGER = 'When chat message received';

/** The model gets it for an unknown Prospector workflow. */
const ADVICE = 'Call a tool that gets many Prospector workflows to list the IDs, then use one of them.';

describe('AI agent with Prospector tools', () => {
	let e2e: Environment;
	let model: ScriptedModel;
	let workflowId: string;
	beforeAll(async () => {
		e2e = await startEnvironment();
		model = await startScriptedModel();
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
	});
	afterAll(async () => {
		await e2e.close();
		await model.close();
	});

	test('the AI agent example starts one run and continues after a tool call of the model has failed', async () => {
		const { id } = await e2e.rest.post<{ id: string }>('/rest/credentials', {
			...{ name: 'OpenAI', type: 'openAiApi', data: { apiKey: 'no-key', url: model.url } },
		});
		const credentials = { ...e2e.full, openAiApi: { id, name: 'OpenAI' } };
		const example = readExample(FILE);
		const nodes = example.nodes.map((node) => (node.credentials ? { ...node, credentials } : node));
		const agent = await e2e.workflows.create({ ...example, nodes });
		const start = (workflow_id: string) => ({ tool: 'Start_a_run', arguments: { workflow_id } });
		model.follow(
			{ calls: [start('wf_nowhere'), { tool: 'List_Prospector_workflows' }] },
			{ calls: [start(workflowId)] },
			{ say: 'Started' },
		);
		const message = { sessionId: 'session', action: 'sendMessage', chatInput: 'Yes' };
		const data = {
			...{ startTime: Date.now(), executionTime: 0, executionIndex: 0, executionStatus: 'success' },
			...{ data: { main: [[{ json: message }]] }, source: [null] },
		};
		const { executionId } = await e2e.rest.post<{ executionId: string }>(`/rest/workflows/${agent.id}/run`, {
			triggerToStartFrom: { name: CHAT_TRIGGER, data },
			...(!atLeast('2.0') && { workflowData: agent }),
		});
		const ended = await e2e.executions.ended(executionId);
		expect([ended.status, failureOf(ended)]).toEqual(['success', undefined]);
		const reply = ended.data?.resultData.runData['AI Agent'].at(-1)?.data?.main[0]?.[0].json.output;
		expect(reply).toBe('Started');
		const [refusal, list, started] = toolAnswers(model.requests[2]);
		expect(refusal).toContain(ADVICE);
		expect(list).toContain(workflowId);
		const [run, ...others] = e2e.control.runs().runs.filter((each) => each.workflowId === workflowId);
		expect(others).toEqual([]);
		const request = e2e.requests('runWorkflow').at(-1)!;
		expect(JSON.parse(started)).toMatchObject([{ id: run.id, request_id: request.requestId }]);
	});
});
