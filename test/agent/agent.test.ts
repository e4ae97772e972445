import type { IDataObject, INode } from 'n8n-workflow';
import { stateForRetry } from '../../scripts/engine';
import { byId } from '../nodes';
import { type ModelRequest, toolAnswers, type Turn } from './scriptedModel';
import { agentWorkflow, fromModel, startAgentEnvironment, type AgentEnvironment } from './support';

let environment: AgentEnvironment;
let startTool: INode;
let workflowIds: string[];

beforeAll(async () => {
	environment = await startAgentEnvironment();
	startTool = environment.tool('Start run', {
		resource: 'workflow',
		operation: 'run',
		workflowId: byId(fromModel('Workflow', 'ID of the Prospector workflow')),
	});
});
afterAll(async () => await environment.close());
beforeEach(() => {
	environment.resetService();
	environment.model.repeatToolCallId();
	workflowIds = environment.sandbox.control.seed({ workflows: [{ name: 'Freight' }, {}] }).workflows;
});

const start = (Workflow = workflowIds[0]) => ({ tool: 'Start_run', arguments: { Workflow } });

/** Returns the tool's answer to each call with these arguments, one call after the other. */
async function callTool(parameters: IDataObject, ...calls: IDataObject[]): Promise<string[]> {
	const turns: Turn[] = calls.map((given) => ({ calls: [{ tool: 'Tool', arguments: given }] }));
	environment.model.follow(...turns, { say: 'Done' });
	const workflow = agentWorkflow(environment, environment.tool('Tool', parameters));
	expect(await environment.chat(workflow)).toBe('Done');
	return toolAnswers(environment.model.requests[calls.length]);
}

const START_CURSOR = {
	type: 'string',
	description: 'The next_cursor of the last answer. Leave it empty for the first items',
	default: '',
};
test.each<[string, IDataObject, IDataObject]>([
	['Get run in Prospector', { resource: 'run', operation: 'get' }, {}],
	[
		'Get many results in Prospector',
		{ resource: 'result', operation: 'getAll', limit: fromModel('Limit', 'How many', 'number') },
		{ Limit: { type: 'number', description: 'How many' }, Start_Cursor: START_CURSOR },
	],
])(
	'the model gets the description "%s" when the tool has the parameters %j',
	async (description, given, fields) => {
		environment.model.follow({ say: 'Hello' });
		await environment.chat(agentWorkflow(environment, environment.tool('My tool', given)));
		const [tool] = environment.model.requests[0].tools;
		expect(tool.function).toMatchObject({ name: 'My_tool', description });
		expect(tool.function.parameters.properties).toEqual(fields);
	},
);

describe('tool calls', () => {
	const getWorkflow = { resource: 'workflow', operation: 'get' };

	test('the agent passes the message of a failed tool call to the model and continues', async () => {
		const parameters = { ...getWorkflow, workflowId: fromModel('Workflow') };
		const calls = [{ Workflow: 'Freight' }, { Workflow: '' }, {}, { Workflow: workflowIds[0] }];
		const [notFound, empty, missing, found] = await callTool(parameters, ...calls);
		expect(notFound).toMatch(/'Freight' was not found .*req_.*Call a tool that gets many /s);
		expect(empty).toContain("'Prospector Workflow' is empty");
		expect(missing).toContain('Workflow');
		expect(JSON.parse(found)).toMatchObject([{ id: workflowIds[0], name: 'Freight' }]);
	});

	test.each(['string', 'json'])(
		'the node accepts an ID as text or as an object if the tool argument has the type %s',
		async (type) => {
			const id = workflowIds[0];
			const field = fromModel('Workflow', '', type);
			for (const workflowId of [field, byId(field)]) {
				const calls = [{ Workflow: id }, { Workflow: { id } }];
				const answers = await callTool({ ...getWorkflow, workflowId }, ...calls);
				for (const answer of answers) expect(JSON.parse(answer)).toMatchObject([{ id }]);
			}
		},
	);

	test("a tool does not map fields automatically, because n8n adds the model's values and fields of its own to the input", async () => {
		const update = { resource: 'workflow', operation: 'update', workflowId: byId(fromModel('Workflow')) };
		const given = { Workflow: workflowIds[0] };
		const automatic = { ...update, fields: { mappingMode: 'autoMapInputData', value: null } };
		expect(await callTool(automatic, given)).toMatchObject([expect.stringContaining("can't map 'Fields'")]);
		environment.resetService();
		await callTool({ ...update, enterValues: 'json', jsonBody: '={{ $json }}' }, given);
		const [entry] = environment.sandbox.control.journal();
		const toolCallId = expect.any(String) as unknown;
		expect(entry.body).toMatchObject({ ...given, toolCallId, chatInput: 'Go' });
	});
});

test('two equal tool calls start only one run if the idempotency key is built from the arguments', async () => {
	const workflow = "$fromAI('Workflow', 'ID of the Prospector workflow', 'string')";
	const idempotencyKey = `={{ $('Chat Trigger').first().json.sessionId }}-{{ ${workflow} }}`;
	const options = { preventDuplicates: 'key', idempotencyKey };
	const tool = { ...startTool, parameters: { ...startTool.parameters, options } };
	environment.model.follow({ calls: [start()] }, { calls: [start()] }, { say: 'Done' });
	await environment.chat(agentWorkflow(environment, tool));
	const keys = environment.starts().map(({ idempotencyKey }) => idempotencyKey);
	expect(keys).toEqual(Array(2).fill(`session-${workflowIds[0]}`));
	const [first, second] = toolAnswers(environment.model.requests[2]);
	expect(JSON.parse(second)[0].id).toBe(JSON.parse(first)[0].id);
});

/** Executes an agent for three items, each of which starts a run of the same Prospector workflow. */
async function startThreeRuns(typeVersion: number, batchSize: number, toolCallId: string, failures = 0) {
	let failuresLeft = failures;
	const answer = ({ messages }: ModelRequest): Turn => {
		if (messages.every(({ role }) => role !== 'tool')) return { calls: [start()] };
		if (failuresLeft-- > 0) throw new Error('The model is out of order');
		return { say: 'Done' };
	};
	environment.model.repeatToolCallId(toolCallId);
	environment.model.follow(...Array<typeof answer>(12).fill(answer));
	const workflow = agentWorkflow(environment, startTool);
	const agent = workflow.nodes.find(({ name }) => name === 'AI Agent')!;
	const batching = { batchSize, delayBetweenBatches: 0 };
	Object.assign(agent, { typeVersion, parameters: { options: { batching } } });
	const input = [1, 2, 3].map((item) => ({ json: { sessionId: `s${item}`, chatInput: 'Go' } }));
	const ended = await environment.run(workflow, { input, mode: 'trigger' });
	return { ended, workflow };
}

test.each([
	[3.1, 1],
	[3.1, 3],
	[2.2, 1],
	[2.2, 3],
])(
	'AI Agent %s with batches of %i items starts one run for each of three items if the model gives all tool calls the same ID',
	async (typeVersion, batchSize) => {
		for (const toolCallId of ['call_0', 'x'.repeat(50_000)]) {
			environment.resetService();
			const { ended } = await startThreeRuns(typeVersion, batchSize, toolCallId);
			expect(ended.data.resultData.error).toBeUndefined();
			expect(environment.starts().map(({ committed }) => committed)).toEqual([true, true, true]);
		}
	},
);

test('the retry of an execution in which the model has failed starts no further run although all tool calls have the same ID', async () => {
	const { ended, workflow } = await startThreeRuns(3.1, 1, 'call_0', 1);
	expect(ended.status).toBe('error');
	expect(environment.starts()).toHaveLength(3);
	const again = await environment.run(workflow, { state: stateForRetry(ended), mode: 'retry' });
	expect([again.status, environment.starts().length]).toEqual(['success', 3]);
});
