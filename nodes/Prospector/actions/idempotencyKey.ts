import { missingKeysHint } from '../messages/hintMessages';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import type { ApiRequest } from '../api/apiRequest';
import { endpointPath } from '../api/endpoints';
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
	{ context, itemIndex, hints, call }: ItemContext,
	prevention: DuplicatePrevention,
	{ endpoint, ids }: ApiRequest,
): string | undefined {
	if (prevention.mode === 'off') return undefined;
	if (prevention.mode === 'key') {
		const { key } = prevention;
		hints.userKeys.set(key, (hints.userKeys.get(key) ?? 0) + 1);
		return key;
	}
	const node = context.getNode();
	const execution = call.executionId(itemIndex);
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
		call.ordinal(),
		itemIndex,
	]);
	return `n8n-${sha256Hex(identity).slice(0, 32)}`;
}
