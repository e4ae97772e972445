import type { EngineResponse, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { describeNodeType } from '../nodes';

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

/**
 * Returns its items on branch 0 if another page follows, else on branch 1, as If does with the condition that
 * `next_cursor` has a value.
 */
export const ifMoreNode: INodeType = {
	description: describeNodeType('test.ifMore', 2),
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		return items.some(({ json }) => Boolean(json.next_cursor)) ? [items, []] : [[], items];
	},
};

/** Fails until its state is changed. */
export function failingNode() {
	const state = { fails: true };
	const type: INodeType = {
		description: describeNodeType('test.failing'),
		async execute(this: IExecuteFunctions) {
			if (state.fails) throw new Error('Not yet');
			return [this.getInputData()];
		},
	};
	return { type, state };
}

interface Tool {
	invoke(input: unknown): Promise<string>;
}

/**
 * Calls its tool as AI Agent does before version 3: as often as a parameter says, for one item after the other or for all
 * items at the same time.
 */
export const agentNode: INodeType = {
	description: describeNodeType('test.agent', 1, {
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiTool, displayName: 'Tool', required: true },
		],
		properties: [
			{ displayName: 'Calls', name: 'calls', type: 'number', default: 1 },
			{ displayName: 'Parallel', name: 'parallel', type: 'string', default: '' },
		],
	}),
	async execute(this: IExecuteFunctions) {
		const calls = this.getNodeParameter('calls', 0) as number;
		const parallel = this.getNodeParameter('parallel', 0) as string;
		const tool = async () =>
			((await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[])[0];
		const call = async ({ invoke }: Tool) => ({
			json: { answer: JSON.parse(await invoke({})) as unknown },
		});
		const numbers = Array.from({ length: calls }, (_, i) => i);
		if (parallel === 'items') {
			const tools = await Promise.all(numbers.map(async () => await tool()));
			return [await Promise.all(tools.map(async (one) => await call(bind(one))))] as INodeExecutionData[][];
		}
		const one = bind(await tool());
		const answers = [];
		while (answers.length < calls) answers.push(await call(one));
		return [answers] as INodeExecutionData[][];
	},
};

const bind = (tool: Tool): Tool => ({ invoke: async (input) => await tool.invoke(input) });

/** Calls its tool once for each item through n8n's engine, as AI Agent does from version 3 on, with equal tool-call IDs. */
export const engineAgentNode: INodeType = {
	description: describeNodeType('test.engineAgent', 1, {
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiTool, displayName: 'Tool', required: true },
		],
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
