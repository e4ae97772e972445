import type { IDataObject, IExecuteFunctions, INode, INodeType, IRun } from 'n8n-workflow';
import { outputOf, stateForRetry } from '../../scripts/engine';
import { chainNodes, describeType, node } from '../nodes';
import { agentWithTool, startEnvironment, type Environment } from './environment';
import { findOperation, inputFor, parametersFor } from './everyOperation';
import { agent } from './fixtures';

const KEY = 'prospector_request_id';

/** Sets custom data of the execution, as n8n's Execution Data node does. */
const customData: INodeType = {
	description: describeType('test.customData', 1, {
		properties: [{ displayName: 'Data', name: 'data', type: 'json', default: '{}' }],
	}),
	async execute(this: IExecuteFunctions) {
		const { $execution } = this.getWorkflowDataProxy(0);
		const data = JSON.parse(this.getNodeParameter('data', 0) as string) as Record<string, string>;
		for (const [key, value] of Object.entries(data)) $execution.customData.set(key, value);
		return [this.getInputData()];
	},
};
const setData = (data: object, name = 'Data') =>
	node(name, 'test.customData', { data: JSON.stringify(data) });

let env: Environment;
beforeAll(async () => {
	env = await startEnvironment();
	env.nodeTypes.add('test.customData', customData).add('test.agent', agent);
});
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

const savedData = (ended: IRun) => ended.data.resultData.metadata;
const requestIds = () => env.journal().map(({ requestId }) => requestId);
const createInput = (title: string, count = 1) => {
	const input = inputFor(env, findOperation(title), count);
	env.resetService();
	return input.map((json) => ({ json }));
};
const write = (title: string, options: IDataObject = {}, extra: Partial<INode> = {}) =>
	env.prospector(parametersFor(findOperation(title), undefined, { options }), extra);

describe.each(['Workflow › run', 'Workflow › create'])('%s', (title) => {
	test('saves the request ID of its item with the execution', async () => {
		const ended = await env.run(chainNodes(write(title)), { input: createInput(title) });
		expect(savedData(ended)).toEqual({ [KEY]: outputOf(ended, 'Prospector')[0].json.request_id });
	});

	test.each([
		['stopWorkflow', 2],
		['continueRegularOutput', 3],
		['continueErrorOutput', 3],
	] as const)('saves the request IDs of rejected requests: %s', async (onError, requests) => {
		const input = createInput(title, 3);
		env.resetService({ kind: 'status', status: 404, skip: 1 });
		const ended = await env.run(chainNodes(write(title, {}, { onError })), { input });
		expect(requestIds()).toHaveLength(requests);
		expect(savedData(ended)).toEqual({ [KEY]: requestIds().join(' ') });
	});

	test('keeps the saved request IDs when the execution is retried', async () => {
		const input = createInput(title);
		env.resetService({ kind: 'status', status: 404 });
		const workflow = chainNodes(write(title));
		const failed = await env.run(workflow, { input });
		const again = await env.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(savedData(failed)).toEqual({ [KEY]: requestIds()[0] });
		expect(savedData(again)).toEqual({ [KEY]: requestIds().join(' ') });
	});
});

test.each(['Workflow › get', 'Workflow › update', 'Workflow › delete', 'Run › get'])(
	'%s saves no request ID',
	async (title) => {
		const ended = await env.run(chainNodes(write(title)), { input: createInput(title) });
		expect(ended.status).toBe('success');
		expect(savedData(ended)).toBeUndefined();
	},
);

test('Run and Get Results saves only the ID of the request that started the run', async () => {
	const parameters = { ...parametersFor(findOperation('Workflow › run')), operation: 'runAndGetResults' };
	const workflow = chainNodes(env.prospector({ ...parameters, simplify: false }));
	const ended = await env.run(workflow, { input: createInput('Workflow › run') });
	expect(env.operations()).toEqual(['runWorkflow', 'getRun', 'listResults']);
	expect(savedData(ended)).toEqual({ [KEY]: requestIds()[0] });
	expect(outputOf(ended, 'Prospector')[0].json.run_request_id).toBe(requestIds()[0]);
});

test('calls by an AI agent save their request IDs', async () => {
	const [{ json }] = createInput('Workflow › run');
	const tool = env.prospector(parametersFor(findOperation('Workflow › run'), String(json.id)));
	const ended = await env.run(agentWithTool(tool, 2));
	expect(requestIds()).toHaveLength(2);
	expect(savedData(ended)).toEqual({ [KEY]: requestIds().join(' ') });
});

test('many items save as many request IDs as n8n has room for', async () => {
	const input = createInput('Workflow › run', 100);
	const ended = await env.run(chainNodes(setData({ order: '7' }), write('Workflow › run')), { input });
	expect(outputOf(ended, 'Prospector')).toHaveLength(100);
	const { order, ...ours } = savedData(ended) as Record<string, string>;
	expect(order).toBe('7');
	expect(Object.keys(ours)).toEqual([KEY, `${KEY}_2`, `${KEY}_3`, `${KEY}_4`, `${KEY}_5`]);
	const saved = Object.values(ours).flatMap((value) => value.split(' '));
	expect(saved).toEqual(requestIds().slice(0, saved.length));
	expect(saved.length).toBeGreaterThan(30);
	for (const value of Object.values(ours)) expect(value.length).toBeLessThanOrEqual(255);
});

describe('Custom data of other nodes', () => {
	const tenEntries = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`own_${i}`, 'x']));

	test.each<[string, object, object, (requestId: string) => object]>([
		[
			'is kept beside the request ID, before and after the node',
			{ order: '7' },
			{ customer: '8' },
			(requestId) => ({ order: '7', [KEY]: requestId, customer: '8' }),
		],
		[
			'is kept when it has the same name',
			{ [KEY]: 'mine' },
			{},
			(requestId) => ({ [KEY]: 'mine', [`${KEY}_2`]: requestId }),
		],
		['is kept when it takes all of n8n’s room', tenEntries, {}, () => tenEntries],
	])('%s', async (_, before, after, expected) => {
		const input = createInput('Workflow › run');
		const nodes = [setData(before), write('Workflow › run'), setData(after, 'Later')];
		const ended = await env.run(chainNodes(...nodes), { input });
		expect(ended.status).toBe('success');
		expect(savedData(ended)).toEqual(expected(String(requestIds()[0])));
	});
});
