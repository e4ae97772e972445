import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { inputError } from '../messages/nodeErrors';
import { onAbort } from '../transport/request/onAbort';
import { toText } from '../transport/values';
import { recordRunEnd } from './stableExecutionId';
import { readMaxConcurrentRequests } from './fields/maxConcurrentRequests';
import { readParameter } from '../parameters/readParameters';
import { selectItemFields, readFieldSelection } from '../parameters/outputFields';
import { HintCollector } from './hintCollector';
import { buildHints } from '../messages/hintMessages';
import { ItemClients } from './itemClients';
import { toToolError, toNodeError, toSingleMessage, type NodeError } from './nodeError';
import type { Operation } from './operation';
import { findOperation } from './resources';
import { runConcurrently } from './runConcurrently';

/** Every input item through the operation: reads side by side, writes one by one; output in the order of input. */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const ofItems: Array<INodeExecutionData[] | undefined> = new Array(count);
	const stop = new AbortController();
	const notes = new HintCollector();
	// All requests of this node execution share one queue of the rate limiter.
	const clients = new ItemClients(context, { queueKey: stop, signal: stop.signal, stats: notes.stats });
	let failure: NodeError | undefined;

	const work = async (itemIndex: number): Promise<boolean> => {
		const pairedItem = { item: itemIndex };
		try {
			const items = await runItem(context, itemIndex, stop.signal, notes, clients);
			ofItems[itemIndex] = items.map((json) => ({ json, pairedItem }));
			return true;
		} catch (caught) {
			const error = toNodeError(context, caught, itemIndex, count);
			if (context.continueOnFail()) {
				ofItems[itemIndex] = [{ json: { error: toSingleMessage(error) }, pairedItem }];
				return !stop.signal.aborted;
			}
			failure ??= error;
			// The others need not wait any longer for what nobody will get.
			stop.abort();
			return false;
		}
	};
	const removeListener = forwardCancellation(context, stop);
	await runConcurrently(count, itemsAtOnce(context), work);
	removeListener();
	if (failure) throw toToolError(context, failure);
	recordRunEnd(context);
	context.addExecutionHints(...buildHints(notes));
	return ofItems.flatMap((items) => items ?? []);
}

/** Aborts the requests of this node when the execution is canceled. */
function forwardCancellation(context: IExecuteFunctions, stop: AbortController): () => void {
	const canceled = context.getExecutionCancelSignal();
	if (canceled === undefined) return () => {};
	if (canceled.aborted) stop.abort();
	return onAbort(canceled, () => stop.abort());
}

/** Never throws: what is wrong with a field, each item says for itself. */
function itemsAtOnce(context: IExecuteFunctions): number {
	try {
		return operationOf(context, 0)?.concurrent === true ? readMaxConcurrentRequests(context) : 1;
	} catch {
		return 1;
	}
}

function operationOf(context: IExecuteFunctions, itemIndex: number): Operation | undefined {
	const resource = readParameter(context, 'resource', itemIndex) as string;
	const name = readParameter(context, 'operation', itemIndex) as string;
	return findOperation(resource, name);
}

async function runItem(
	context: IExecuteFunctions,
	itemIndex: number,
	signal: AbortSignal,
	notes: HintCollector,
	clients: ItemClients,
): Promise<IDataObject[]> {
	const operation = operationOf(context, itemIndex);
	if (operation === undefined) {
		const named = (name: string) => toText(context.getNodeParameter(name, itemIndex));
		throw inputError(context.getNode(), {
			message: `There is no operation '${named('operation')}' for the resource '${named('resource')}'`,
			description: "Pick one in 'Operation'",
		});
	}
	if (operation.concurrent) readMaxConcurrentRequests(context);
	const client = await clients.get(itemIndex);
	const shape = readFieldSelection(context, itemIndex);
	const items = await operation.execute({ context, client, itemIndex, notes, signal });
	return selectItemFields(context, itemIndex, items, shape);
}
