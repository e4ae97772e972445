import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { callerOf, type NodeError, toNodeError, toSingleMessage } from '../messages/nodeErrors';
import type { Dependencies } from '../transport/dependencies';
import { buildHints, HintCollector } from './hintCollector';
import { ItemProcessor } from './itemProcessor';
import { limitToolAnswer } from './limitToolAnswer';
import { NodeCall } from './nodeCall';

/** Returns the output of all input items, in their order. */
export async function router(
	context: IExecuteFunctions,
	dependencies: Dependencies,
): Promise<INodeExecutionData[]> {
	const caller = callerOf(context);
	const isTool = caller === 'tool';
	const inputItems = context.getInputData();
	const hints = new HintCollector();
	const nodeCall = new NodeCall(context, isTool);
	const answerSource = {};
	const abortController = new AbortController();
	const cancelSignal = context.getExecutionCancelSignal();
	const signal = AbortSignal.any([abortController.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	const sharedContext = { context, dependencies, hints, nodeCall, isTool, answerSource, signal };
	const processor = new ItemProcessor(sharedContext);
	const itemIndexes = inputItems.keys();
	const outputByItem: INodeExecutionData[][] = [];
	let firstError: NodeError | undefined;

	async function runWorker(): Promise<void> {
		for (const itemIndex of itemIndexes) {
			const pairedItem = { item: itemIndex };
			try {
				const items = await processor.process(itemIndex);
				outputByItem[itemIndex] = items.map((json) => ({ json, pairedItem }));
			} catch (thrown) {
				const error = toNodeError(context, thrown, caller);
				error.context.itemIndex = itemIndex;
				if (inputItems.length > 1) error.message += ` [Item ${itemIndex}]`;
				if (context.continueOnFail()) {
					outputByItem[itemIndex] = [{ json: { error: toSingleMessage(error) }, pairedItem }];
				} else {
					firstError ??= error;
					// The output of the other items is lost, so they need not continue.
					abortController.abort();
				}
				if (signal.aborted) return;
			}
		}
	}
	// Memory use depends on the concurrency, not on the number of items.
	await Promise.all(Array.from({ length: processor.concurrency() }, runWorker));
	// Node.js 20 keeps a signal with listeners in memory until it is aborted.
	abortController.abort();
	if (firstError) {
		// n8n shows a tool's model only the message.
		if (isTool) firstError.message = toSingleMessage(firstError);
		throw firstError;
	}
	nodeCall.recordNodeRunEnd();
	context.addExecutionHints(...buildHints(hints, context));
	return isTool ? limitToolAnswer(outputByItem.flat(), answerSource) : outputByItem.flat();
}
