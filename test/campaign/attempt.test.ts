import type { INodeType } from 'n8n-workflow';
import { CredentialStore, initialState, NodeTypes } from '../../engine';
import { chainNodes, node } from '../nodes';
import { attempt } from './attempt';
import { FIRST, passOn } from './workflowFile';

const neverEnds: INodeType = { ...passOn, execute: async () => await new Promise(() => {}) };
let stage: { nodeTypes: NodeTypes; credentials: CredentialStore };

beforeAll(async () => {
	const nodeTypes = (await NodeTypes.load('.')).add('good', passOn).add('hangs', neverEnds);
	stage = { nodeTypes, credentials: new CredentialStore(nodeTypes) };
});

const file = (type: string) => chainNodes(node('Begin', 'good', {}), node(FIRST, type, {}));
const state = () => initialState(file('good'));

test('an execution that does not end is given up', async () => {
	expect(await attempt(stage, file('hangs'), state(), 'trigger', undefined, 50)).toBeUndefined();
});

test('one that ends is not', async () => {
	expect((await attempt(stage, file('good'), state(), 'trigger', undefined))?.status).toBe('success');
});

test.each(['stop', 'kill'] as const)('%s ends it before its time', async (how) => {
	const given: INodeType = {
		...passOn,
		async execute() {
			const signal = this.getExecutionCancelSignal();
			await new Promise((resolve) => signal?.addEventListener('abort', resolve));
			throw new Error('The execution was canceled');
		},
	};
	stage.nodeTypes.add('waits', given);
	const run = await attempt(stage, file('waits'), state(), 'trigger', { attempt: 0, how, after: 5 }, 5000);
	expect(run?.status).toBe('canceled');
});
