import { NodeConnectionTypes, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import { byId, node, PROSPECTOR } from '../nodes';
import type { Environment } from './environment';
import type { Operation, PlannedExecution } from './plan';

/** Names of the nodes. The Prospector nodes have the same IDs, which are part of the idempotency keys. */
export const ITEMS = 'Items';
export const LOOP = 'Loop';
export const FIRST = 'First';
export const SECOND = 'Second';

/** Returns an item per operation of the first node, with the values for the fields of both Prospector nodes. */
export const inputOf = ({ first, second, keys }: PlannedExecution): INodeExecutionData[] =>
	first.map((operation, n) => {
		const valuesOf = (one?: Operation) => one && { target: one.target, key: keys[one.id] };
		return { json: { n, [FIRST]: valuesOf(operation), [SECOND]: valuesOf(second[n]) } };
	});

/** Returns Items → First → Second, or Items → Loop → First → Second → Loop. */
export function workflowFileOf(execution: PlannedExecution, { references }: Environment): WorkflowFile {
	const { shape, first, second, onError } = execution;
	const prospector = (name: string, [operation]: Operation[]) =>
		operation ? [prospectorNode(name, operation, execution, references.full)] : [];
	const loops = shape === 'loop' ? [node(LOOP, 'test.loop', {})] : [];
	const prospectors = [...prospector(FIRST, first), ...prospector(SECOND, second)];
	const nodes = [node(ITEMS, 'test.start', {}), ...loops, ...prospectors];
	const connections = nodes.map(({ name }, i) => {
		const next = nodes.at(i + 1) ?? loops.at(0);
		const main = next ? [[{ node: next.name, type: NodeConnectionTypes.Main, index: 0 }]] : [];
		if (name === LOOP) return [name, { main: [[], ...main] }];
		// Failed items go to the same node: otherwise the first of them would end a loop.
		const hasErrorOutput = onError === 'continueErrorOutput' && name !== ITEMS;
		return [name, { main: hasErrorOutput ? [...main, ...main] : main }];
	});
	return { nodes, connections: Object.fromEntries(connections) as WorkflowFile['connections'] };
}

function prospectorNode(
	name: string,
	{ kind }: Operation,
	{ keys, shape, onError, maxTries, retryForSeconds: retryFor, getResults }: PlannedExecution,
	credentials: Environment['references'][string],
): INode {
	const values = `$('${shape === 'loop' ? LOOP : ITEMS}').item.json.${name}`;
	const waitUpTo = retryFor === undefined ? {} : { waitUpTo: retryFor };
	const fields: IDataObject =
		kind === 'run'
			? {
					operation: getResults ? 'runAndGetResults' : 'run',
					workflowId: byId(`={{ ${values}.target }}`),
					...(getResults && { simplify: false, output: 'raw', ...waitUpTo }),
				}
			: { operation: 'create', enterValues: 'json', jsonBody: `={{ { name: ${values}.target } }}` };
	const options: IDataObject = {
		...(retryFor !== undefined && { retryFor }),
		...(Object.keys(keys).length > 0 && {
			preventDuplicates: `={{ ${values}.key ? "key" : "execution" }}`,
			idempotencyKey: `={{ ${values}.key }}`,
		}),
	};
	return node(
		name,
		PROSPECTOR,
		{ resource: 'workflow', ...fields, options },
		{
			id: name,
			credentials,
			onError,
			// The wait is real time as well.
			...(maxTries !== undefined && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
		},
	);
}
