import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import { toolAnswers, type ModelRequest, type Script } from '../../test/agent/scriptedModel';
import { byId, node, PROSPECTOR } from '../../test/nodes';

type Credentials = NonNullable<INode['credentials']>;

/** How an n8n workflow refers to a Prospector workflow that was picked from the list. */
export const picked = (id: string, name: string) => ({
	__rl: true,
	mode: 'list',
	value: id,
	cachedResultName: name,
});

/** An n8n workflow with an agent that can list runs and results. */
export function agent(prospector: Credentials, model: Credentials): WorkflowFile {
	const tool = (name: string, toolDescription: string, parameters: IDataObject, position: [number, number]) =>
		node(
			name,
			`${PROSPECTOR}Tool`,
			{
				descriptionType: 'manual',
				toolDescription,
				returnAll: true,
				simplify: true,
				options: {},
				...parameters,
			},
			{ credentials: prospector, position },
		);
	const idFromModel = (name: string) => byId(`={{ $fromAI('${name}', '', 'string') }}`);
	const to = (type: 'main' | 'ai_languageModel' | 'ai_tool') => ({
		[type]: [[{ node: 'AI Agent', type, index: 0 }]],
	});
	return {
		nodes: [
			node(
				'When chat message received',
				'@n8n/n8n-nodes-langchain.chatTrigger',
				{ public: false, options: {} },
				{ typeVersion: 1.4, position: [0, 0], webhookId: '3f6d2b9c-51a8-4e07-9c4b-d2e8a1f07b65' },
			),
			node(
				'AI Agent',
				'@n8n/n8n-nodes-langchain.agent',
				{ options: {} },
				{ typeVersion: 3, position: [240, 0] },
			),
			node(
				'OpenAI Chat Model',
				'@n8n/n8n-nodes-langchain.lmChatOpenAi',
				{ model: { ...byId('gpt-4.1-mini'), mode: 'list' }, responsesApiEnabled: false, options: {} },
				{ typeVersion: 1.3, position: [144, 208], credentials: model },
			),
			tool(
				'List runs',
				'Lists the runs of a Prospector workflow',
				{ resource: 'run', operation: 'getAll', workflowId: idFromModel('workflow_id') },
				[320, 208],
			),
			tool(
				'List results',
				'Lists the companies that a run found',
				{ resource: 'result', operation: 'getAll', runId: idFromModel('run_id') },
				[480, 208],
			),
		],
		connections: {
			'When chat message received': to('main'),
			'OpenAI Chat Model': to('ai_languageModel'),
			'List runs': to('ai_tool'),
			'List results': to('ai_tool'),
		},
	};
}

export const QUESTION = "Which logistics companies did last night's run find?";

/** The model lists the runs, then the results of the newest run, and answers with their names. */
export const agentScript = (workflowId: string): Script => [
	{ calls: [{ tool: 'List_runs', arguments: { workflow_id: workflowId } }] },
	(request) => ({
		calls: [{ tool: 'List_results', arguments: { run_id: newestOf(lastAnswer(request)).id } }],
	}),
	(request) => {
		const names = lastAnswer(request).map(({ company_name: name }) => `- ${String(name)}`);
		return { say: `Last night's run found ${names.length} companies:\n\n${names.join('\n')}` };
	},
];

const lastAnswer = (request: ModelRequest) =>
	JSON.parse(toolAnswers(request).at(-1) ?? '[]') as IDataObject[];

const newestOf = (runs: IDataObject[]): IDataObject =>
	runs.reduce((newest, run) => (String(run.created_at) > String(newest.created_at) ? run : newest));
