import type { IDataObject, INode } from 'n8n-workflow';
import {
	CredentialStore,
	NodeTypes,
	outputOf,
	run,
	type ExecutionOptions,
	type WorkflowFile,
} from '../../engine';
import { rateLimiters } from '../../nodes/Prospector/transport/rate/rateLimiters';
import { startSandbox } from '../../sandbox/sandbox';
import { node, PROSPECTOR } from '../nodes';
import { startScriptedModel } from './scriptedModel';

const N8N_NODES = 'test/n8n/node_modules';
const LANGCHAIN = '@n8n/n8n-nodes-langchain';

/** n8n's own agent with a scripted model, the built package and the sandbox; `close()` it in `afterAll`. */
export async function startAgentBench() {
	const sandbox = await startSandbox({ port: 0, settings: { runStageMs: 0, limit: 100_000 } });
	const model = await startScriptedModel();
	const nodeTypes = await NodeTypes.load(
		'.',
		`${N8N_NODES}/n8n-nodes-base`,
		`${N8N_NODES}/@n8n/n8n-nodes-langchain`,
	);
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, keys } = sandbox;
	const references = {
		...(await credentials.add('Prospector', 'prospectorApi', { apiKey: keys.full, baseUrl })),
		...(await credentials.add('OpenAI', 'openAiApi', { apiKey: 'no-key', url: model.url })),
	};

	/** The Prospector node as a tool, named as the model shall see it. */
	const tool = (name: string, parameters: IDataObject, extra: Partial<INode> = {}) =>
		node(name, `${PROSPECTOR}Tool`, parameters, { credentials: references, ...extra });

	return {
		sandbox,
		model,
		tool,
		references,
		run: async (workflow: WorkflowFile, rest: Partial<ExecutionOptions> = {}) =>
			await run({ nodeTypes, credentials, workflow, ...rest }),
		/** What the agent of a workflow answers to a message. */
		async chat(workflow: WorkflowFile, chatInput = 'Go', sessionId = 'session') {
			const input = [{ json: { sessionId, action: 'sendMessage', chatInput } }];
			const ended = await this.run(workflow, { input });
			const { error } = ended.data.resultData;
			if (error) throw error;
			return outputOf(ended, 'AI Agent')[0].json.output as string;
		},
		/** The starts that the service got, in their order. */
		starts: () => sandbox.control.journal().filter(({ operation }) => operation === 'runWorkflow'),
		forget() {
			sandbox.control.clearFaults();
			sandbox.control.clearJournal();
			rateLimiters.clear();
		},
		async close() {
			await sandbox.close();
			await model.close();
		},
	};
}

export type AgentBench = Awaited<ReturnType<typeof startAgentBench>>;

/** Chat Trigger → AI Agent, with an OpenAI Chat Model and the given tools. */
export function agentWorkflow({ references }: AgentBench, ...tools: INode[]): WorkflowFile {
	const nodes = [
		node('Chat Trigger', `${LANGCHAIN}.chatTrigger`, { options: {} }, { typeVersion: 1.5 }),
		node('AI Agent', `${LANGCHAIN}.agent`, { options: {} }, { typeVersion: 3.1 }),
		node(
			'Model',
			`${LANGCHAIN}.lmChatOpenAi`,
			{
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: false,
				options: { maxRetries: 0 },
			},
			{ typeVersion: 1.3, credentials: references },
		),
		...tools,
	];
	const toAgent = (type: string) => ({ [type]: [[{ node: 'AI Agent', type, index: 0 }]] });
	return {
		nodes,
		connections: {
			'Chat Trigger': toAgent('main'),
			Model: toAgent('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
		} as WorkflowFile['connections'],
	};
}

/** The argument that a model gives, as the editor writes it into the field. */
export const fromModel = (name: string, description = '', type = 'string') =>
	`={{ $fromAI('${name}', \`${description}\`, '${type}') }}`;
