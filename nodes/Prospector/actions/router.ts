import { type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { CREDENTIAL } from '../transport/connection';
import { inputError } from '../transport/errors';
import { n8nClient } from '../transport/n8nClient';
import { rememberEnd } from './executionIdentity';
import { readMaxConcurrentRequests } from './fields/maxConcurrentRequests';
import { readMaxWait } from './fields/maxWait';
import { requestTimeout } from './fields/requestTimeout';
import { inShape, readShape } from './fields/shaping';
import { Notes } from './hints/notes';
import { hintsFrom } from './hints/wording';
import { asFinalError, asNodeError, inOneSentence, type NodeError } from './nodeError';
import type { Operation } from './operation';
import { findOperation } from './resources';
import { sideBySide } from './sideBySide';

/** Every input item through the operation: reads side by side, writes one by one; output in the order of input. */
export async function router(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const ofItems: Array<INodeExecutionData[] | undefined> = new Array(count);
	const stop = stopSignal(context);
	const notes = new Notes();
	let failure: NodeError | undefined;

	const work = async (itemIndex: number): Promise<boolean> => {
		const pairedItem = { item: itemIndex };
		try {
			const items = await runItem(context, itemIndex, stop, notes);
			ofItems[itemIndex] = items.map((json) => ({ json, pairedItem }));
			return true;
		} catch (caught) {
			const error = asNodeError(context, caught, itemIndex, count);
			if (context.continueOnFail()) {
				ofItems[itemIndex] = [{ json: { error: inOneSentence(error) }, pairedItem }];
				return !stop.signal.aborted;
			}
			failure ??= error;
			// The others need not wait any longer for what nobody will get.
			stop.abort();
			return false;
		}
	};
	await sideBySide(count, itemsAtOnce(context), work);
	if (failure) throw asFinalError(context, failure);
	rememberEnd(context);
	context.addExecutionHints(...hintsFrom(notes));
	return ofItems.flatMap((items) => items ?? []);
}

/** Given when the execution is stopped, or when one of the items has failed it. */
function stopSignal(context: IExecuteFunctions): AbortController {
	const stop = new AbortController();
	const canceled = context.getExecutionCancelSignal();
	if (canceled?.aborted) stop.abort();
	canceled?.addEventListener('abort', () => stop.abort(), { once: true });
	return stop;
}

/** Never throws: what is wrong with a field, each item says for itself. */
function itemsAtOnce(context: IExecuteFunctions): number {
	try {
		return operationOf(context, 0)?.sideBySide === true ? readMaxConcurrentRequests(context) : 1;
	} catch {
		return 1;
	}
}

function operationOf(context: IExecuteFunctions, itemIndex: number): Operation | undefined {
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const name = context.getNodeParameter('operation', itemIndex) as string;
	return findOperation(resource, name);
}

async function runItem(
	context: IExecuteFunctions,
	itemIndex: number,
	turn: AbortController,
	notes: Notes,
): Promise<IDataObject[]> {
	const operation = operationOf(context, itemIndex);
	if (operation === undefined) {
		const named = (name: string) => String(context.getNodeParameter(name, itemIndex));
		throw inputError(context.getNode(), {
			message: `There is no operation '${named('operation')}' for the resource '${named('resource')}'`,
			description: "Pick one in 'Operation'",
		});
	}
	if (operation.sideBySide) readMaxConcurrentRequests(context);
	const credential = await context.getCredentials(CREDENTIAL, itemIndex);
	const client = n8nClient(context, credential, {
		timeout: requestTimeout(context, itemIndex),
		maxWait: readMaxWait(context, itemIndex),
		// Whatever this execution of the node sends shares one place in the rate gate.
		owner: turn,
		signal: turn.signal,
		toll: notes.toll,
	});
	const shape = readShape(context, itemIndex);
	const items = await operation.execute({ context, client, itemIndex, notes, signal: turn.signal });
	return inShape(context, itemIndex, items, shape);
}
