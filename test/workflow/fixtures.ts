import {
	NodeConnectionTypes,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import { describeNodeType, node } from '../nodes';

/** Returns one item, or `size` items, per round on branch 1, then all items that came back on branch 0, as Loop Over Items does. */
export const loopNode: INodeType = {
	description: describeNodeType('test.loop', 2, {
		properties: [{ displayName: 'Size', name: 'size', type: 'number', default: 1 }],
	}),
	async execute(this: IExecuteFunctions) {
		const memory = this.getContext('node') as { left?: INodeExecutionData[] };
		memory.left ??= this.getInputData().map(({ json }) => ({ json }));
		const next = memory.left.splice(0, this.getNodeParameter('size', 0) as number);
		return next.length > 0 ? [[], next] : [this.getInputData(), []];
	},
};

/** Returns an n8n workflow that loops over its items with {@link loopNode}, `size` at once. */
export function loopOver(inner: INode, size = 1): WorkflowFile {
	const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
	return {
		nodes: [node('Loop', 'test.loop', { size }), inner],
		connections: { Loop: { main: [[], to(inner.name)] }, [inner.name]: { main: [to('Loop')] } },
	};
}

/** Passes on its items, as a trigger does. */
export const startNode: INodeType = {
	description: { ...describeNodeType('test.start'), group: ['trigger'], inputs: [] },
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

interface Tool {
	invoke(input: unknown): Promise<string>;
}

const AGENT_INPUTS: INodeTypeDescription['inputs'] = [
	NodeConnectionTypes.Main,
	{ type: NodeConnectionTypes.AiTool, displayName: 'Tool', required: true },
];

/** Calls its tool as AI Agent does before version 3, as often as a parameter says, for all items at the same time. */
export const agentNode: INodeType = {
	description: describeNodeType('test.agent', 1, {
		inputs: AGENT_INPUTS,
		properties: [{ displayName: 'Calls', name: 'calls', type: 'number', default: 1 }],
	}),
	async execute(this: IExecuteFunctions) {
		const calls = Array.from({ length: this.getNodeParameter('calls', 0) as number });
		const tools = await Promise.all(
			calls.map(async () => (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[]),
		);
		const answers = await Promise.all(tools.map(async ([tool]) => await tool.invoke({})));
		return [answers.map((answer) => ({ json: { answer: JSON.parse(answer) as IDataObject } }))];
	},
};

/** Calls its tool once for each item through n8n's engine, as AI Agent does from version 3 on, with equal tool-call IDs. */
export const engineAgentNode: INodeType = {
	description: describeNodeType('test.engineAgent', 1, {
		inputs: AGENT_INPUTS,
		properties: [{ displayName: 'Tool Call ID', name: 'toolCallId', type: 'string', default: '' }],
	}),
	async execute(this: IExecuteFunctions, response?: EngineResponse) {
		const answers = response?.actionResponses ?? [];
		if (answers.length > 0) return [answers.map(({ data }) => ({ json: { answer: data } }))] as never;
		const text = this.getNodeParameter('toolCallId', 0) as string;
		const id = (text === '' ? undefined : JSON.parse(text)) as string;
		const [nodeName] = Object.values(
			this.getParentNodes(this.getNode().name, { connectionType: 'ai_tool' }),
		).map(({ name }) => name);
		const actions = this.getInputData().map(({ json }, itemIndex) => ({
			...{ actionType: 'ExecutionNodeAction', nodeName, id, type: 'ai_tool' },
			...{ input: json, metadata: { itemIndex } },
		}));
		return { actions, metadata: {} } as never;
	},
};
