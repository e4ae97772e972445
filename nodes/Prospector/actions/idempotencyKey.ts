import type { IExecuteFunctions } from 'n8n-workflow';
import { HintCollector, missingKeysHint } from '../messages/hintMessages';
import type { KeyChoice } from '../parameters/idempotencyKey';
import type { ApiRequest } from '../transport/request/apiRequest';
import { endpointPath } from '../transport/request/endpoints';
import { sha256Hex } from '../utils';

/** What tells one intended write from every other, and is the same in each retry. */
export interface WriteIdentity {
	instanceId: string;
	/** The n8n workflow, not the Prospector workflow. */
	workflowId: string;
	/** Shared by an execution and all its retries. */
	execution: string;
	nodeId: string;
	operation: string;
	path: string;
	/** Counted from the node's first run in this execution. */
	runIndex: number;
	itemIndex: number;
}

/**
 * Returns the same key for the same write, in every process (contract, section 4, rule 3). The payload is left out: a
 * retry with another payload must end in a 409.
 *
 * @returns `n8n-` and 32 hexadecimal digits, because n8n's message box is too narrow for more
 */
export function deriveIdempotencyKey(identity: WriteIdentity): string {
	const { instanceId, workflowId, execution, nodeId, operation, path, runIndex, itemIndex } = identity;
	// JSON keeps ["a","bc"] and ["ab","c"] apart.
	const json = JSON.stringify([
		instanceId,
		workflowId,
		execution,
		nodeId,
		operation,
		path,
		runIndex,
		itemIndex,
	]);
	return `n8n-${sha256Hex(json).slice(0, 32)}`;
}

/**
 * Returns the idempotency key for a write, and collects the hints about it. Call it once per write, before the first
 * attempt.
 *
 * @returns undefined if none is sent
 */
export function resolveIdempotencyKey(
	context: IExecuteFunctions,
	itemIndex: number,
	hints: HintCollector,
	choice: KeyChoice,
	operation: string,
	{ endpoint, ids }: ApiRequest,
): string | undefined {
	if (choice.mode === 'none') return undefined;
	if (choice.mode === 'custom') return choice.key;
	if (choice.isKeyIgnored) hints.ignoredKeys++;
	const node = context.getNode();
	const execution = stableExecutionId(context, itemIndex);
	if (execution === undefined) {
		if (hints.missingKeys++ === 0) context.logger.warn(`${node.name}: ${missingKeysHint(1)}`);
		return undefined;
	}
	return deriveIdempotencyKey({
		instanceId: context.getInstanceId(),
		workflowId: context.getWorkflow().id ?? '',
		execution,
		nodeId: node.id || node.name,
		operation,
		path: endpointPath(endpoint, ids),
		runIndex: relativeRunIndex(context, itemIndex),
		itemIndex,
	});
}

/** The node's context, which n8n passes from a failed execution to its retry. */
interface NodeContext {
	prospectorExecution?: string;
	/** The execution that `prospectorFirstRunIndex` belongs to. */
	prospectorRunsIn?: string;
	/** The run index of n8n that counts as 0. */
	prospectorFirstRunIndex?: number;
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
