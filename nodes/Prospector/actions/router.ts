// Executes the node. Called by n8n through the node class; the output keeps the order of the input items, and with
// *Continue* no item's failure is thrown.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { callerOf, type NodeError, toNodeError, toSingleMessage } from '../messages/nodeErrors';
import { Redactor } from '../messages/redact';
import type { Dependencies } from '../transport/dependencies';
import { HintCollector } from '../messages/hintCollector';
import { ItemProcessor } from './itemProcessor';
import { fitIntoAnswer } from './toolAnswer';
import { NodeCall } from './nodeCall';
import type { ExecuteItem, FinishItem } from './operation';

/** Returns the output of all input items, in their order. */
export async function router(
	context: IExecuteFunctions,
	dependencies: Dependencies,
): Promise<INodeExecutionData[]> {
	const { turns } = dependencies;
	const caller = callerOf(context);
	const isTool = caller === 'tool';
	const inputItems = context.getInputData();
	const redactor = new Redactor();
	const hints = new HintCollector();
	const nodeCall = new NodeCall(context, isTool);
	const abortController = new AbortController();
	const cancelSignal = context.getExecutionCancelSignal();
	const signal = AbortSignal.any([abortController.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	const beganAtMs = dependencies.clock.now();
	const sharedContext = {
		...{ context, redactor, dependencies, hints, nodeCall, isTool, beganAtMs, signal },
	};
	const processor = new ItemProcessor(sharedContext);
	const outputByItem: INodeExecutionData[][] = [];
	let firstError: NodeError | undefined;
	let hasFailedItems = false;

	/** Returns what a task for an item returns; undefined if it fails. */
	async function runTask<T>(itemIndex: number, task: () => Promise<T>): Promise<T | undefined> {
		try {
			return await task();
		} catch (thrown) {
			hasFailedItems = true;
			const mayContinue = context.continueOnFail();
			const error = toNodeError(sharedContext, thrown, caller, {
				itemIndex,
				isItemNamed: inputItems.length > 1,
				// A model gets only the message (n8n-behaviour.md#ai-agents).
				isMessageOnly: isTool && !mayContinue,
			});
			if (mayContinue) {
				const json = { error: toSingleMessage(error) };
				outputByItem[itemIndex] = [{ json, pairedItem: { item: itemIndex } }];
			} else {
				firstError ??= error;
				// The output of the other items is lost, so they need not continue.
				abortController.abort();
			}
			return undefined;
		}
	}

	async function keepOutput(itemIndex: number, items: IDataObject[]): Promise<void> {
		const pairedItem = { item: itemIndex };
		outputByItem[itemIndex] = await turns.map(items, (json) => ({
			json: isTool ? fitIntoAnswer(json) : json,
			pairedItem,
		}));
	}

	const preparedItems: Array<ExecuteItem | undefined> = [];
	for (const itemIndex of inputItems.keys()) {
		if (turns.isOver()) await turns.next();
		preparedItems.push(await runTask(itemIndex, async () => await processor.prepare(itemIndex)));
		if (firstError !== undefined) break;
	}
	// One iterator, from which each worker takes its next item.
	const remainingItems = (firstError === undefined ? preparedItems : []).entries();
	const unfinishedItems: Array<[number, FinishItem]> = [];
	async function runWorker(): Promise<void> {
		for (const [itemIndex, execute] of remainingItems) {
			if (turns.isOver()) await turns.next();
			const result = execute && (await runTask(itemIndex, execute));
			if (typeof result === 'function') unfinishedItems.push([itemIndex, result]);
			else if (result) await keepOutput(itemIndex, result);
			// A canceled execution goes on until an item fails. Otherwise, n8n would show a part of the output as a success.
			if (hasFailedItems && signal.aborted) return;
		}
	}
	// Bounds the memory: at most `concurrency` responses are read at the same time, however many items there are.
	await Promise.all(Array.from({ length: processor.concurrency }, runWorker));
	// After an error nothing is waited for, because the retry of the node waits for all runs again.
	await Promise.all(
		(firstError === undefined ? unfinishedItems : []).map(async ([itemIndex, finish]) => {
			const items = await runTask(itemIndex, finish);
			if (items) await keepOutput(itemIndex, items);
		}),
	);
	// Node.js 20 keeps a signal with listeners in memory until it is aborted.
	abortController.abort();
	nodeCall.recordEnd({ hasSucceeded: firstError === undefined, hasFailedItems });
	if (firstError) throw firstError;
	const output: INodeExecutionData[] = [];
	for (const items of outputByItem) {
		if (turns.isOver()) await turns.next();
		for (const item of items ?? []) output.push(item);
	}
	// n8n then executes no further node, and a loop ends (n8n-behaviour.md#output).
	if (output.length === 0 && !context.getNode().alwaysOutputData) hints.add('emptyOutput');
	context.addExecutionHints(...hints.build(redactor));
	return output;
}
