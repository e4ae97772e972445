import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import type { ScriptedModel } from '../agent/scriptedModel';
import { byId, LANGCHAIN, node } from '../nodes';
import type { Environment } from './environment';
import { createCredential } from './n8n/credentials';
import { manualWorkflow } from './n8n/workflows';

export async function buildAgentWorkflow(
	{ rest }: Environment,
	model: ScriptedModel,
	tool: INode,
): Promise<WorkflowFile> {
	const name = 'Model';
	const data: IDataObject = { apiKey: 'none', url: model.url };
	const credentials = await createCredential(rest, name, 'openAiApi', data);
	const agent = { promptType: 'define', text: 'Go', options: {} };
	const workflow = manualWorkflow(node('Agent', `${LANGCHAIN}.agent`, agent, { typeVersion: 3.1 }));
	const parameters = { model: byId('scripted') as never, responsesApiEnabled: false, options: {} };
	workflow.nodes.push(
		tool,
		node(name, `${LANGCHAIN}.lmChatOpenAi`, parameters, {
			...{ typeVersion: 1.3, credentials },
		}),
	);
	const toAgent = (type: 'ai_tool' | 'ai_languageModel') => ({
		[type]: [[{ node: 'Agent', type, index: 0 }]],
	});
	Object.assign(workflow.connections, {
		[tool.name]: toAgent('ai_tool'),
		[name]: toAgent('ai_languageModel'),
	});
	return workflow;
}
