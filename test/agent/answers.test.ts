import type { IDataObject } from 'n8n-workflow';
import { byId } from '../nodes';
import { toolAnswers, type Turn } from './scriptedModel';
import { agentWorkflow, fromModel, startAgentBench, type AgentBench } from './support';

let bench: AgentBench;
let workflowId: string;
let runId: string;

beforeAll(async () => {
	bench = await startAgentBench();
	const seeded = bench.sandbox.control.seed({ workflows: [{ name: 'Freight', runs: [{ results: 20 }] }] });
	[workflowId] = seeded.workflows;
	[runId] = seeded.runs;
});
afterAll(async () => await bench.close());
beforeEach(() => bench.forget());

/** What the model is told when it calls the tool with these arguments, one call after the other. */
async function told(parameters: IDataObject, ...calls: IDataObject[]): Promise<string[]> {
	const turns: Turn[] = calls.map((given) => ({ calls: [{ tool: 'Tool', arguments: given }] }));
	bench.model.follow(...turns, { say: 'Done' });
	expect(await bench.chat(agentWorkflow(bench, bench.tool('Tool', parameters)))).toBe('Done');
	return toolAnswers(bench.model.requests[calls.length]);
}

const getWorkflow = { resource: 'workflow', operation: 'get', workflowId: fromModel('Workflow') };
const create = (more: IDataObject) => ({ resource: 'workflow', operation: 'create', ...more });

describe('what is refused comes back as text, and the agent goes on', () => {
	test('a name in place of an ID', async () => {
		const [refused, found] = await told(getWorkflow, { Workflow: 'Freight' }, { Workflow: workflowId });
		expect(refused).toContain("The Prospector workflow 'Freight' was not found (request req_");
		expect(refused).toContain("give the 'id' of one that Workflow › Get Many returns, not its name");
		expect(JSON.parse(found)).toMatchObject([{ id: workflowId, name: 'Freight' }]);
	});

	test.each([
		['an address', { Workflow: 'https://app.example.com/workflows/1' }, 'Give the ID alone'],
		['nothing', { Workflow: '' }, "'Workflow' is empty. Pick one from the list, or give an ID"],
		['a list', { Workflow: ['a', 'b'] }, "'Workflow' got a list instead of an ID"],
		['no argument at all', {}, 'Workflow'],
	])('%s', async (_, given, words) => {
		const [refused] = await told(getWorkflow, given);
		expect(refused).toContain(words);
		expect(bench.sandbox.control.journal()).toEqual([]);
	});

	test('what the key may not do', async () => {
		bench.sandbox.control.addFault({
			match: { operation: 'getWorkflow' },
			kind: 'status',
			status: 403,
			times: 1,
		});
		const [refused] = await told(getWorkflow, { Workflow: workflowId });
		expect(refused).toContain('This API key may not read Prospector workflows');
		expect(refused).toContain("needs the scope 'prospector.read'");
	});
});

describe('objects where text is expected, and text where objects are', () => {
	test.each([
		['text', () => workflowId],
		['an object with the ID', () => ({ id: workflowId })],
		["the locator's object", () => ({ __rl: true, mode: 'id', value: workflowId })],
		['JSON text of an object', () => JSON.stringify({ value: workflowId })],
	])('an ID as %s', async (_, id) => {
		for (const field of [
			fromModel('Workflow'),
			byId(fromModel('Workflow')),
			fromModel('Workflow', '', 'json'),
		]) {
			const [answer] = await told({ ...getWorkflow, workflowId: field }, { Workflow: id() as string });
			expect(JSON.parse(answer)).toMatchObject([{ id: workflowId }]);
		}
	});

	test.each([
		['an object', { name: 'A' }],
		['text', '{"name":"A"}'],
		['text in a code block', '```json\n{"name":"A"}\n```'],
	])('a body as %s', async (_, body) => {
		for (const parameters of [
			{ specifyBody: 'json', jsonBody: fromModel('Body', '', 'json') },
			{ specifyBody: 'json', jsonBody: fromModel('Body') },
			{ specifyBody: 'fields', fields: fromModel('Body', '', 'json') },
		]) {
			const [answer] = await told(create(parameters), { Body: body });
			expect(JSON.parse(answer)).toMatchObject([{ name: 'A' }]);
		}
	});

	test('a body of the agent’s input, without what n8n adds for the agent', async () => {
		const tool = bench.tool('Tool', {
			resource: 'workflow',
			operation: 'update',
			workflowId: byId(fromModel('Workflow')),
			fields: { mappingMode: 'autoMapInputData', value: null },
		});
		bench.model.follow({ calls: [{ tool: 'Tool', arguments: { Workflow: workflowId } }] }, { say: 'Done' });
		const json = { sessionId: 's', action: 'sendMessage', chatInput: 'Go', note: 'by the agent' };
		await bench.run(agentWorkflow(bench, tool), { input: [{ json }] });
		expect(bench.sandbox.control.journal()).toMatchObject([
			{ status: 200, path: expect.stringContaining(workflowId) },
		]);
		expect(bench.sandbox.control.journal()[0].body).toEqual({ note: 'by the agent' });
	});

	test('a limit and a switch as text', async () => {
		const list = {
			resource: 'result',
			operation: 'getAll',
			runId: fromModel('Run'),
			returnAll: fromModel('All', '', 'boolean'),
			limit: fromModel('Limit', '', 'number'),
		};
		const [some, all] = await told(
			list,
			{ Run: runId, All: 'false', Limit: '3' },
			{ Run: runId, All: 'true', Limit: '3' },
		);
		expect(JSON.parse(some)).toHaveLength(3);
		expect(JSON.parse(all)).toHaveLength(20);
	});
});

describe('answers are short', () => {
	const results = (more: IDataObject = {}) => ({
		resource: 'result',
		operation: 'getAll',
		runId: fromModel('Run'),
		...more,
	});

	test('with Simplify', async () => {
		const [full] = await told(results(), { Run: runId });
		const [short] = await told(results({ simplify: true }), { Run: runId });
		expect(JSON.parse(short)).toHaveLength(20);
		expect(Object.keys((JSON.parse(short) as IDataObject[])[0]).sort()).toEqual([
			'company_name',
			'id',
			'lead_id',
			'request_id',
		]);
		expect(short.length).toBeLessThan(20 * 150);
		expect(short.length).toBeLessThan(full.length * 0.6);
	});

	test('with selected fields, which Simplify does not add to', async () => {
		const [short] = await told(results({ simplify: true, options: { outputFields: 'company_name' } }), {
			Run: runId,
		});
		expect(Object.keys((JSON.parse(short) as IDataObject[])[0]).sort()).toEqual([
			'company_name',
			'id',
			'request_id',
		]);
	});
});
