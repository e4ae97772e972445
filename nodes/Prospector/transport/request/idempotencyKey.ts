import type { Validated } from '../../messages/userMessage';
import { sha256Hex } from '../digest';

/** What makes one intended write different from every other, and is the same in each retry of it. */
export interface WriteIdentity {
	instanceId: string;
	/** The n8n workflow, not the Prospector workflow. */
	workflowId: string;
	/** What an execution and all its retries have in common. */
	execution: string;
	nodeId: string;
	operation: string;
	/** The path that is posted to. */
	path: string;
	/** Counted from the first run of the node in this execution. */
	runIndex: number;
	itemIndex: number;
}

/**
 * The key of one write: the same for the same identity, in every process and on every machine (contract, section 4,
 * rule 3). The payload is left out on purpose: a retry that would write something else must end in a 409.
 *
 * @returns `n8n-` and 32 hexadecimal digits: a longer one does not fit into the box where n8n shows a refusal
 */
export function deriveIdempotencyKey(identity: WriteIdentity): string {
	const { instanceId, workflowId, execution, nodeId, operation, path, runIndex, itemIndex } = identity;
	// JSON keeps the parts apart: ["a","bc"] and ["ab","c"] must not meet.
	return `n8n-${sha256Hex(JSON.stringify([instanceId, workflowId, execution, nodeId, operation, path, runIndex, itemIndex])).slice(0, 32)}`;
}

/**
 * Checks a key that a person made up. The contract gives no format; what fits into a header everywhere is accepted.
 *
 * @param key the text, from an expression as a rule
 */
export function checkIdempotencyKey(key: unknown): Validated<string> {
	const advice = "Give 'Idempotency Key' 1 to 255 printable ASCII characters, e.g. {{ $today.toISODate() }}";
	const text = typeof key === 'number' && Number.isFinite(key) ? String(key) : key;
	if (typeof text !== 'string') {
		return { message: "'Idempotency Key' is not text", description: advice };
	}
	const trimmed = text.trim();
	if (trimmed === '') {
		return {
			message: "'Idempotency Key' is empty",
			description: `${advice}, or set 'Idempotency Key Mode' to Automatic`,
		};
	}
	if (trimmed.length > 255) {
		return {
			message: `'Idempotency Key' has ${trimmed.length} characters, which is too long`,
			description: advice,
		};
	}
	if (trimmed.includes('[object ')) {
		return {
			message: "'Idempotency Key' got an object, which would give every item the same key",
			description: advice,
		};
	}
	if (!/^[\x20-\x7e]+$/.test(trimmed)) {
		return {
			message: "'Idempotency Key' holds line breaks or characters outside ASCII",
			description: advice,
		};
	}
	return { value: trimmed };
}
