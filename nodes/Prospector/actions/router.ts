// Executes the node. Called by n8n through the node class; the output keeps the order of the input items, and with
// *Continue* no item's failure is thrown. More tests: test/workflow/operations.test.ts.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { callerOf, type NodeError, toNodeError, toSingleMessage } from '../messages/nodeErrors';
import { Redactor } from '../messages/redact';
import type { Dependencies } from '../transport/dependencies';
import { HintCollector } from '../messages/hintCollector';
import { ItemProcessor } from './itemProcessor';
import { replaceIfTooLarge } from './toolAnswer';
import { NodeCall } from './nodeCall';
import type { ItemTask } from './operation';

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
	const sharedContext = { context, redactor, dependencies, hints, nodeCall, isTool, beganAtMs, signal };
	const processor = new ItemProcessor(sharedContext);
	const outputByItem: INodeExecutionData[][] = [];
	/** The error with which the execution fails; undefined with *Continue*. */
	let firstError: NodeError | undefined;
	/** Whether an item has failed, also with *Continue*. */
	let hasFailedItems = false;

	/** Keeps the output of a task for an item. Returns the next task of the item if the task returns one. */
	async function runTask(itemIndex: number, task: ItemTask): Promise<ItemTask | undefined> {
		const pairedItem = { item: itemIndex };
		try {
			const result = await task();
			if (typeof result === 'function') return result;
			outputByItem[itemIndex] = await turns.map(result, (json) => ({
				json: isTool ? replaceIfTooLarge(json) : json,
				pairedItem,
			}));
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
				outputByItem[itemIndex] = [{ json: { error: toSingleMessage(error) }, pairedItem }];
			} else {
				firstError ??= error;
				// The output of the other items is lost, so they need not continue.
				abortController.abort();
			}
		}
		return undefined;
	}

	/** Runs a task of each item, in their order. Returns the next tasks; none if the execution fails. */
	async function runTasks(tasks: Array<ItemTask | undefined>, concurrency: number) {
		const nextTasks: typeof tasks = [];
		const entries = [...tasks.entries()].flatMap(([index, task]) => (task ? [[index, task] as const] : []));
		// All workers take their next item from this one iterator.
		const remainingEntries = entries.values();
		async function runWorker(): Promise<void> {
			for (const [itemIndex, task] of remainingEntries) {
				if (turns.isOver()) await turns.next();
				nextTasks[itemIndex] = await runTask(itemIndex, task);
				// A canceled execution continues until an item fails. Otherwise, n8n would show a part of the output as a success.
				if (hasFailedItems && signal.aborted) return;
			}
		}
		await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, runWorker));
		return firstError === undefined ? nextTasks : [];
	}

	const prepareTasks = inputItems.map((_, itemIndex) => async () => await processor.prepare(itemIndex));
	const executeTasks = await runTasks(prepareTasks, 1);
	// Items with writes are executed one after another. The semaphore bounds the requests in progress, here and in the waits.
	const waitTasks = await runTasks(executeTasks, processor.concurrency);
	await runTasks(waitTasks, waitTasks.length);
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
	processor.addFieldHint();
	context.addExecutionHints(...hints.build(redactor));
	return output;
}
