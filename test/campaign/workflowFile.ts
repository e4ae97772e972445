import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { WorkflowFile } from '../../engine';
import { byId, node, PROSPECTOR } from '../nodes';
import type { Kind, PlannedExecution } from './plan';

/** Names of the nodes; the ids of the Prospector nodes are the same, and go into the keys. */
export const ITEMS = 'Items';
export const LOOP = 'Loop';
export const FIRST = 'First';
export const SECOND = 'Second';

/** Passes on its items, as a trigger does. */
export const passOn: INodeType = {
	description: {
		displayName: 'Items',
		name: 'campaign.items',
		group: ['trigger'],
		version: 1,
		description: 'Only for the campaign',
		defaults: { name: ITEMS },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** One item per operation of the first node, with all that the fields of the Prospector nodes ask for. */
export const inputOf = ({ first, second, keys }: PlannedExecution): INodeExecutionData[] =>
	first.map(({ target }, n) => ({ json: { n, [FIRST]: target, [SECOND]: second[n]?.target, key: keys[n] } }));

/**
 * The n8n workflow of a planned execution: `row` is Items → First → Second, and `loop` Items → Loop → First → Second →
 * back to Loop.
 *
 * @param credentials what a node carries to name its credential
 * @param extra options of every Prospector node, for a campaign that must fail
 */
export function fileOf(
	execution: PlannedExecution,
	credentials: INode['credentials'],
	extra: IDataObject = {},
): WorkflowFile {
	const { shape, first, second, settings } = execution;
	const prospectors = [first, second].flatMap((operations, i) =>
		operations.length > 0
			? [prospector([FIRST, SECOND][i], operations[0].kind, execution, credentials, extra)]
			: [],
	);
	const loops = shape === 'loop' ? [node(LOOP, 'test.loop', {})] : [];
	const nodes = [node(ITEMS, 'campaign.items', {}), ...loops, ...prospectors];
	const to = ({ name }: INode) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
	const connections = nodes.map(({ name }, i) => {
		const next = nodes.at(i + 1) ?? loops.at(0);
		if (!next) return [name, { main: [] }];
		if (name === LOOP) return [name, { main: [[], to(next)] }];
		// Failed items go the same way, or a loop would end with the first of them.
		const outputs = settings.onError === 'continueErrorOutput' && name !== ITEMS ? 2 : 1;
		return [name, { main: Array.from({ length: outputs }, () => to(next)) }];
	});
	return { nodes, connections: Object.fromEntries(connections) as WorkflowFile['connections'] };
}

function prospector(
	name: string,
	operation: Kind,
	{ keys, shape, settings }: PlannedExecution,
	credentials: INode['credentials'],
	extra: IDataObject,
): INode {
	const { onError, maxTries, maxWait, waits } = settings;
	// As people do it: by way of what n8n says an item is paired with.
	const json = `$('${shape === 'loop' ? LOOP : ITEMS}').item.json`;
	return node(
		name,
		PROSPECTOR,
		{
			resource: 'workflow',
			operation,
			...(operation === 'run'
				? { workflowId: byId(`={{ ${json}.${name} }}`), waitForCompletion: waits }
				: { specifyBody: 'json', jsonBody: `={{ { name: ${json}.${name} } }}` }),
			options: {
				// The shortest there is: it is the only time that the fast clock does not make shorter.
				requestTimeout: 1,
				...(maxWait !== undefined && { maxWait }),
				...(keys.length > 0 && {
					idempotencyKeyMode: `={{ ${json}.key ? "custom" : "automatic" }}`,
					idempotencyKey: `={{ ${json}.key }}`,
				}),
				...extra,
			},
		},
		{
			id: name,
			credentials,
			onError,
			// Real time as well.
			...(maxTries !== undefined && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
		},
	);
}
