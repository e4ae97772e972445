import { readFileSync } from 'node:fs';
import type { WorkflowFile } from '../../scripts/engine';
import { toolAnswers } from './scriptedModel';
import { lastAnswer, startAgentEnvironment, type AgentEnvironment } from './support';

let environment: AgentEnvironment;
let workflow: WorkflowFile;
let workflowId: string;

beforeAll(async () => {
	environment = await startAgentEnvironment();
	workflow = JSON.parse(readFileSync('examples/agent-starts-a-run.json', 'utf8')) as WorkflowFile;
	// Users change nothing but the credentials.
	for (const node of workflow.nodes) if (node.credentials) node.credentials = environment.references;
	const seeded = environment.sandbox.control.seed({ workflows: [{ name: 'Freight in Austria' }] });
	[workflowId] = seeded.workflows;
});
afterAll(async () => await environment.close());
beforeEach(() => environment.reset());

const start = () => ({ tool: 'Start_a_run', arguments: { workflow_id: workflowId } });
const keys = () => environment.starts().map(({ idempotencyKey }) => idempotencyKey);

test('starts a run once, after the user has agreed, and lists its results', async () => {
	const { model } = environment;
	model.follow({ calls: [{ tool: 'List_Prospector_workflows' }] }, (request) => ({
		say: `Shall I start ${lastAnswer(request).find(({ name }) => name === 'Freight in Austria')?.id}?`,
	}));
	const question = await environment.chat(workflow, 'Look for freight companies');
	expect(question).toBe(`Shall I start ${workflowId}?`);
	expect(environment.starts()).toEqual([]);

	// The model starts twice in one turn, and again in the next.
	model.follow(
		{ calls: [start(), start()] },
		{ calls: [start()] },
		(request) => ({ calls: [{ tool: 'Look_at_a_run', arguments: { run_id: lastAnswer(request)[0].id } }] }),
		(request) => ({
			calls: [{ tool: 'List_results', arguments: { run_id: lastAnswer(request)[0].id, limit: 3 } }],
		}),
		(request) => ({
			say: lastAnswer(request)
				.map((lead) => lead.lead_id)
				.join(' '),
		}),
	);
	expect(await environment.chat(workflow, 'Yes')).toMatch(/^lead_\w+ lead_\w+ lead_\w+$/);
	// The memory has kept the first answer, which is the list.
	const runs = toolAnswers(model.requests[2]).slice(1);
	expect(runs).toHaveLength(3);
	expect(new Set(runs.map((text) => JSON.parse(text)[0].id)).size).toBe(1);
	expect(keys()).toHaveLength(3);
	expect(new Set(keys()).size).toBe(1);
});

test('remembers the conversation, and not those of others', async () => {
	environment.model.follow({ say: 'Shall I?' }, { say: 'Done' }, { say: 'Hello' });
	await environment.chat(workflow, 'Look for freight companies', 'ours');
	await environment.chat(workflow, 'Yes', 'ours');
	await environment.chat(workflow, 'Yes', 'theirs');
	const [, ours, theirs] = environment.model.requests.map(({ messages }) => JSON.stringify(messages));
	expect(ours).toContain('Look for freight companies');
	expect(ours).toContain('Shall I?');
	expect(theirs).not.toContain('freight');
});

test('starts another run in another chat', async () => {
	for (const session of ['monday', 'again']) {
		environment.model.follow({ calls: [start()] }, { say: 'Done' });
		await environment.chat(workflow, 'Yes', session);
	}
	expect(new Set(keys()).size).toBe(2);
});

test('tells the model to ask first, and what each tool is for', async () => {
	environment.model.follow({ say: 'Hello' });
	await environment.chat(workflow, 'Hello', 'told');
	const [{ messages, tools }] = environment.model.requests;
	expect(messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('ask for a yes') });
	const byName = Object.fromEntries(tools.map(({ function: tool }) => [tool.name, tool]));
	const names = ['List_Prospector_workflows', 'List_results', 'List_runs', 'Look_at_a_run', 'Start_a_run'];
	expect(Object.keys(byName).sort()).toEqual(names);
	expect(byName.Start_a_run.description).toContain('only after the person has agreed');
	for (const { description } of Object.values(byName))
		expect(description).toMatch(/^(List|Start|Return)s .{30}/);
	expect(byName.List_results.parameters.properties).toMatchObject({
		run_id: { type: 'string' },
		limit: { type: 'number' },
	});
});

test('returns at most 100 results, even if the model asks for more', async () => {
	const { runs } = environment.sandbox.control.seed({ workflows: [{ runs: [{ results: 150 }] }] });
	environment.model.follow(
		{ calls: [{ tool: 'List_results', arguments: { run_id: runs[0], limit: 1000 } }] },
		(request) => ({ say: `${lastAnswer(request).length}` }),
	);
	expect(await environment.chat(workflow, 'All of them', 'many')).toBe('100');
});

/** test/n8n omits packages that these nodes do not need. */
test.each([
	...['code', 'errorTrigger', 'executeWorkflow', 'executeWorkflowTrigger', 'filter', 'httpRequest', 'if'],
	...['manualTrigger', 'noOp', 'removeDuplicates', 'scheduleTrigger', 'set', 'splitInBatches', 'splitOut'],
	...['stopAndError', 'wait'],
])("n8n's own node '%s' loads", (name) => {
	const { nodeTypes } = environment;
	expect(nodeTypes.getByNameAndVersion(`n8n-nodes-base.${name}`).description.displayName).toBeTruthy();
});

test('nodes become tools if they allow it, and credential types come from any package', () => {
	const { nodeTypes } = environment;
	const describeType = (name: string) => nodeTypes.getByNameAndVersion(name).description;
	const tool = describeType('n8n-nodes-prospector.prospectorTool');
	expect(tool).toMatchObject({ outputs: ['ai_tool'], inputs: [] });
	expect(tool.properties.slice(0, 2).map(({ name }) => name)).toEqual(['descriptionType', 'toolDescription']);
	expect(describeType('@n8n/n8n-nodes-langchain.agentTool').displayName).toContain('Agent');
	expect(() => describeType('n8n-nodes-base.noOpTool')).toThrow('cannot be used as a tool');
	expect(() => describeType('n8n-nodes-other.thing')).toThrow('No package with a node type');
	expect(nodeTypes.credentialType('openAiApi').displayName).toBe('OpenAI');
	expect(nodeTypes.credentialType('prospectorApi').displayName).toBe('Prospector API');
	expect(() => nodeTypes.credentialType('nowhereApi')).toThrow();
});
