import type { IDataObject, INode } from 'n8n-workflow';
import { initialState, outputOf, stateAfterKill, stateForRetry } from '../../scripts/engine';
import { byId } from '../nodes';
import { toolAnswers, type Turn } from './scriptedModel';
import {
	agentWorkflow,
	fromModel,
	lastAnswer,
	startAgentEnvironment,
	type AgentEnvironment,
} from './support';

let environment: AgentEnvironment;
let tools: Record<'list' | 'start' | 'run' | 'results', INode>;
let workflowIds: string[];
let runId: string;

beforeAll(async () => {
	environment = await startAgentEnvironment();
	tools = {
		list: environment.tool('List workflows', { resource: 'workflow', operation: 'getAll' }),
		start: environment.tool('Start run', {
			resource: 'workflow',
			operation: 'run',
			workflowId: byId(fromModel('Workflow', 'ID of the Prospector workflow')),
		}),
		run: environment.tool('Get run', { resource: 'run', operation: 'get', runId: byId(fromModel('Run')) }),
		results: environment.tool('List results', {
			resource: 'result',
			operation: 'getAll',
			runId: byId(fromModel('Run')),
			limit: fromModel('Limit', 'How many', 'number'),
		}),
	};
});
afterAll(async () => await environment.close());
beforeEach(() => {
	environment.reset();
	const { control } = environment.sandbox;
	const seeded = control.seed({ workflows: [{ name: 'Freight' }, { runs: [{ results: 20 }] }] });
	workflowIds = seeded.workflows;
	[runId] = seeded.runs;
});

const start = (Workflow = workflowIds[0]) => ({ tool: 'Start_run', arguments: { Workflow } });
const keys = () => environment.starts().map(({ idempotencyKey }) => idempotencyKey);
const loseAnswerOfStart = () =>
	environment.sandbox.control.addFault({
		match: { operation: 'runWorkflow' },
		kind: 'drop',
		when: 'after',
		times: 1,
	});

/** Returns the tool's answer to each call with these arguments, one call after the other. */
async function callTool(parameters: IDataObject, ...calls: IDataObject[]): Promise<string[]> {
	const turns: Turn[] = calls.map((given) => ({ calls: [{ tool: 'Tool', arguments: given }] }));
	environment.model.follow(...turns, { say: 'Done' });
	const workflow = agentWorkflow(environment, environment.tool('Tool', parameters));
	expect(await environment.chat(workflow)).toBe('Done');
	return toolAnswers(environment.model.requests[calls.length]);
}

test('gives the model the name, the description and the fields of each tool', async () => {
	environment.model.follow({ say: 'Hello' });
	expect(await environment.chat(agentWorkflow(environment, ...Object.values(tools)))).toBe('Hello');
	const seen = environment.model.requests[0].tools.map(
		({ function: { name, description, parameters } }) =>
			[name, [description, parameters.properties]] as const,
	);
	expect(Object.fromEntries(seen)).toEqual({
		List_workflows: ['Get many Prospector workflows in Prospector', {}],
		Start_run: [
			'Run Prospector workflow in Prospector',
			{ Workflow: { type: 'string', description: 'ID of the Prospector workflow' } },
		],
		Get_run: ['Get run in Prospector', { Run: { type: 'string' } }],
		List_results: [
			'Get many results in Prospector',
			{ Run: { type: 'string' }, Limit: { type: 'number', description: 'How many' } },
		],
	});
});

test('lets the model list, start, look and read', async () => {
	environment.model.follow(
		{ calls: [{ tool: 'List_workflows' }] },
		(request) => ({ calls: [start(lastAnswer(request).find(({ name }) => name === 'Freight')?.id)] }),
		(request) => ({ calls: [{ tool: 'Get_run', arguments: { Run: lastAnswer(request)[0].id } }] }),
		(request) => ({
			calls: [{ tool: 'List_results', arguments: { Run: lastAnswer(request)[0].id, Limit: 2 } }],
		}),
		(request) => ({
			say: lastAnswer(request)
				.map((lead) => lead.lead_id)
				.join(' '),
		}),
	);
	const answer = await environment.chat(agentWorkflow(environment, ...Object.values(tools)));
	expect(answer).toMatch(/^lead_\w+ lead_\w+$/);
	expect(environment.starts()).toMatchObject([
		{ committed: true, path: expect.stringContaining(workflowIds[0]) },
	]);
});

describe('tool calls', () => {
	const getWorkflow = { resource: 'workflow', operation: 'get' };

	test('return a refusal as text, and the agent continues', async () => {
		const parameters = { ...getWorkflow, workflowId: fromModel('Workflow') };
		const [notFound, empty, missing, found] = await callTool(
			parameters,
			{ Workflow: 'Freight' },
			{ Workflow: '' },
			{},
			{ Workflow: workflowIds[0] },
		);
		expect(notFound).toMatch(
			/Prospector workflow 'Freight' was not found .*req_.*enter its ID, not its name/s,
		);
		expect(empty).toContain("'Prospector Workflow' is empty");
		expect(missing).toContain('Workflow');
		expect(JSON.parse(found)).toMatchObject([{ id: workflowIds[0], name: 'Freight' }]);
	});

	test.each([
		['text', () => workflowIds[0]],
		['an object', () => ({ id: workflowIds[0] })],
	])('accept %s for an ID, whatever type the field asks the model for', async (_, id) => {
		for (const workflowId of [
			fromModel('Workflow'),
			byId(fromModel('Workflow')),
			fromModel('Workflow', '', 'json'),
		]) {
			const [answer] = await callTool({ ...getWorkflow, workflowId }, { Workflow: id() });
			expect(JSON.parse(answer)).toMatchObject([{ id: workflowIds[0] }]);
		}
	});

	test.each([
		['text', '{"name":"A"}'],
		['an object', { name: 'A' }],
	])('accept %s for a body, whatever type the field asks the model for', async (_, body) => {
		for (const parameters of [
			{ enterValues: 'json', jsonBody: fromModel('Body', '', 'json') },
			{ enterValues: 'json', jsonBody: fromModel('Body') },
			{ enterValues: 'fields', fields: fromModel('Body', '', 'json') },
		]) {
			const create = { resource: 'workflow', operation: 'create', ...parameters };
			const [answer] = await callTool(create, { Body: body });
			expect(JSON.parse(answer)).toMatchObject([{ name: 'A' }]);
		}
	});

	test('send the agent’s input without what n8n adds for the agent', async () => {
		const tool = environment.tool('Tool', {
			resource: 'workflow',
			operation: 'update',
			workflowId: byId(fromModel('Workflow')),
			fields: { mappingMode: 'autoMapInputData', value: null },
		});
		const call = { tool: 'Tool', arguments: { Workflow: workflowIds[0] } };
		environment.model.follow({ calls: [call] }, { say: 'Done' });
		const json = { sessionId: 's', action: 'sendMessage', chatInput: 'Go', note: 'by the agent' };
		await environment.run(agentWorkflow(environment, tool), { input: [{ json }] });
		expect(environment.sandbox.control.journal()).toMatchObject([
			{ status: 200, path: expect.stringContaining(workflowIds[0]) },
		]);
		expect(environment.sandbox.control.journal()[0].body).toEqual({ note: 'by the agent' });
	});

	test('accept text for numbers and booleans', async () => {
		const list = {
			resource: 'result',
			operation: 'getAll',
			runId: fromModel('Run'),
			returnAll: fromModel('All', '', 'boolean'),
			limit: fromModel('Limit', '', 'number'),
			simplify: fromModel('Short', '', 'boolean'),
		};
		const [three, all, short] = await callTool(
			list,
			{ Run: runId, All: 'false', Limit: '3', Short: 'false' },
			{ Run: runId, All: 'true', Limit: '3', Short: 'false' },
			{ Run: runId, All: 'true', Limit: '3', Short: 'true' },
		);
		expect(JSON.parse(three)).toHaveLength(3);
		expect(JSON.parse(all)).toHaveLength(20);
		expect(JSON.parse(short)).toHaveLength(20);
		const isRaw = (answer: string) => (JSON.parse(answer) as object[]).map((item) => 'object' in item);
		expect([isRaw(all), isRaw(short)]).toEqual([Array(20).fill(true), Array(20).fill(false)]);
	});
});

describe('Run and Get Results as a tool', () => {
	const tool = () => ({
		...{ resource: 'workflow', operation: 'runAndGetResults' },
		...{ workflowId: byId(fromModel('Workflow')), waitUpTo: fromModel('Seconds', '', 'number') },
	});

	test('answers each call with the results of a run of its own', async () => {
		const call = { Workflow: workflowIds[0], Seconds: '60' };
		const answers = await callTool(tool(), call, call);
		expect(new Set(keys()).size).toBe(2);
		const runs = environment.sandbox.control.runs().runs.slice(-2);
		expect(answers.map((answer) => JSON.parse(answer) as IDataObject[])).toEqual(
			runs.map(({ id, idempotencyKey }) =>
				Array(12).fill(
					expect.objectContaining({
						...{ lead_id: expect.stringMatching(/^lead_/), run_id: id, run_status: 'completed' },
						idempotency_key: idempotencyKey,
					}),
				),
			),
		);
	});

	test('starts one run per call although the answer to the start is lost', async () => {
		loseAnswerOfStart();
		const [answer] = await callTool(tool(), { Workflow: workflowIds[0], Seconds: 60 });
		expect(JSON.parse(answer)).toHaveLength(12);
		expect(environment.starts().map(({ committed }) => committed)).toEqual([true, false]);
		expect(new Set(keys()).size).toBe(1);
	});

	test('tells the model that the run takes longer', async () => {
		environment.sandbox.control.patchSettings({ runStatuses: ['brewing'] });
		const [answer] = await callTool(tool(), { Workflow: workflowIds[0], Seconds: 1 });
		environment.sandbox.control.patchSettings({ runStatuses: ['queued', 'running', 'completed'] });
		expect(answer).toMatch(/Run 'run_\w+' was still 'brewing' after 1 s \(request req_\w+\)\. The run continues\./);
	});
});

describe('idempotency keys', () => {
	test('differ per call, in one turn and in the next', async () => {
		environment.model.follow({ calls: [start(), start()] }, { calls: [start()] }, { say: 'Done' });
		await environment.chat(agentWorkflow(environment, tools.start));
		expect(new Set(keys()).size).toBe(3);
		expect(keys()).toEqual(Array(3).fill(expect.stringMatching(/^n8n-/)));
	});

	test.each<[string, Partial<INode>]>([
		["the node's own retries", {}],
		['Retry On Fail', { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }],
	])('stay the same for %s', async (_, extra) => {
		loseAnswerOfStart();
		const options = extra.retryOnFail ? { retryFor: 0 } : {};
		const tool = { ...tools.start, ...extra, parameters: { ...tools.start.parameters, options } };
		environment.model.follow({ calls: [start()] }, { say: 'Done' });
		await environment.chat(agentWorkflow(environment, tool));
		expect(keys()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(1);
	});

	test('keep a model that repeats a call from starting twice if they are made of the arguments', async () => {
		const idempotencyKey =
			"={{ $('Chat Trigger').first().json.sessionId }}-{{ $fromAI('Workflow', 'ID of the Prospector workflow', 'string') }}";
		const options = { preventDuplicates: 'key', idempotencyKey };
		const once = { ...tools.start, parameters: { ...tools.start.parameters, options } };
		environment.model.follow({ calls: [start()] }, { calls: [start()] }, { say: 'Done' });
		await environment.chat(agentWorkflow(environment, once));
		expect(keys()).toEqual(Array(2).fill(`session-${workflowIds[0]}`));
		const [first, second] = toolAnswers(environment.model.requests[2]).map((text) => JSON.parse(text)[0].id);
		expect(second).toBe(first);
	});
});

describe('when an execution fails after a start', () => {
	/** The model starts a run, and fails when it is asked for its answer. */
	async function failAfterStart() {
		const workflow = agentWorkflow(environment, tools.start);
		const state = initialState(workflow, [
			{ json: { sessionId: 's', action: 'sendMessage', chatInput: 'Go' } },
		]);
		const before = structuredClone(state);
		environment.model.follow({ calls: [start()] }, () => {
			throw new Error('The model is out of order');
		});
		const failed = await environment.run(workflow, { state });
		expect(failed.data.resultData.error).toBeDefined();
		expect(environment.starts()).toHaveLength(1);
		return { workflow, failed, before };
	}

	test('a retry continues after the tools that had answered, and starts nothing', async () => {
		const { workflow, failed } = await failAfterStart();
		environment.model.follow((request) => ({ say: `Got ${toolAnswers(request).length}` }));
		const retried = await environment.run(workflow, { state: stateForRetry(failed), mode: 'retry' });
		expect(outputOf(retried, 'AI Agent')[0].json.output).toBe('Got 1');
		expect(environment.starts()).toHaveLength(1);
	});

	test.each([
		['the same call gets the same run', 0, 1],
		['a call for another Prospector workflow starts another run', 1, 2],
	])('and the process was killed, %s', async (_, workflow, distinctKeys) => {
		const { workflow: file, failed, before } = await failAfterStart();
		environment.model.follow({ calls: [start(workflowIds[workflow])] }, { say: 'Done' });
		await environment.run(file, { state: stateAfterKill(before, failed), mode: 'retry' });
		expect(keys()).toHaveLength(2);
		expect(new Set(keys()).size).toBe(distinctKeys);
	});

	test('the same message in a new execution starts another run', async () => {
		const { workflow } = await failAfterStart();
		environment.model.follow({ calls: [start()] }, { say: 'Done' });
		await environment.chat(workflow);
		expect(new Set(keys()).size).toBe(2);
	});
});
