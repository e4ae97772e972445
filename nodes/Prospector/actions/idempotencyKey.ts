import type { IExecuteFunctions } from 'n8n-workflow';
import { HintCollector, missingKeysHint } from '../messages/hintMessages';
import type { KeyChoice } from '../parameters/idempotencyKey';
import type { ApiRequest } from '../transport/request/apiRequest';
import { endpointPath } from '../transport/request/endpoints';
import { sha256Hex } from '../utils';
import { relativeRunIndex, stableExecutionId } from './stableExecutionId';

/** What tells one intended write from every other, and is the same in each retry. */
export interface WriteIdentity {
	instanceId: string;
	/** The n8n workflow, not the Prospector workflow. */
	workflowId: string;
	/** Shared by an execution and all its retries. */
	execution: string;
	nodeId: string;
	operation: string;
	/** Path of the request. */
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
