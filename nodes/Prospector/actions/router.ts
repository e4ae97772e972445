import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Place } from '../messages/adviceMessages';
import { buildHints, HintCollector } from '../messages/hintMessages';
import { type NodeError, toNodeError, toSingleMessage } from '../messages/nodeErrors';
import { invalid } from '../messages/userMessage';
import { selectFields, unknownFields } from '../parameters/outputFields';
import { readAll } from '../parameters/parameter';
import { ParameterReader } from '../parameters/readParameters';
import { maxConcurrentRequests } from '../parameters/requestSettings';
import type { Dependencies } from '../transport/dependencies';
import type { Client } from '../transport/request/client';
import { onAbort, toText } from '../utils';
import { recordRunEnd, resolveIdempotencyKey } from './idempotencyKey';
import { ItemClients } from './itemClients';
import { allParameters, type ItemContext, type Operation } from './operation';
import { saveRequestId } from './requestIds';
import { findOperation } from './resources';

/** Returns the output of all input items, in their order. */
export async function router(
	context: IExecuteFunctions,
	dependencies: Dependencies,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const node = context.getNode();
	// n8n appends this to the type of the tool that it derives from a node.
	const place: Place = node.type.endsWith('Tool') ? 'tool' : 'node';
	const abortController = new AbortController();
	const { signal } = abortController;
	const execution = new NodeExecution(context, dependencies, signal);
	const outputByItem: INodeExecutionData[][] = [];
	let firstError: NodeError | undefined;

	const processItem = async (itemIndex: number): Promise<boolean> => {
		const pairedItem = { item: itemIndex };
		try {
			const items = await execution.processItem(itemIndex);
			outputByItem[itemIndex] = items.map((json) => ({ json, pairedItem }));
			return true;
		} catch (thrown) {
			const error = toNodeError(node, thrown, place);
			error.context.itemIndex = itemIndex;
			if (count > 1) error.message += ` [Item ${itemIndex}]`;
			if (context.continueOnFail()) {
				outputByItem[itemIndex] = [{ json: { error: toSingleMessage(error) }, pairedItem }];
				return !signal.aborted;
			}
			firstError ??= error;
			// The output of the other items is lost, so they need not go on.
			abortController.abort();
			return false;
		}
	};

	const canceled = context.getExecutionCancelSignal();
	if (canceled?.aborted) abortController.abort();
	const removeListener = canceled && onAbort(canceled, () => abortController.abort());
	await runConcurrently(count, execution.concurrency(), processItem);
	removeListener?.();
	if (firstError) {
		// n8n shows a tool's model only the message.
		if (place === 'tool') firstError.message = toSingleMessage(firstError);
		throw firstError;
	}
	recordRunEnd(context);
	context.addExecutionHints(...buildHints(execution.hints));
	return outputByItem.flat();
}

/**
 * Runs a task for each index, in their order. Memory use depends on the concurrency, not on the number of tasks.
 *
 * @param task must not reject; if it returns false, no further one is started
 */
async function runConcurrently(
	count: number,
	concurrency: number,
	task: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) {
			if (!(await task(next++))) next = count;
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
}

/** What the items of one execution of the node share. */
class NodeExecution {
	readonly hints = new HintCollector();
	private readonly statusChecks: ItemContext['statusChecks'] = new Map();
	private readonly parameters: ParameterReader;
	private readonly clients: ItemClients;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly dependencies: Dependencies,
		private readonly signal: AbortSignal,
	) {
		this.parameters = new ParameterReader(context);
		const shared = { queueKey: signal, signal, stats: this.hints.stats };
		this.clients = new ItemClients(context, shared, dependencies);
	}

	/** Returns how many items to process at the same time. Never throws: each item reports its invalid values itself. */
	concurrency(): number {
		try {
			const { concurrent } = this.operationOf(0);
			return concurrent ? maxConcurrentRequests.read(this.parameters.valuesOf(0)) : 1;
		} catch {
			return 1;
		}
	}

	/** @throws RequestError or UserError, or what n8n throws for a parameter or the credential */
	async processItem(itemIndex: number): Promise<IDataObject[]> {
		const operation = this.operationOf(itemIndex);
		const values = readAll(allParameters(operation), this.parameters.valuesOf(itemIndex));
		const client = await this.clients.get(itemIndex, values.requestTimeout, values.maxWait);
		const items = await operation.execute(values, this.itemContext(itemIndex, client));
		const { selection } = values;
		const unknown = itemIndex === 0 ? unknownFields(items, selection) : [];
		if (unknown.length > 0) {
			this.hints.unknownFields = { names: unknown, known: Object.keys(items[0]) };
		}
		return items.map((item) => selectFields(item, selection));
	}

	private operationOf(itemIndex: number): Operation {
		const read = (name: string) => this.parameters.read(name, itemIndex);
		const operation = findOperation(read('resource'), read('operation'));
		return (
			operation ??
			invalid(
				`There is no operation '${toText(read('operation'))}' for the resource '${toText(read('resource'))}'`,
				"Pick one in 'Operation'",
			)
		);
	}

	private itemContext(itemIndex: number, client: Client): ItemContext {
		const { context, hints, dependencies, signal, statusChecks } = this;
		return {
			client,
			hints,
			dependencies,
			signal,
			statusChecks,
			idempotencyKey: (choice, operation, request) =>
				resolveIdempotencyKey(context, itemIndex, hints, choice, operation, request),
			saveRequestId: (requestId) => saveRequestId(context, itemIndex, requestId),
			log: (line) => context.logger.info(`${context.getNode().name}: ${line}`, { itemIndex }),
		};
	}
}
