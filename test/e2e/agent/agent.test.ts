import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../scripts/engine';
import {
	startScriptedModel,
	toolAnswers,
	type ModelRequest,
	type ScriptedModel,
} from '../../agent/scriptedModel';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, type Execution } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import type { Saved } from '../n8n/workflows';

/** The advice that the model gets for an unknown Prospector workflow. */
const NOT_FOUND =
	"It was deleted or belongs to another workspace. Pick one from the list in 'Prospector Workflow', or enter its ID, not its name.";
/** In n8n 1, the failure of a tool fails the execution, unless the tool has On Error: Continue. */
const continues = atLeast('2.0');

const FILE = 'examples/agent-starts-a-run.json';

let e2e: Environment;
let model: ScriptedModel;
let agent: Saved;
let credentials: INode['credentials'];
let prospectorWorkflow: string;
let session: string;

/** The example with other credentials. */
function exampleWith(chosen: INode['credentials'], change: (node: INode) => INode = (each) => each) {
	const file = JSON.parse(readFileSync(FILE, 'utf8')) as WorkflowFile;
	return {
		...file,
		nodes: file.nodes.map((node) => change(node.credentials ? { ...node, credentials: chosen } : node)),
	};
}

/** Sends a message in the editor's chat, and waits for the end of the execution. */
async function chat(chatInput: string): Promise<Execution> {
	const name = 'When chat message received';
	const message = { json: { sessionId: session, action: 'sendMessage', chatInput } };
	const data = {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		data: { main: [[message]] },
		source: [null],
	};
	const { executionId } = await e2e.rest.post<{ executionId: string }>(`/rest/workflows/${agent.id}/run`, {
		triggerToStartFrom: { name, data },
		...(!atLeast('2.0') && { workflowData: agent }),
	});
	return await e2e.executions.ended(executionId);
}

/** The reply of the agent. */
function replyOf(execution: Execution): string {
	const failure = failureOf(execution);
	if (failure) throw new Error(failure);
	return execution.data?.resultData.runData['AI Agent'].at(-1)?.data?.main[0]?.[0].json.output as string;
}

/** The items of a tool's runs in the data of an execution. */
const toolItems = ({ data }: Execution, tool: string): IDataObject[] =>
	(data?.resultData.runData[tool] ?? []).flatMap(
		(run) => run.data?.ai_tool?.[0]?.map(({ json }) => json) ?? [],
	);

const starts = () => e2e.requests('runWorkflow');
const startCall = (id = prospectorWorkflow) => ({ tool: 'Start_a_run', arguments: { workflow_id: id } });
const lastAnswer = (request: ModelRequest) => toolAnswers(request).at(-1) ?? '';

describe('AI agent with Prospector tools', () => {
	beforeAll(async () => {
		e2e = await startEnvironment();
		model = await startScriptedModel();
		const { id } = await e2e.rest.post<{ id: string }>('/rest/credentials', {
			name: 'OpenAI',
			type: 'openAiApi',
			data: { apiKey: 'no-key', url: model.url },
		});
		credentials = { ...e2e.full, openAiApi: { id, name: 'OpenAI' } };
		agent = await e2e.workflows.create(exampleWith(credentials));
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Freight in Austria' }] }).workflows;
	});
	afterAll(async () => {
		await e2e.close();
		await model.close();
	});
	beforeEach(() => {
		e2e.clearRequests();
		session = randomUUID();
	});

	test('the imported example starts one run after a confirmation, although the model starts it three times', async () => {
		model.follow({ calls: [{ tool: 'List_Prospector_workflows' }] }, { say: 'Shall I?' });
		expect(replyOf(await chat('Look for freight companies'))).toBe('Shall I?');
		expect(JSON.parse(lastAnswer(model.requests[1]))).toContainEqual(
			expect.objectContaining({ id: prospectorWorkflow, name: 'Freight in Austria' }),
		);
		expect(starts()).toEqual([]);

		const before = e2e.control.runs().started;
		model.follow({ calls: [startCall(), startCall()] }, { calls: [startCall()] }, { say: 'Started' });
		const ended = await chat('Yes');
		expect(replyOf(ended)).toBe('Started');
		expect(starts()).toHaveLength(3);
		expect(e2e.control.runs().started).toBe(before + 1);
		const [run] = e2e.control.runs().runs.filter(({ workflowId }) => workflowId === prospectorWorkflow);
		expect(toolItems(ended, 'Start a run').map(({ id }) => id)).toEqual([run.id, run.id, run.id]);
		// The conversation contains earlier results too.
		const results = toolAnswers(model.requests[2]).slice(-3);
		expect(results.map((answer) => (JSON.parse(answer) as [{ id: string }])[0].id)).toEqual(
			Array(3).fill(run.id),
		);
	});

	test('the data of the execution contains the request id of each tool call', async () => {
		model.follow({ calls: [startCall()] }, { say: 'Started' });
		const ended = await chat('Yes');
		expect(toolItems(ended, 'Start a run')).toMatchObject([
			{ request_id: starts()[0].requestId, idempotency_key: starts()[0].idempotencyKey },
		]);
		expect(lastAnswer(model.requests[1])).toContain(starts()[0].requestId);
	});

	test('the model gets the advice when a tool fails, and the agent continues', async () => {
		model.follow({ calls: [startCall('wf_nowhere')] }, { say: 'No such workflow' });
		expect(replyOf(await chat('Yes'))).toBe('No such workflow');
		expect(lastAnswer(model.requests[1])).toContain(NOT_FOUND);
		expect(e2e.control.runs().perWorkflow).not.toHaveProperty('wf_nowhere');
	});

	test(
		continues
			? 'the agent also continues without On Error: Continue'
			: 'without On Error: Continue, n8n 1 fails the execution with the advice',
		async () => {
			const unset = (each: INode): INode => ({ ...each, onError: undefined });
			agent = await e2e.workflows.create(exampleWith(credentials, unset));
			model.follow({ calls: [startCall('wf_nowhere')] }, { say: 'No such workflow' });
			const ended = await chat('Yes');
			if (continues) {
				expect(replyOf(ended)).toBe('No such workflow');
				expect(lastAnswer(model.requests[1])).toContain(NOT_FOUND);
			} else {
				expect(ended.status).toBe('error');
				expect(failureOf(ended)).toContain(NOT_FOUND);
			}
		},
	);
});
