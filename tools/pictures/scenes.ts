import type { IDataObject } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import { toolAnswers, type ModelRequest, type Script } from '../../test/agent/scriptedModel';
import type { Credentials } from '../../test/e2e/n8n/credentials';
import { readExample } from '../../test/examples/examples';

/** How an n8n workflow refers to a Prospector workflow that was picked from the list. */
export const picked = (id: string, name: string) => ({
	__rl: true,
	mode: 'list',
	value: id,
	cachedResultName: name,
});

/** The nodes of the template that the picture shows, and where. */
const AGENT_NODES: Record<string, [number, number]> = {
	'When chat message received': [0, 0],
	'AI Agent': [240, 0],
	'OpenAI Chat Model': [144, 208],
	'List runs': [320, 208],
	'List results': [480, 208],
};

/** Returns a template's agent with the tools that list runs and results. @param credentials by type */
export function agent(credentials: Credentials): WorkflowFile {
	const { nodes, connections } = readExample('agent-starts-a-run.json');
	const chosen = nodes.filter(({ name }) => name in AGENT_NODES);
	return {
		nodes: chosen.map((each) => ({
			...{ ...each, position: AGENT_NODES[each.name] },
			credentials: Object.fromEntries(
				Object.keys(each.credentials ?? {}).map((type) => [type, credentials[type]]),
			),
		})),
		connections: Object.fromEntries(Object.entries(connections).filter(([name]) => name in AGENT_NODES)),
	};
}

export const QUESTION = "Which logistics companies did last night's run find?";

/** The model lists the runs, then the results of the newest run, and answers with their names. */
export const agentScript = (workflowId: string): Script => [
	{ calls: [{ tool: 'List_runs', arguments: { workflow_id: workflowId } }] },
	(request) => ({
		calls: [{ tool: 'List_results', arguments: { run_id: newestOf(lastAnswer(request)).id, limit: 20 } }],
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
