import type { INode } from 'n8n-workflow';
import { byId } from '../nodes';
import { toolAnswers, type ModelRequest } from './scriptedModel';
import { agentWorkflow, fromModel, startAgentBench, type AgentBench } from './support';

let bench: AgentBench;
let tools: Record<'list' | 'start' | 'run' | 'results', INode>;
let workflowId: string;

beforeAll(async () => {
	bench = await startAgentBench();
	tools = {
		list: bench.tool('List workflows', { resource: 'workflow', operation: 'getAll', simplify: true }),
		start: bench.tool('Start run', {
			resource: 'workflow',
			operation: 'run',
			workflowId: byId(fromModel('Workflow', 'ID of the Prospector workflow')),
		}),
		run: bench.tool('Get run', { resource: 'run', operation: 'get', runId: byId(fromModel('Run')) }),
		results: bench.tool('List results', {
			resource: 'result',
			operation: 'getAll',
			runId: byId(fromModel('Run')),
			limit: fromModel('Limit', 'How many', 'number'),
			simplify: true,
		}),
	};
});
afterAll(async () => await bench.close());
beforeEach(() => {
	bench.forget();
	const [seeded] = bench.sandbox.control.seed({ workflows: [{ name: 'Freight in Austria' }] }).workflows;
	workflowId = seeded;
});

/** What the last tool call was answered with. */
const lastAnswer = (request: ModelRequest) =>
	JSON.parse(toolAnswers(request).at(-1) ?? '[]') as Array<Record<string, string>>;
const start = (Workflow = workflowId) => ({ tool: 'Start_run', arguments: { Workflow } });

test('the model gets the name, the description and the fields of each tool', async () => {
	bench.model.follow({ say: 'Hello' });
	expect(await bench.chat(agentWorkflow(bench, ...Object.values(tools)))).toBe('Hello');
	const seen = bench.model.requests[0].tools.map(({ function: { name, description, parameters } }) => [
		name,
		description,
		parameters.properties,
	]);
	expect(Object.fromEntries(seen.map(([name, ...rest]) => [name, rest]))).toEqual({
		List_workflows: ['Get many Prospector workflows in Prospector', {}],
		Start_run: [
			'Run Prospector workflow in Prospector',
			{ Workflow: { type: 'string', description: 'ID of the Prospector workflow' } },
		],
		Get_run: ['Get run with its status in Prospector', { Run: { type: 'string' } }],
		List_results: [
			'Get many results of run in Prospector',
			{ Run: { type: 'string' }, Limit: { type: 'number', description: 'How many' } },
		],
	});
});

test('the model lists, starts, looks and reads', async () => {
	bench.model.follow(
		{ calls: [{ tool: 'List_workflows' }] },
		(request) => ({
			calls: [start(lastAnswer(request).find(({ name }) => name === 'Freight in Austria')?.id)],
		}),
		(request) => ({ calls: [{ tool: 'Get_run', arguments: { Run: lastAnswer(request)[0].id } }] }),
		(request) => ({
			calls: [{ tool: 'List_results', arguments: { Run: lastAnswer(request)[0].id, Limit: 2 } }],
		}),
		(request) => ({
			say: lastAnswer(request)
				.map(({ lead_id }) => lead_id)
				.join(' '),
		}),
	);
	const said = await bench.chat(agentWorkflow(bench, ...Object.values(tools)));
	expect(said).toMatch(/^lead_\w+ lead_\w+$/);
	expect(bench.starts()).toMatchObject([{ committed: true, path: expect.stringContaining(workflowId) }]);
});

describe('keys', () => {
	const keys = () => bench.starts().map(({ idempotencyKey }) => idempotencyKey);

	test('each call has its own, in one turn and in the next', async () => {
		bench.model.follow({ calls: [start(), start()] }, { calls: [start()] }, { say: 'Done' });
		await bench.chat(agentWorkflow(bench, tools.start));
		expect(new Set(keys()).size).toBe(3);
		expect(keys()).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^n8n-/)));
	});

	test('a call whose answer was lost is repeated by the node with the same one', async () => {
		bench.sandbox.control.addFault({
			match: { operation: 'runWorkflow' },
			kind: 'drop',
			when: 'after',
			times: 1,
		});
		bench.model.follow({ calls: [start()] }, { say: 'Done' });
		await bench.chat(agentWorkflow(bench, tools.start));
		expect(keys()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(1);
	});

	test('a key of the request keeps a model that repeats itself from starting twice', async () => {
		const once = {
			...tools.start,
			parameters: {
				...tools.start.parameters,
				options: {
					idempotencyKeyMode: 'custom',
					idempotencyKey:
						"={{ $('Chat Trigger').first().json.sessionId }}-{{ $fromAI('Workflow', 'ID of the Prospector workflow', 'string') }}",
				},
			},
		};
		bench.model.follow({ calls: [start()] }, { calls: [start()] }, { say: 'Done' });
		await bench.chat(agentWorkflow(bench, once));
		expect(keys()).toEqual([`session-${workflowId}`, `session-${workflowId}`]);
		const answers = toolAnswers(bench.model.requests[2]).map(
			(text) => (JSON.parse(text) as [{ id: string }])[0].id,
		);
		expect(answers[0]).toBe(answers[1]);
	});
});
