import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import type { Place } from '../messages/advice';
import { buildHints, HintCollector } from '../messages/hintMessages';
import { type NodeError, toNodeError, toSingleMessage } from '../messages/nodeErrors';
import { invalid } from '../messages/userMessage';
import { openClient } from '../openClient';
import { selectFields, unknownFields } from '../model/selectFields';
import { readParameters } from '../parameters/parameter';
import { ItemBatch, ParameterReader } from '../parameters/parameterReader';
import { maxConcurrentRequests } from '../parameters/requestSettings';
import type { Dependencies } from '../transport/dependencies';
import type { Client } from '../transport/request/client';
import { CREDENTIAL } from '../transport/request/n8nClient';
import { onAbort, toText } from '../utils';
import { limitToolAnswer } from './limitToolAnswer';
import { NodeCall } from './nodeCall';
import { allParameters, type Operation, type SharedContext } from './operation';
import { resources } from './resources';

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
	const hints = new HintCollector();
	const call = new NodeCall(context, place === 'tool');
	const shared = {
		context,
		dependencies,
		call,
		signal,
		hints,
		statusChecks: new Map<string, Promise<string>>(),
		answer: { startAt: 1 },
	};
	const execution = new NodeExecution(shared);
	const outputByItem: INodeExecutionData[][] = [];
	let firstError: NodeError | undefined;
	let next = 0;

	const processItem = async (itemIndex: number): Promise<void> => {
		const pairedItem = { item: itemIndex };
		try {
			const items = await execution.processItem(itemIndex);
			outputByItem[itemIndex] = items.map((json) => ({ json, pairedItem }));
		} catch (thrown) {
			const error = toNodeError(context, thrown, place);
			error.context.itemIndex = itemIndex;
			if (count > 1) error.message += ` [Item ${itemIndex}]`;
			if (context.continueOnFail()) {
				outputByItem[itemIndex] = [{ json: { error: toSingleMessage(error) }, pairedItem }];
			} else {
				firstError ??= error;
				// The output of the other items is lost, so they need not go on.
				abortController.abort();
			}
			if (signal.aborted) next = count;
		}
	};
	// Memory use depends on the concurrency, not on the number of items.
	const worker = async () => {
		while (next < count) await processItem(next++);
	};

	const canceled = context.getExecutionCancelSignal();
	if (canceled?.aborted) abortController.abort();
	const removeListener = canceled && onAbort(canceled, () => abortController.abort());
	await Promise.all(Array.from({ length: Math.min(execution.concurrency(), count) }, worker));
	removeListener?.();
	if (firstError) {
		// n8n shows a tool's model only the message.
		if (place === 'tool') firstError.message = toSingleMessage(firstError);
		throw firstError;
	}
	call.recordEnd();
	context.addExecutionHints(...buildHints(hints, context));
	const output = outputByItem.flat();
	if (place === 'node') return output;
	const answer = {
		startAt: shared.answer.startAt,
		hasMore: hints.truncatedLists > 0,
		startsRun: context.getNodeParameter('operation', 0) === 'runAndGetResults',
	};
	const items = limitToolAnswer(
		output.map(({ json }) => json),
		answer,
	);
	return items.map((json, index) => ({ json, pairedItem: output[index]?.pairedItem }));
}

class NodeExecution {
	private readonly parameters: ParameterReader;
	private readonly credentials: ItemBatch<Promise<ICredentialDataDecryptedObject>>;
	private lastClient?: { client: Client; input: unknown[] };

	constructor(private readonly shared: SharedContext) {
		const { context } = shared;
		this.parameters = new ParameterReader(context);
		this.credentials = new ItemBatch(context.getInputData().length, (itemIndex) => {
			const credential = context.getCredentials(CREDENTIAL, itemIndex);
			// The item that this is about may never be processed.
			credential.catch(() => {});
			return credential;
		});
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
		const values = readParameters(allParameters(operation), this.parameters.valuesOf(itemIndex));
		const client = await this.clientOf(itemIndex, values.retryFor);
		const items = await operation.execute(values, { ...this.shared, itemIndex, client });
		const { selection } = values;
		if (selection === undefined) return items;
		const unknown = itemIndex === 0 ? unknownFields(items, selection) : [];
		if (unknown.length > 0) {
			this.shared.hints.unknownFields = { names: unknown, known: Object.keys(items[0]) };
		}
		return items.map((item) => selectFields(item, selection));
	}

	/**
	 * The credential and the options can contain expressions, but usually they are the same for all items, which then
	 * share one client.
	 *
	 * @param retryFor milliseconds
	 * @throws UserError, or what n8n throws, when the credential can't be used
	 */
	private async clientOf(itemIndex: number, retryFor: number): Promise<Client> {
		const { context, dependencies, signal, hints } = this.shared;
		const credential = await this.credentials.get(itemIndex);
		const input = [retryFor, ...Object.entries(credential).flat()];
		const last = this.lastClient;
		const isShared = input.length === last?.input.length && input.every((one, i) => one === last.input[i]);
		if (isShared) return last.client;
		const settings = { retryFor, queueKey: signal, signal, stats: hints.stats };
		const client = openClient(context, credential, settings, dependencies);
		this.lastClient = { client, input };
		return client;
	}

	private operationOf(itemIndex: number): Operation {
		const resource = this.parameters.read('resource', itemIndex);
		const name = this.parameters.read('operation', itemIndex);
		const operations = resources.find(({ option }) => option.value === resource)?.operations;
		return (
			operations?.find(({ option }) => option.value === name) ??
			invalid(
				`There is no operation '${toText(name)}' for the resource '${toText(resource)}'`,
				"Pick one in 'Operation'",
			)
		);
	}
}
