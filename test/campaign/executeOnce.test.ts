import type { INodeType } from 'n8n-workflow';
import { CredentialStore, initialState, NodeTypes } from '../../scripts/engine';
import { chainNodes, node } from '../nodes';
import { executeOnce } from './executeOnce';
import type { Interruption } from './plan';
import { FIRST, itemsNode } from './workflowFile';

const hanging: INodeType = { ...itemsNode, execute: async () => await new Promise(() => {}) };
const waiting: INodeType = {
	...itemsNode,
	async execute() {
		const signal = this.getExecutionCancelSignal();
		await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		throw new Error('The execution was canceled');
	},
};

async function statusOf(type: 'hangs' | 'waits', timeoutMs?: number, interruption?: Interruption) {
	const nodeTypes = await NodeTypes.load('.');
	nodeTypes.add('ends', itemsNode).add('hangs', hanging).add('waits', waiting);
	const workflow = chainNodes(node('Begin', 'ends', {}), node(FIRST, type, {}));
	const environment = { nodeTypes, credentials: new CredentialStore(nodeTypes) };
	const state = initialState(workflow);
	return (await executeOnce(environment, workflow, state, 'trigger', interruption, timeoutMs))?.status;
}

test('returns undefined when an execution hangs', async () => {
	expect(await statusOf('hangs', 50)).toBeUndefined();
});

test.each(['stop', 'kill'] as const)('cancels the execution on %s', async (how) => {
	expect(await statusOf('waits', undefined, { attempt: 0, how, afterMs: 5 })).toBe('canceled');
});
