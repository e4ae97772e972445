import type { IExecuteFunctions } from 'n8n-workflow';
import { sha256Hex, toText } from '../utils';

/** A run of the node: in a loop one of several, as a tool one call of the model. */
interface RecordedCall {
	/** An ID that a repeat of the call has, too; '' if n8n never repeats it. */
	id: string;
	/** The execution that made the call last. */
	executionId: string;
	/** Position among the calls of this node, in the execution and its retries. */
	callIndex: number;
	/** Whether it ended without an exception, so that n8n has its output. */
	hasSucceeded: boolean;
}

interface NodeCallHistory {
	/** Identifies the execution and its retries if n8n has no resume token. */
	firstExecutionId?: string;
	nextCallIndex: number;
	/** The calls that n8n may repeat, oldest first. */
	calls: RecordedCall[];
}

/** n8n repeats only the last calls that ended. More would only enlarge the stored execution. */
const MAX_SUCCEEDED_CALLS = 10;
const MAX_STORED_CALLS = 200;

/**
 * Tells a new call of the node from a repeated one. n8n passes the history on to retries of the execution. It is stored
 * under the node's ID, because contexts of nodes are stored under a name, which users change.
 */
export class NodeCall {
	private recordedCall?: RecordedCall;

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
		const history = this.history();
		return (history.firstExecutionId ??= this.context.getExecutionId() || undefined);
	}

	/** Returns the position of this call among the calls of the node, from 0. A repeated call keeps its position. */
	callIndex(): number {
		this.recordedCall ??= this.findOrAddCall();
		return this.recordedCall.callIndex;
	}

	/** Call when the node has run without an exception, after which n8n does not repeat the call. */
	recordNodeRunEnd(): void {
		// Operations without an idempotency key don't count.
		if (this.recordedCall !== undefined) this.recordedCall.hasSucceeded = true;
	}

	private findOrAddCall(): RecordedCall {
		const history = this.history();
		const { calls } = history;
		const id = this.callId();
		const executionId = this.context.getExecutionId() ?? '';
		const repeatedCall =
			calls.find((call) => call.id === id && id !== '') ??
			// A retried execution first repeats what has failed.
			calls.find((call) => !call.hasSucceeded && call.executionId !== executionId);
		const call = repeatedCall ?? { id, executionId, callIndex: history.nextCallIndex++, hasSucceeded: false };
		if (repeatedCall === undefined) calls.push(call);
		Object.assign(call, { id, executionId, hasSucceeded: false });
		const succeededCalls = calls.filter(({ hasSucceeded }) => hasSucceeded);
		const outdatedCalls = new Set(succeededCalls.slice(0, -MAX_SUCCEEDED_CALLS));
		history.calls = calls.filter((storedCall) => !outdatedCalls.has(storedCall)).slice(-MAX_STORED_CALLS);
		return call;
	}

	/**
	 * n8n gives each run of a node an index, and repeats a run under its index. Calls of a tool share indexes, so only the
	 * model's ID of the call tells them apart; before version 3, AI Agent doesn't pass it and repeats no call.
	 */
	private callId(): string {
		if (this.isTool) return toText(this.context.getInputData()[0]?.json.toolCallId);
		const { $runIndex } = this.context.getWorkflowDataProxy(0);
		// With its name, because an imported workflow can contain two nodes with the same ID.
		return `${this.context.getExecutionId() ?? ''}:${$runIndex}:${this.context.getNode().name}`;
	}

	private history(): NodeCallHistory {
		const { id, name } = this.context.getNode();
		const flowContext = this.context.getContext('flow') as Record<string, NodeCallHistory | undefined>;
		return (flowContext[`prospector:${id || name}`] ??= { nextCallIndex: 0, calls: [] });
	}
}
