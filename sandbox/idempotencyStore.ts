import { ApiError } from './errors';
import { digest } from './ids';

interface FirstResponse {
	text: string;
	requestId: string;
}

interface StoredRequest {
	payload: string;
	/** Absent if the first request was refused, and may be repeated. */
	response?: FirstResponse | ApiError;
}

/** Stores the responses to requests with an Idempotency-Key (contract, sections 4 and 8). */
export class IdempotencyStore {
	private readonly entries = new Map<string, StoredRequest>();

	/**
	 * Returns the first response to the same request, or undefined if the key is new, or can be used again.
	 * @throws ApiError 409 if the key was used with another payload; the first response if it was a refusal
	 */
	lookup(key: string, payload: string): FirstResponse | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		if (entry.payload !== payload) {
			throw new ApiError(409, 'the Idempotency-Key was used with a different payload');
		}
		if (entry.response instanceof ApiError) throw entry.response;
		return entry.response;
	}

	/** Call it synchronously after the change, so that no request comes between the two. */
	save(key: string, payload: string, response?: FirstResponse | ApiError): void {
		this.entries.set(key, { payload, response });
	}
}

/**
 * Identifies a payload by method, path and body. The contract does not define "the same payload"; property order is
 * ignored because it has no meaning in JSON.
 */
export function hashPayload(method: string, path: string, body: unknown): string {
	return digest(JSON.stringify([method, path, sortProperties(body)]), 64);
}

function sortProperties(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortProperties);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return entries.map(([name, inner]) => [name, sortProperties(inner)]);
}
