import type { IDataObject, INode } from 'n8n-workflow';
import { outputOf, type WorkflowFile } from '../../scripts/engine';
import { byId, LANGCHAIN, node, PROSPECTOR } from '../nodes';
import { startEnvironment } from '../workflow/environment';
import { startScriptedModel } from './scriptedModel';

/** This package and n8n's own nodes. */
const PACKAGES = ['.', 'test/n8n/node_modules/n8n-nodes-base', `test/n8n/node_modules/${LANGCHAIN}`];

/** Starts an environment with n8n's own nodes and a scripted model. */
export async function startAgentEnvironment() {
	const environment = await startEnvironment({}, { packages: PACKAGES });
	const model = await startScriptedModel();
	const openAi = { apiKey: 'no-key', url: model.url };
	const references = {
		...environment.references.full,
		...(await environment.credentials.add('OpenAI', 'openAiApi', openAi)),
	};
	return {
		...environment,
		references,
		model,
		tool: (name: string, parameters: IDataObject) =>
			node(name, `${PROSPECTOR}Tool`, parameters, { credentials: references }),
		/** Returns the agent's answer to a message. */
		async chat(workflow: WorkflowFile) {
			const input = [{ json: { sessionId: 'session', action: 'sendMessage', chatInput: 'Go' } }];
			const ended = await environment.run(workflow, { input });
			const { error } = ended.data.resultData;
			if (error) throw error;
			return outputOf(ended, 'AI Agent')[0].json.output as string;
		},
		/** Returns the starts in the sandbox's journal. */
		starts: () => environment.journal().filter(({ operation }) => operation === 'runWorkflow'),
		async close() {
			await environment.close();
			await model.close();
		},
	};
}

export type AgentEnvironment = Awaited<ReturnType<typeof startAgentEnvironment>>;

/** Returns Chat Trigger → AI Agent, with an OpenAI Chat Model and the given tools. */
export function agentWorkflow({ references }: AgentEnvironment, ...tools: INode[]): WorkflowFile {
	const model = { model: byId('scripted'), responsesApiEnabled: false, options: { maxRetries: 0 } };
	const nodes = [
		node('Chat Trigger', `${LANGCHAIN}.chatTrigger`, { options: {} }, { typeVersion: 1.5 }),
		node('AI Agent', `${LANGCHAIN}.agent`, { options: {} }, { typeVersion: 3.1 }),
		node('Model', `${LANGCHAIN}.lmChatOpenAi`, model, { typeVersion: 1.3, credentials: references }),
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

/** Returns the expression that the editor writes into a field for an argument of the model. */
export const fromModel = (name: string, description = '', type = 'string') =>
	`={{ $fromAI('${name}', \`${description}\`, '${type}') }}`;
