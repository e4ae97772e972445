import { readFileSync } from 'node:fs';
import type { WorkflowFile } from '../../engine';
import { toolAnswers, type ModelRequest } from './scriptedModel';
import { startAgentBench, type AgentBench } from './support';

const FILE = 'examples/agent-starts-a-run.json';

let bench: AgentBench;
let workflow: WorkflowFile;
let workflowId: string;

beforeAll(async () => {
	bench = await startAgentBench();
	workflow = JSON.parse(readFileSync(FILE, 'utf8')) as WorkflowFile;
	// All that a person changes: the credentials.
	for (const node of workflow.nodes) if (node.credentials) node.credentials = bench.references;
	const seeded = bench.sandbox.control.seed({ workflows: [{ name: 'Freight in Austria' }] });
	[workflowId] = seeded.workflows;
});
afterAll(async () => await bench.close());
beforeEach(() => bench.forget());

const lastAnswer = (request: ModelRequest) =>
	JSON.parse(toolAnswers(request).at(-1) ?? '[]') as Array<Record<string, string>>;
const startIt = () => ({ calls: [{ tool: 'Start_a_run', arguments: { workflow_id: workflowId } }] });

test('a run is started after a yes, once, and its results are listed', async () => {
	bench.model.follow({ calls: [{ tool: 'List_Prospector_workflows' }] }, (request) => ({
		say: `Shall I start ${lastAnswer(request).find(({ name }) => name === 'Freight in Austria')?.id}?`,
	}));
	expect(await bench.chat(workflow, 'Look for freight companies')).toBe(`Shall I start ${workflowId}?`);
	expect(bench.starts()).toEqual([]);

	// A model that starts twice, in one turn and in the next.
	bench.model.follow(
		() => ({ calls: [...startIt().calls, ...startIt().calls] }),
		startIt,
		(request) => ({ calls: [{ tool: 'Look_at_a_run', arguments: { run_id: lastAnswer(request)[0].id } }] }),
		(request) => ({
			calls: [{ tool: 'List_results', arguments: { run_id: lastAnswer(request)[0].id, limit: 3 } }],
		}),
		(request) => ({
			say: lastAnswer(request)
				.map(({ lead_id }) => lead_id)
				.join(' '),
		}),
	);
	expect(await bench.chat(workflow, 'Yes')).toMatch(/^lead_\w+ lead_\w+ lead_\w+$/);
	// The answer before these is of the list, which the memory kept.
	const runs = toolAnswers(bench.model.requests[2])
		.slice(1)
		.map((text) => (JSON.parse(text) as [{ id: string }])[0].id);
	expect(runs).toHaveLength(3);
	expect(new Set(runs).size).toBe(1);
	expect(bench.starts()).toHaveLength(3);
	expect(new Set(bench.starts().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('the conversation of before is remembered, and that of others is not', async () => {
	bench.model.follow({ say: 'Shall I?' }, { say: 'Done' }, { say: 'Hello' });
	await bench.chat(workflow, 'Look for freight companies', 'ours');
	await bench.chat(workflow, 'Yes', 'ours');
	await bench.chat(workflow, 'Yes', 'theirs');
	const texts = bench.model.requests.map(({ messages }) => JSON.stringify(messages));
	expect(texts[1]).toContain('Look for freight companies');
	expect(texts[1]).toContain('Shall I?');
	expect(texts[2]).not.toContain('freight');
});

test('another chat starts another run', async () => {
	for (const session of ['monday', 'again']) {
		bench.model.follow(startIt, { say: 'Done' });
		await bench.chat(workflow, 'Yes', session);
	}
	expect(new Set(bench.starts().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

test('the model is told to ask first, and by each tool what it is for', async () => {
	bench.model.follow({ say: 'Hello' });
	await bench.chat(workflow, 'Hello', 'told');
	const [{ messages, tools }] = bench.model.requests;
	expect(messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('ask for a yes') });
	const byName = Object.fromEntries(tools.map(({ function: tool }) => [tool.name, tool]));
	expect(Object.keys(byName).sort()).toEqual([
		'List_Prospector_workflows',
		'List_results',
		'List_runs',
		'Look_at_a_run',
		'Start_a_run',
	]);
	expect(byName.Start_a_run.description).toContain('only after the person has agreed');
	for (const { description } of Object.values(byName))
		expect(description).toMatch(/^(List|Start|Return)s .{30}/);
	expect(byName.List_results.parameters.properties).toMatchObject({
		run_id: { type: 'string' },
		limit: { type: 'number' },
	});
});

test('a model that asks for more than it can read gets a hundred', async () => {
	const { runs } = bench.sandbox.control.seed({ workflows: [{ runs: [{ results: 150 }] }] });
	bench.model.follow(
		{ calls: [{ tool: 'List_results', arguments: { run_id: runs[0], limit: 1000 } }] },
		(request) => ({
			say: `${lastAnswer(request).length}`,
		}),
	);
	expect(await bench.chat(workflow, 'All of them', 'many')).toBe('100');
});

test('it names no credential of anybody', () => {
	const file = JSON.parse(readFileSync(FILE, 'utf8')) as WorkflowFile;
	const ids = file.nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
	expect(new Set(ids)).toEqual(new Set(['prospector', 'openai']));
	expect(JSON.stringify(file)).not.toMatch(/wf_|run_[0-9a-f]|127\.0\.0\.1|sk-/);
});
