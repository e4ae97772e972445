import type { IExecuteFunctions } from 'n8n-workflow';
import { missingKeysHint } from '../messages/hintMessages';
import type { DuplicatePrevention } from '../parameters/idempotencyKey';
import type { ApiRequest } from '../transport/request/apiRequest';
import { endpointPath } from '../transport/request/endpoints';
import { sha256Hex } from '../utils';
import type { ItemContext } from './operation';

/**
 * Returns the idempotency key for a write, and collects the hint about a missing one. Call it once per write, before the
 * first attempt. The key of an execution is the same for the same write, in every process (contract, section 4, rule 3).
 *
 * @returns undefined if none is sent; the key of an execution has 32 hexadecimal digits, because n8n's message box is
 *   narrow
 */
export function resolveIdempotencyKey(
	{ context, itemIndex, hints }: ItemContext,
	prevention: DuplicatePrevention,
	{ endpoint, ids }: ApiRequest,
): string | undefined {
	if (prevention.mode === 'off') return undefined;
	if (prevention.mode === 'key') return prevention.key;
	const node = context.getNode();
	const execution = stableExecutionId(context, itemIndex);
	if (execution === undefined) {
		if (hints.missingKeys++ === 0) context.logger.warn(`${node.name}: ${missingKeysHint(1)}`);
		return undefined;
	}
	// JSON keeps ["a","bc"] and ["ab","c"] apart. Without the payload: a retry with another one must end in a 409.
	const identity = JSON.stringify([
		context.getInstanceId(),
		// The n8n workflow, not the Prospector workflow.
		context.getWorkflow().id ?? '',
		execution,
		node.id || node.name,
		endpoint.name,
		endpointPath(endpoint, ids),
		relativeRunIndex(context, itemIndex),
		itemIndex,
	]);
	return `n8n-${sha256Hex(identity).slice(0, 32)}`;
}

/** The node's context, which n8n passes from a failed execution to its retry. */
interface NodeContext {
	prospectorExecution?: string;
	/** The run index of n8n that counts as 0 in an execution. */
	prospectorFirstRun?: { execution: string; index: number };
	prospectorRunsEnded?: number;
}

const getNodeContext = (context: IExecuteFunctions) => context.getContext('node') as NodeContext;

/**
 * Returns an ID that an execution shares with its retries; undefined if n8n names no execution. The resume token (from
 * n8n 2.14 on), the random part of the URL that resumes an execution, survives a killed process. Older versions offer
 * only the node's context. A plain execution ID changes with every retry, but is better than none.
 */
function stableExecutionId(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(itemIndex);
	const resumeUrl: unknown = $execution?.resumeUrl;
	const isUrl = typeof resumeUrl === 'string' && URL.canParse(resumeUrl);
	const token = isUrl && new URL(resumeUrl).searchParams.get('signature');
	// The token permits to resume the execution, so only its hash is used.
	if (token) return sha256Hex(token);
	const nodeContext = getNodeContext(context);
	return (nodeContext.prospectorExecution ??= context.getExecutionId() || undefined);
}

/**
 * Returns how many runs of this node have ended before, in this execution and in those that it retries. After a killed
 * process, n8n starts the execution again but continues its count of runs.
 */
function relativeRunIndex(context: IExecuteFunctions, itemIndex: number): number {
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const nodeContext = getNodeContext(context);
	const execution = context.getExecutionId() ?? '';
	let first = nodeContext.prospectorFirstRun;
	if (first?.execution !== execution) {
		first = { execution, index: $runIndex - (nodeContext.prospectorRunsEnded ?? 0) };
		nodeContext.prospectorFirstRun = first;
	}
	return $runIndex - first.index;
}

/** Call when a run of the node has ended without an exception; otherwise n8n runs it again. */
export function recordRunEnd(context: IExecuteFunctions): void {
	const nodeContext = getNodeContext(context);
	// Operations without an idempotency key don't count.
	if (nodeContext.prospectorFirstRun === undefined) return;
	nodeContext.prospectorRunsEnded = relativeRunIndex(context, 0) + 1;
}
