import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { endpointPath } from '../api/endpoints';
import { sha256Hex, shortHash, toJson, toText } from '../utils';

/*
 * What identifies a call of the node, and a write within it (docs/guarantees.md#what-identifies-a-start). Used by
 * `sendWrite`, which derives idempotency keys from it.
 */

/** What is known about a write from its earlier attempts. */
export interface WriteRecord {
	/** `refused`: the service did not do it; `unknown`: it may have done it; absent: it did nothing yet. */
	outcome?: 'done' | 'refused' | 'unknown';
	/** What was done, unless it is too large to be stored. */
	response?: { data: IDataObject; requestId: string };
	/** Hash of the values that were sent last. */
	payloadHash?: string;
	/** The execution that was refused. */
	refusedIn?: string;
	/** Whether no earlier attempt can have been lost with a killed process. */
	isFirstAttempt?: boolean;
	/** Distinguishes the idempotency keys before and after a refusal. */
	keySuffix?: string;
}

/** A run of the node: in a loop one of several, as a tool one call of the model. */
interface RecordedCall {
	/** Run index, tool-call ID and name of the node. */
	key: string;
	/** The execution that made the call last. */
	executionId: string;
	/** Position among the calls of this node, in the execution and its retries. */
	callIndex: number;
	/** Whether it ended without an exception, so that n8n has its output; absent until it ends. */
	hasSucceeded?: boolean;
	/** By address and position; deleted when nothing can repeat the call. */
	writes?: Record<`w${string}`, WriteRecord>;
	/** Length of all stored responses. */
	storedLength?: number;
}

interface NodeCallHistory {
	/** The execution that began the history. Identifies it and its retries if n8n has no resume token. */
	firstExecutionId: string;
	nextCallIndex: number;
	/** The calls that n8n may repeat, oldest first. */
	calls: RecordedCall[];
}

/** n8n repeats only the last calls that ended. More would only enlarge the stored execution. */
const MAX_SUCCEEDED_CALLS = 10;
const MAX_STORED_CALLS = 200;
/** Enough for the responses to thousands of writes. */
const MAX_STORED_LENGTH = 1_000_000;

/**
 * Tells a new call of the node from a repeated one. n8n passes the history on to retries of the execution. It is stored
 * under the node's ID, because contexts of nodes are stored under a name, which users change.
 */
export class NodeCall {
	private recordedCall?: RecordedCall;
	private readonly writeCounts = new Map<string, number>();

	/** @param isTool whether an AI agent calls the node */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly isTool: boolean,
	) {}

	/**
	 * Returns an ID that an execution shares with its retries; undefined if n8n names no execution. The resume token (from
	 * n8n 2.14 on), the random part of the URL that resumes an execution, survives a killed process. Older versions offer
	 * only the history. A plain execution ID changes with every retry, but is better than none.
	 */
	executionIdAcrossRetries(itemIndex: number): string | undefined {
		const { $execution } = this.context.getWorkflowDataProxy(itemIndex);
		const resumeUrl: unknown = $execution?.resumeUrl;
		const isUrl = typeof resumeUrl === 'string' && URL.canParse(resumeUrl);
		const resumeToken = isUrl && new URL(resumeUrl).searchParams.get('signature');
		// The token permits to resume the execution, so only its hash is used.
		if (resumeToken) return sha256Hex(resumeToken);
		return this.history().firstExecutionId || undefined;
	}

	/** The position of this call among the calls of the node, from 0. A repeated call keeps its position. */
	callIndex = (): number => this.call().callIndex;

	/**
	 * Returns the position of a write, and what is known about it. Call it once per write, in the order of the items. A
	 * creation has the position of its item; any other write is the n-th one with its address, so that it stays the same
	 * if items are added, removed or reordered.
	 */
	openWrite({ endpoint, ids, idempotencyKey }: ApiRequest, itemIndex: number) {
		const address = JSON.stringify([endpoint.name, endpointPath(endpoint, ids), idempotencyKey ?? null]);
		const count = this.writeCounts.get(address) ?? 0;
		this.writeCounts.set(address, count + 1);
		const position = ids === undefined ? itemIndex : count;
		const writes = (this.call().writes ??= {});
		return { position, record: (writes[`w${shortHash(address + String(position))}`] ??= {}) };
	}

	/** Notes that a write was done. Its response is left out if the stored execution would become too large. */
	recordDone(record: WriteRecord, data: IDataObject, requestId: string): void {
		const call = this.call();
		const storedLength = (call.storedLength ?? 0) + (toJson(data)?.length ?? Infinity);
		record.outcome = 'done';
		if (storedLength > MAX_STORED_LENGTH) return;
		call.storedLength = storedLength;
		record.response = { data, requestId };
	}

	/** Call when the node's run ends. Operations without a write don't count. */
	recordEnd(hasSucceeded: boolean, hasFailedItems: boolean): void {
		const call = this.recordedCall;
		if (call === undefined) return;
		call.hasSucceeded = hasSucceeded;
		// With *Continue*, n8n can run the node again after a failed item.
		if (hasSucceeded && !hasFailedItems) delete call.writes;
	}

	private call(): RecordedCall {
		this.recordedCall ??= this.findOrAddCall();
		return this.recordedCall;
	}

	private findOrAddCall(): RecordedCall {
		const history = this.history();
		const { calls } = history;
		const key = this.callKey();
		const executionId = this.executionId();
		const earlierCalls = calls.filter((call) => call.executionId !== executionId && !call.hasSucceeded);
		const repeatedCall =
			calls.find((call) => call.executionId === executionId && call.key === key && this.mayRepeat(call)) ??
			earlierCalls.find((call) => call.key === key) ??
			// A retried execution first repeats what has failed, under another run index after a kill.
			earlierCalls[0];
		const call = repeatedCall ?? { key, executionId, callIndex: history.nextCallIndex++ };
		if (repeatedCall === undefined) calls.push(call);
		Object.assign(call, { key, executionId, hasSucceeded: undefined });
		const outdatedCalls = new Set(
			calls.filter(({ hasSucceeded }) => hasSucceeded).slice(0, -MAX_SUCCEEDED_CALLS),
		);
		history.calls = calls.filter((storedCall) => !outdatedCalls.has(storedCall)).slice(-MAX_STORED_CALLS);
		return call;
	}

	/**
	 * Whether a call of the same execution with the same key can be this one. n8n runs a node again under its run index.
	 * Before version 3, AI Agent calls a tool for several items under one run index and without an ID.
	 */
	private mayRepeat({ hasSucceeded }: RecordedCall): boolean {
		return !this.isTool || (this.toolCallId() !== '' && hasSucceeded === false);
	}

	/** The model's own text, which can repeat for other items. */
	private toolCallId = (): string => toText(this.context.getInputData()[0]?.json.toolCallId);

	private callKey(): string {
		const { $runIndex } = this.context.getWorkflowDataProxy(0);
		const toolCallId = this.isTool ? this.toolCallId() : '';
		// With its name, because an imported workflow can contain two nodes with the same ID.
		return shortHash(JSON.stringify([$runIndex, toolCallId, this.context.getNode().name]));
	}

	private executionId = (): string => this.context.getExecutionId() ?? '';

	private history(): NodeCallHistory {
		const { id, name } = this.context.getNode();
		const flowContext = this.context.getContext('flow') as Record<string, NodeCallHistory | undefined>;
		return (flowContext[`prospector:${id || name}`] ??= {
			...{ firstExecutionId: this.executionId(), nextCallIndex: 0, calls: [] },
		});
	}
}
