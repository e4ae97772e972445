import type { IDataObject, INode } from 'n8n-workflow';
import {
	CredentialStore,
	NodeTypes,
	outputOf,
	run,
	type ExecutionOptions,
	type WorkflowFile,
} from '../../scripts/engine';
import { type Clock, monotonicClock } from '../../nodes/Prospector/transport/clock';
import { startSandbox } from '../../sandbox/sandbox';
import { useOwnClock } from '../ownClock';
import { byId, LANGCHAIN, node, PROSPECTOR } from '../nodes';
import { startScriptedModel } from './scriptedModel';

/** This package and n8n's own nodes. */
const PACKAGES = ['.', 'test/n8n/node_modules/n8n-nodes-base', `test/n8n/node_modules/${LANGCHAIN}`];

/**
 * Starts the sandbox and a scripted model, and prepares n8n's engine to execute agents.
 *
 * @param clock of the node; `time` is the sandbox's
 */
export async function startAgentEnvironment({
	clock = monotonicClock,
	// Tests can replace Date.now.
	time = () => Date.now(),
}: { clock?: Clock; time?: () => number } = {}) {
	const sandbox = await startSandbox({ clock: time, port: 0, settings: { runStageMs: 0, limit: 100_000 } });
	const model = await startScriptedModel();
	const nodeTypes = await NodeTypes.load(...PACKAGES);
	const resetLimits = useOwnClock(nodeTypes, clock, time);
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, keys } = sandbox;
	const references = {
		...(await credentials.add('Prospector', 'prospectorApi', { apiKey: keys.full, baseUrl })),
		...(await credentials.add('OpenAI', 'openAiApi', { apiKey: 'no-key', url: model.url })),
	};
	return {
		sandbox,
		model,
		nodeTypes,
		credentials,
		references,
		tool: (name: string, parameters: IDataObject) =>
			node(name, `${PROSPECTOR}Tool`, parameters, { credentials: references }),
		run: async (workflow: WorkflowFile, rest: Partial<ExecutionOptions> = {}) =>
			await run({ nodeTypes, credentials, workflow, ...rest }),
		/** Returns the agent's answer to a message. */
		async chat(workflow: WorkflowFile) {
			const input = [{ json: { sessionId: 'session', action: 'sendMessage', chatInput: 'Go' } }];
			const ended = await this.run(workflow, { input });
			const { error } = ended.data.resultData;
			if (error) throw error;
			return outputOf(ended, 'AI Agent')[0].json.output as string;
		},
		/** Returns the starts in the sandbox's journal. */
		starts: () => sandbox.control.journal().filter(({ operation }) => operation === 'runWorkflow'),
		reset() {
			resetLimits();
			sandbox.control.clearFaults();
			sandbox.control.clearJournal();
		},
		async close() {
			await sandbox.close();
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
