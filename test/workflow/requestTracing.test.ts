import type { IDataObject, IExecuteFunctions, INode, INodeType, IRun } from 'n8n-workflow';
import { outputOf, stateForRetry } from '../../engine';
import { describeType } from '../nodes';
import { find, inputFor, parametersFor } from './everyOperation';
import { agent } from './fixtures';
import { chainNodes, node, startEnvironment, type Environment } from './support';

const KEY = 'prospector_request_id';

/** Sets custom data as a person does with Execution Data, here to what its parameter says. */
const setsCustomData: INodeType = {
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
const ownData = (data: object, name = 'Own') => node(name, 'test.customData', { data: JSON.stringify(data) });

let bench: Environment;
beforeAll(async () => {
	bench = await startEnvironment();
	bench.nodeTypes.add('test.customData', setsCustomData).add('test.agent', agent);
});
afterAll(async () => await bench.close());
beforeEach(() => bench.prepare());

const metadata = (ended: IRun) => ended.data.resultData.metadata;
const requests = () => bench.sandbox.control.journal().map(({ requestId }) => requestId);
/** As many input items as told; what was needed to have them leaves no trace. */
const inputOf = (title: string, count = 1) => {
	const input = inputFor(bench, find(title), count);
	bench.prepare();
	return input.map((json) => ({ json }));
};
const write = (title: string, options: IDataObject = {}, extra: Partial<INode> = {}) =>
	bench.prospector(parametersFor(find(title), undefined, { options }), extra);

const writes = ['Workflow › run', 'Workflow › create'];

describe.each(writes)('%s', (title) => {
	test('can be found by the request id on its item', async () => {
		const ended = await bench.run(chainNodes(write(title)), { input: inputOf(title) });
		const [{ json }] = outputOf(ended, 'Prospector');
		expect(metadata(ended)).toEqual({ [KEY]: json.request_id });
	});

	test('leaves no trace where that is not wanted', async () => {
		const input = inputOf(title);
		const ended = await bench.run(chainNodes(write(title, { saveRequestId: false })), { input });
		expect(ended.status).toBe('success');
		expect(metadata(ended)).toBeUndefined();
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'can be found by the id of a refused request too: %s',
		async (onError) => {
			const input = inputOf(title, 3);
			bench.prepare({ kind: 'status', status: 404, skip: 1 });
			const ended = await bench.run(chainNodes(write(title, {}, { onError })), { input });
			expect(requests()).toHaveLength(onError === 'stopWorkflow' ? 2 : 3);
			expect(metadata(ended)).toEqual({ [KEY]: requests().join(' ') });
		},
	);

	test('can be found by the ids of the execution that failed and of its retry', async () => {
		const input = inputOf(title);
		bench.prepare({ kind: 'status', status: 404 });
		const workflow = chainNodes(write(title));
		const failed = await bench.run(workflow, { input });
		const again = await bench.run(workflow, { mode: 'retry', state: stateForRetry(failed) });
		expect(again.status).toBe('success');
		expect(metadata(failed)).toEqual({ [KEY]: requests()[0] });
		expect(metadata(again)).toEqual({ [KEY]: requests().join(' ') });
	});
});

test('an answer without a request id leaves nothing to find', async () => {
	const input = inputOf('Workflow › run');
	bench.prepare({ kind: 'drop' });
	const ended = await bench.run(chainNodes(write('Workflow › run')), { input });
	expect(ended.status).toBe('error');
	expect(metadata(ended)).toBeUndefined();
});

test('reads, changes and deletions leave no trace', async () => {
	for (const title of ['Workflow › get', 'Workflow › update', 'Workflow › delete', 'Run › get']) {
		const ended = await bench.run(chainNodes(write(title)), { input: inputOf(title) });
		expect(ended.status).toBe('success');
		expect(metadata(ended)).toBeUndefined();
	}
});

test('a start whose run is waited for is found by the request that started it', async () => {
	const parameters = { ...parametersFor(find('Workflow › run')), waitForCompletion: true, options: {} };
	const input = inputOf('Workflow › run');
	const ended = await bench.run(chainNodes(bench.prospector(parameters)), { input });
	expect(metadata(ended)).toEqual({ [KEY]: outputOf(ended, 'Prospector')[0].json.run_request_id });
});

test('two nodes of an execution share an entry', async () => {
	const create = write('Workflow › create', {}, { name: 'Create', id: 'create' });
	const ended = await bench.run(chainNodes(create, write('Workflow › run')), {
		input: [{ json: { name: 'New' } }],
	});
	expect(metadata(ended)).toEqual({ [KEY]: requests().join(' ') });
});

test('calls by an agent leave a trace too', async () => {
	const [{ json }] = inputOf('Workflow › run');
	const tool = bench.prospector(parametersFor(find('Workflow › run'), String(json.id)), {
		name: 'Tool',
		type: 'n8n-nodes-prospector.prospectorTool',
	});
	const workflow = {
		nodes: [node('Agent', 'test.agent', { calls: 2 }), tool],
		connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool' as const, index: 0 }]] } },
	};
	const ended = await bench.run(workflow);
	expect(requests()).toHaveLength(2);
	expect(metadata(ended)).toEqual({ [KEY]: requests().join(' ') });
});

describe('of many items', () => {
	test('dozens can be found, within n8n’s limits; the rest costs a line in the log alone', async () => {
		const input = inputOf('Workflow › run', 100);
		const ended = await bench.run(chainNodes(ownData({ order: '7' }), write('Workflow › run')), { input });
		expect(ended.status).toBe('success');
		expect(outputOf(ended, 'Prospector')).toHaveLength(100);
		const { order, ...ours } = metadata(ended) as Record<string, string>;
		expect(order).toBe('7');
		expect(Object.keys(ours)).toEqual([KEY, `${KEY}_2`, `${KEY}_3`, `${KEY}_4`, `${KEY}_5`]);
		const stored = Object.values(ours).flatMap((value) => value.split(' '));
		expect(stored).toEqual(requests().slice(0, stored.length));
		expect(stored.length).toBeGreaterThan(30);
		for (const value of Object.values(ours)) expect(value.length).toBeLessThanOrEqual(255);
	});
});

describe('somebody’s own custom data', () => {
	test('stands beside ours, before and after', async () => {
		const input = inputOf('Workflow › run');
		const nodes = [ownData({ order: '7' }), write('Workflow › run'), ownData({ customer: '8' }, 'Later')];
		const ended = await bench.run(chainNodes(...nodes), { input });
		expect(metadata(ended)).toEqual({ order: '7', [KEY]: requests()[0], customer: '8' });
	});

	test('of the same name is left as it is', async () => {
		const input = inputOf('Workflow › run');
		const ended = await bench.run(chainNodes(ownData({ [KEY]: 'mine' }), write('Workflow › run')), { input });
		expect(metadata(ended)).toEqual({ [KEY]: 'mine', [`${KEY}_2`]: requests()[0] });
	});

	test('that takes up all of n8n’s room leaves the execution as it is', async () => {
		const ten = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`own_${i}`, 'x']));
		const input = inputOf('Workflow › run', 2);
		const ended = await bench.run(chainNodes(ownData(ten), write('Workflow › run')), { input });
		expect(ended.status).toBe('success');
		expect(metadata(ended)).toEqual(ten);
	});
});
