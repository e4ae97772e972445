import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../engine';
import {
	startScriptedModel,
	toolAnswers,
	type ModelRequest,
	type ScriptedModel,
} from '../../agent/scriptedModel';
import { PATIENT, startE2e, type E2e } from '../bench';
import { failureOf, type Execution } from '../n8n/executions';
import { atLeast } from '../n8n/target';
import type { Saved } from '../n8n/workflows';

/** What the model reads of a Prospector workflow that is not there. */
const REFUSAL =
	"It was deleted, or it belongs to another workspace than the API key. Pick one in 'Workflow' from the list, or give the 'id' of one that Workflow › Get Many returns, not its name.";
/** Whether an agent goes on after a tool has failed: n8n 1 ends the execution, unless the tool says otherwise. */
const goesOn = atLeast('2.0');

const FILE = 'examples/agent-starts-a-run.json';

let e2e: E2e;
let model: ScriptedModel;
let agent: Saved;
let credentials: INode['credentials'];
let prospectorWorkflow: string;
let session: string;

/** The example as a person imports it: only the credentials are chosen anew. */
function imported(chosen: INode['credentials'], change: (node: INode) => INode = (each) => each) {
	const file = JSON.parse(readFileSync(FILE, 'utf8')) as WorkflowFile;
	return {
		...file,
		nodes: file.nodes.map((node) => change(node.credentials ? { ...node, credentials: chosen } : node)),
	};
}

/** Sends a message in the editor's chat, and waits for the end of the execution that it starts. */
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

/** What the agent answers. */
function said(execution: Execution): string {
	const failure = failureOf(execution);
	if (failure) throw new Error(failure);
	return execution.data?.resultData.runData['AI Agent'].at(-1)?.data?.main[0]?.[0].json.output as string;
}

/** What a tool brought in each of its runs, as the execution's data shows it. */
const toolItems = ({ data }: Execution, tool: string): IDataObject[] =>
	(data?.resultData.runData[tool] ?? []).flatMap(
		(run) => run.data?.ai_tool?.[0]?.map(({ json }) => json) ?? [],
	);

const starts = () => e2e.requests('runWorkflow');
const startIt = (id = prospectorWorkflow) => ({ tool: 'Start_a_run', arguments: { workflow_id: id } });
const lastAnswer = (request: ModelRequest) => toolAnswers(request).at(-1) ?? '';

describe('AI agent with Prospector tools', () => {
	beforeAll(async () => {
		e2e = await startE2e();
		model = await startScriptedModel();
		const { id } = await e2e.rest.post<{ id: string }>('/rest/credentials', {
			name: 'OpenAI',
			type: 'openAiApi',
			data: { apiKey: 'no-key', url: model.url },
		});
		credentials = { ...e2e.full, openAiApi: { id, name: 'OpenAI' } };
		agent = await e2e.workflows.create(imported(credentials));
		[prospectorWorkflow] = e2e.control.seed({ workflows: [{ name: 'Freight in Austria' }] }).workflows;
	}, PATIENT);
	afterAll(async () => {
		await e2e.close();
		await model.close();
	});
	beforeEach(() => {
		e2e.forget();
		session = randomUUID();
	});

	test('the imported example starts a run after a yes, once, though the model starts it three times', async () => {
		model.follow({ calls: [{ tool: 'List_Prospector_workflows' }] }, { say: 'Shall I?' });
		expect(said(await chat('Look for freight companies'))).toBe('Shall I?');
		expect(JSON.parse(lastAnswer(model.requests[1]))).toContainEqual(
			expect.objectContaining({ id: prospectorWorkflow, name: 'Freight in Austria' }),
		);
		expect(starts()).toEqual([]);

		const before = e2e.control.runs().started;
		model.follow({ calls: [startIt(), startIt()] }, { calls: [startIt()] }, { say: 'Started' });
		const ended = await chat('Yes');
		expect(said(ended)).toBe('Started');
		expect(starts()).toHaveLength(3);
		expect(e2e.control.runs().started).toBe(before + 1);
		const [run] = e2e.control.runs().runs.filter(({ workflowId }) => workflowId === prospectorWorkflow);
		expect(toolItems(ended, 'Start a run').map(({ id }) => id)).toEqual([run.id, run.id, run.id]);
		// What the model had asked for and got before is remembered, so the answers are the last three.
		const told = toolAnswers(model.requests[2]).slice(-3);
		expect(told.map((answer) => (JSON.parse(answer) as [{ id: string }])[0].id)).toEqual(
			Array(3).fill(run.id),
		);
	});

	test("the execution's data names the request of each tool call", async () => {
		model.follow({ calls: [startIt()] }, { say: 'Started' });
		const ended = await chat('Yes');
		expect(toolItems(ended, 'Start a run')).toMatchObject([
			{ request_id: starts()[0].requestId, idempotency_key: starts()[0].idempotencyKey },
		]);
		expect(lastAnswer(model.requests[1])).toContain(starts()[0].requestId);
	});

	test('a refusal is a sentence to the model, and the agent goes on', async () => {
		model.follow({ calls: [startIt('wf_nowhere')] }, { say: 'There is no such thing' });
		expect(said(await chat('Yes'))).toBe('There is no such thing');
		expect(lastAnswer(model.requests[1])).toContain(REFUSAL);
		expect(e2e.control.runs().perWorkflow).not.toHaveProperty('wf_nowhere');
	});

	test(
		goesOn
			? "the same without the example's setting On Error: Continue, as n8n does it by itself"
			: "without the example's setting On Error: Continue, n8n 1 ends the execution with that sentence",
		async () => {
			const unset = (each: INode): INode => ({ ...each, onError: undefined });
			agent = await e2e.workflows.create(imported(credentials, unset));
			model.follow({ calls: [startIt('wf_nowhere')] }, { say: 'There is no such thing' });
			const ended = await chat('Yes');
			if (goesOn) {
				expect(said(ended)).toBe('There is no such thing');
				expect(lastAnswer(model.requests[1])).toContain(REFUSAL);
			} else {
				expect(ended.status).toBe('error');
				expect(failureOf(ended)).toContain(REFUSAL);
			}
		},
	);
});
