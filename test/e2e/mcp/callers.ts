import type { IDataObject } from 'n8n-workflow';
import type { WorkflowFile } from '../../../scripts/engine';
import { startScriptedModel, toolAnswers, type ModelRequest } from '../../agent/scriptedModel';
import { byId, LANGCHAIN, node } from '../../nodes';
import { buildAgentWorkflow } from '../agent';
import type { Environment } from '../environment';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { manualWorkflow } from '../n8n/workflows';
import { connectSdkClient, type SdkClient, TOOL } from './server';

/** Longer than the default of 60 s, so that a busy machine has time to start the execution of a call. */
const CALL_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 2 * CALL_TIMEOUT_MS;

export type Answer = IDataObject[];

/**
 * Calls the tool for a Prospector workflow, and again as the note in the first answer says.
 *
 * @returns both answers
 * @throws Error after the timeout
 */
export type Caller = (e2e: Environment, url: string, workflowId: string) => Promise<Answer[]>;

const parseAnswer = (text: string) => JSON.parse(text) as Answer;

/** Returns the arguments that the note in an answer asks for. */
function followNote([{ note }]: Answer, workflowId: string): IDataObject {
	const [, name, value] = /call this tool again with (\w+) '([^']+)'/.exec(String(note)) ?? [];
	return { Workflow: workflowId, [name]: value };
}

/** Calls the tool with the client of MCP's SDK. @throws Error with the text of an answer that reports one */
async function callTool(client: SdkClient, given: IDataObject): Promise<Answer> {
	const { content, isError } = await client.callTool({ name: TOOL, arguments: given }, undefined, {
		timeout: CALL_TIMEOUT_MS,
	});
	if (isError) throw new Error(content[0].text);
	return parseAnswer(content[0].text);
}

const callFromSdk: Caller = async (_, url, workflowId) => {
	const client = await connectSdkClient(url);
	const first = await callTool(client, { Workflow: workflowId });
	const second = await callTool(client, followNote(first, workflowId));
	await client.close();
	return [first, second];
};

/** Calls the tool two times at once, each time for a new run. */
export const callTwiceAtOnce: Caller = async (_, url, workflowId) => {
	const client = await connectSdkClient(url);
	const call = async () => await callTool(client, { Workflow: workflowId });
	const answers = await Promise.all([call(), call()]);
	await client.close();
	return answers;
};

async function execute({ workflows }: Environment, workflow: WorkflowFile): Promise<Execution> {
	const ended = await workflows.execute(workflow, END_TIMEOUT_MS);
	const failure = failureOf(ended);
	if (failure !== undefined) throw new Error(failure);
	return ended;
}

const CONNECTION = {
	serverTransport: 'httpStreamable',
	authentication: 'none',
	options: { timeout: CALL_TIMEOUT_MS },
};

const callFromNode: Caller = async (e2e, endpointUrl, workflowId) => {
	const client = (name: string, given: string) => {
		const call = {
			tool: byId(TOOL) as never,
			inputMode: 'json',
			jsonInput: `={{ (${given}) }}`,
		};
		return node(
			name,
			`${LANGCHAIN}.mcpClient`,
			{ ...CONNECTION, endpointUrl, ...call },
			{ typeVersion: 1.1 },
		);
	};
	const names = ['First call', 'Second call'];
	const ended = await execute(
		e2e,
		manualWorkflow(
			client(names[0], `{ Workflow: '${workflowId}' }`),
			client(names[1], `{ Workflow: '${workflowId}', Run_ID: $json.content[0].text[0].run_id }`),
		),
	);
	return names.map((name) => {
		const [{ content }] = jsonOf(ended, name) as Array<{ content: Array<{ text: Answer }> }>;
		return content[0].text;
	});
};

const callFromAgent: Caller = async (e2e, endpointUrl, workflowId) => {
	const model = await startScriptedModel();
	const lastAnswer = (request: ModelRequest) => {
		const [{ response }] = JSON.parse(toolAnswers(request).at(-1)!) as Array<{
			response: Array<{ text: string }>;
		}>;
		return parseAnswer(response[0].text);
	};
	const client = node(
		'Prospector',
		`${LANGCHAIN}.mcpClientTool`,
		{ ...CONNECTION, endpointUrl, include: 'all' },
		{ typeVersion: 1.4 },
	);
	const tool = `${client.name}_${TOOL}`;
	model.follow(
		{ calls: [{ tool, arguments: { Workflow: workflowId } }] },
		(request) => ({ calls: [{ tool, arguments: followNote(lastAnswer(request), workflowId) }] }),
		{ say: 'Done' },
	);
	try {
		await execute(e2e, await buildAgentWorkflow(e2e, model, client));
		return model.requests.slice(1).map(lastAnswer);
	} finally {
		await model.close();
	}
};

export const CALLERS: Record<string, Caller> = {
	"the client of MCP's SDK": callFromSdk,
	'the node MCP Client': callFromNode,
	'the model of an AI Agent with MCP Client Tool': callFromAgent,
};
