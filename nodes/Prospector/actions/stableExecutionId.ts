import type { IExecuteFunctions } from 'n8n-workflow';
import { sha256Hex } from '../utils';

/** The node's context, which n8n passes from a failed execution to its retry. */
interface NodeContext {
	prospectorExecution?: string;
	/** The execution that `prospectorFirstRunIndex` belongs to. */
	prospectorRunsIn?: string;
	/** The run index of n8n that counts as 0. */
	prospectorFirstRunIndex?: number;
	/** How many runs of the node have ended. */
	prospectorRunsEnded?: number;
}

const getNodeContext = (context: IExecuteFunctions) => context.getContext('node') as NodeContext;

/**
 * Returns an ID that an execution shares with its retries; undefined if n8n names no execution. The resume token (from
 * n8n 2.14 on) survives a killed process. Older versions offer only the node's context. A plain execution ID changes
 * with every retry, but is better than none.
 */
export function stableExecutionId(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(itemIndex);
	const token = resumeToken($execution?.resumeUrl);
	// The token permits to resume the execution, so only its hash is used.
	if (token !== undefined) return sha256Hex(token);
	const nodeContext = getNodeContext(context);
	return (nodeContext.prospectorExecution ??= context.getExecutionId() || undefined);
}

/**
 * Returns how many runs of this node have ended before, in this execution and in those that it retries. After a killed
 * process, n8n starts the execution again but continues its count of runs.
 */
export function relativeRunIndex(context: IExecuteFunctions, itemIndex: number): number {
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const nodeContext = getNodeContext(context);
	const execution = context.getExecutionId() ?? '';
	if (nodeContext.prospectorFirstRunIndex === undefined || nodeContext.prospectorRunsIn !== execution) {
		nodeContext.prospectorRunsIn = execution;
		nodeContext.prospectorFirstRunIndex = $runIndex - (nodeContext.prospectorRunsEnded ?? 0);
	}
	return $runIndex - nodeContext.prospectorFirstRunIndex;
}

/** Call when a run of the node has ended without an exception; otherwise n8n runs it again. */
export function recordRunEnd(context: IExecuteFunctions): void {
	const nodeContext = getNodeContext(context);
	// Operations without an idempotency key don't count.
	if (nodeContext.prospectorRunsIn === undefined) return;
	nodeContext.prospectorRunsEnded = relativeRunIndex(context, 0) + 1;
}

/** Returns the random part of the URL that resumes an execution, which n8n keeps through every retry. */
function resumeToken(resumeUrl: unknown): string | undefined {
	if (typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) return undefined;
	return new URL(resumeUrl).searchParams.get('signature') || undefined;
}
