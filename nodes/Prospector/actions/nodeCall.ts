// Tells a new call of the node from a repeated one, and keeps what is known about its writes
// (docs/guarantees.md#what-identifies-a-start). Used by `sendWrite`, which derives idempotency keys from it.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import type { ApiResponse } from '../api/response';
import { sha256Hex, shortHash, toText } from '../utils';

/** What is known about a write from its earlier attempts. */
export interface WriteRecord {
	/** Hash of the endpoint, the user's key, and the resource or, if a write names none, the call and the item. */
	target: `w${string}`;
	/** Number among all writes with this target, in the execution and its retries. It never changes, and is part of the key. */
	position: number;
	/** From where it was sent last: execution, call of the node, and its number among the call's writes with this target. */
	executionId: string;
	callIndex: number;
	indexInCall: number;
	/**
	 * `mayBeDone`: it may have been done. `refusedIn`: it was not done, because the service has refused it in that execution.
	 * `isCertainlyFirst`: no earlier attempt can have been lost with a killed process. Absent: no attempt has shown either.
	 */
	outcome?: 'mayBeDone' | { refusedIn: string; isCertainlyFirst: boolean };
	/** What was done; only its IDs if it is large. */
	response?: { data: IDataObject; requestId: string };
	/** Hashes of the values that were sent last, and of the Base URL and API key. */
	payloadHash?: string;
	connectionHash?: string;
	/** Distinguishes the idempotency keys before and after a refusal. */
	keySuffix?: string;
	/** Whether the resource to delete was missing. */
	wasMissing?: boolean;
}

/** One call of the node: in a loop there are several; as a tool, there is one per call of the model. */
interface RecordedCall {
	/** Run index, tool-call ID and name of the node. */
	key: string;
	/** The execution that made the call last. */
	executionId: string;
	/** Position among the calls of this node, in the execution and its retries. */
	callIndex: number;
	/** Whether it ended without an exception; absent until it ends. */
	hasSucceeded?: boolean;
	/** Also with *Continue*. */
	hasFailedItems?: boolean;
}

interface NodeCallHistory {
	/** The execution that began the history. Identifies it and its retries if n8n has no resume token. */
	firstExecutionId: string;
	nextCallIndex: number;
	nextPositions: Record<WriteRecord['target'], number>;
	/** The calls that may be repeated, oldest first. `writes`: theirs, and those that an earlier execution left open. */
	calls: RecordedCall[];
	writes: WriteRecord[];
}

/** Enough for the responses to thousands of writes (decisions/0004). */
const MAX_RESPONSE_BYTES = 1_000_000;

export class NodeCall {
	private recordedCall?: RecordedCall;
	private readonly writeCounts = new Map<string, number>();
	/** Size of the responses that this call has stored. */
	private storedBytes = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly isTool: boolean,
	) {}

	/**
	 * Returns an ID that an execution shares with its retries; undefined if n8n names no execution. It is the resume
	 * token or, before n8n 2.14, from the history (n8n-behaviour.md#execution-identity, decisions/0004).
	 */
	executionIdAcrossRetries(itemIndex: number): string | undefined {
		const { $execution } = this.context.getWorkflowDataProxy(itemIndex);
		const resumeUrl: unknown = $execution?.resumeUrl;
		const isUrl = typeof resumeUrl === 'string' && URL.canParse(resumeUrl);
		const resumeToken = isUrl && new URL(resumeUrl).searchParams.get('signature');
		// The token lets anyone resume the execution, so only its hash is used.
		if (resumeToken) return sha256Hex(resumeToken);
		return this.callHistory().firstExecutionId || undefined;
	}

	/**
	 * Returns the record of a write: its own if this execution repeats the call, otherwise the first one with its target that
	 * an earlier execution has left, even if it is done, or a new one. Call it once per write, in the order of the items.
	 * Writes with one target are counted, so items can be added, removed or reordered, except those that create a Prospector
	 * workflow.
	 */
	findOrAddWrite({ endpoint, ids, idempotencyKey: userKey }: ApiRequest, itemIndex: number): WriteRecord {
		const { callIndex, executionId } = this.currentCall();
		const { writes, nextPositions } = this.callHistory();
		const targetText = JSON.stringify([endpoint.name, ids ?? [callIndex, itemIndex], userKey]);
		// 24 digits, because it is part of idempotency keys, which must differ.
		const target = `w${sha256Hex(targetText).slice(0, 24)}` as const;
		const indexInCall = this.writeCounts.get(target) ?? 0;
		this.writeCounts.set(target, indexInCall + 1);
		const place = { executionId, callIndex, indexInCall };
		const recordsOfTarget = writes.filter((write) => write.target === target);
		const isOwn = (write: WriteRecord) =>
			write.executionId === executionId && write.callIndex === callIndex && write.indexInCall === indexInCall;
		const isOfEarlierExecution = (write: WriteRecord) => write.executionId !== executionId;
		// A retry takes over the records of earlier executions one by one, in the order in which they were added.
		const knownRecord = recordsOfTarget.find(isOwn) ?? recordsOfTarget.find(isOfEarlierExecution);
		if (knownRecord) return Object.assign(knownRecord, place);
		const position = nextPositions[target] ?? 0;
		// A write without IDs has its call and item in its target.
		if (ids !== undefined) nextPositions[target] = position + 1;
		const newRecord = { ...place, target, position };
		writes.push(newRecord);
		return newRecord;
	}

	/** Notes that a write was done. If the stored execution would become too large, only the IDs are kept. */
	recordDone(record: WriteRecord, data: IDataObject, { requestId, sizeBytes = 0 }: ApiResponse): void {
		const { id, workflow_id } = data;
		this.storedBytes += sizeBytes;
		record.response = { data: this.storedBytes > MAX_RESPONSE_BYTES ? { id, workflow_id } : data, requestId };
	}

	/** Call before a change is sent: what was done to the resource with other values does not last. */
	forgetOverwritten({ target }: WriteRecord, payloadHash: string): void {
		for (const write of this.callHistory().writes)
			if (write.target === target && write.response && write.payloadHash !== payloadHash)
				Object.assign(write, { response: undefined, outcome: undefined });
	}

	/**
	 * Call it when the call of the node ends: without it, a later call would count as a repetition of this one. Does nothing
	 * for a call that sent no write.
	 */
	recordEnd(ending: Required<Pick<RecordedCall, 'hasSucceeded' | 'hasFailedItems'>>): void {
		const call = this.recordedCall;
		if (call === undefined) return;
		Object.assign(call, ending);
		// With *Continue*, n8n can run the node again after a failed item (n8n-behaviour.md#output).
		if (!ending.hasFailedItems) this.forgetWritesOf(call);
	}

	private forgetWritesOf({ callIndex, executionId }: RecordedCall): void {
		const callHistory = this.callHistory();
		callHistory.writes = callHistory.writes.filter(
			(write) => write.callIndex !== callIndex || write.executionId !== executionId,
		);
	}

	private currentCall = (): RecordedCall => (this.recordedCall ??= this.beginCall());

	/** Returns the record of this call, and forgets the calls that can't be repeated any more, with their writes. */
	private beginCall(): RecordedCall {
		const callHistory = this.callHistory();
		const { calls } = callHistory;
		const identity = { key: this.callKey(), executionId: this.executionId() };
		const repeatedCall = this.findRepeatedCall(identity);
		const call = repeatedCall ?? { ...identity, callIndex: callHistory.nextCallIndex++ };
		if (repeatedCall === undefined) calls.push(call);
		// This call runs again: without the reset, the loop below would forget its writes.
		Object.assign(call, { ...identity, hasSucceeded: undefined, hasFailedItems: undefined });
		for (const endedCall of calls) if (endedCall.hasSucceeded) this.forgetWritesOf(endedCall);
		callHistory.calls = calls.filter(({ hasSucceeded }) => !hasSucceeded);
		return call;
	}

	private findRepeatedCall({ key, executionId }: Pick<RecordedCall, 'key' | 'executionId'>) {
		const { calls } = this.callHistory();
		const sameCall = calls.find(
			(call) => call.executionId === executionId && call.key === key && this.mayRepeat(call),
		);
		// A retry first repeats the call that failed. After a kill, that has another run index
		// (n8n-behaviour.md#execution-identity).
		return sameCall ?? calls.find((call) => call.executionId !== executionId && !call.hasSucceeded);
	}

	/**
	 * Whether an earlier call of the same execution and key can be this one. That of a node can, because n8n runs a node again
	 * under the same run index. That of a tool can only if it has ended, because it may still be running, and if it has a call
	 * ID: without one, AI Agent before version 3 calls a tool for several items under one run index
	 * (n8n-behaviour.md#ai-agents).
	 */
	private mayRepeat({ hasFailedItems }: RecordedCall): boolean {
		if (!this.isTool) return true;
		return 'toolCallId' in this.toolInput() && hasFailedItems === true;
	}

	private toolInput = (): IDataObject => this.context.getInputData()[0]?.json ?? {};

	private callKey(): string {
		const { $runIndex } = this.context.getWorkflowDataProxy(0);
		// The model's own text, which can repeat for other items (n8n-behaviour.md#ai-agents).
		const toolCallId = this.isTool ? toText(this.toolInput().toolCallId) : '';
		// With its name, because two nodes can have one ID (n8n-behaviour.md#execution-identity).
		return shortHash(JSON.stringify([$runIndex, toolCallId, this.context.getNode().name]));
	}

	private executionId = (): string => this.context.getExecutionId() ?? '';

	/** n8n passes it on to retries. The context of a node would be lost with its name (n8n-behaviour.md#execution-identity). */
	private callHistory(): NodeCallHistory {
		const { id, name } = this.context.getNode();
		const flowContext = this.context.getContext('flow') as Record<string, NodeCallHistory | undefined>;
		return (flowContext[`prospector:${id || name}`] ??= {
			firstExecutionId: this.executionId(),
			nextCallIndex: 0,
			nextPositions: {},
			calls: [],
			writes: [],
		});
	}
}
