import { ApiError } from './errors';
import { digest } from './ids';
import type { SandboxSettings } from './settings';
import type { Clock } from './types';

interface FirstAnswer {
	text: string;
	requestId: string;
}

interface Remembered {
	payload: string;
	answer: FirstAnswer;
	at: number;
}

/** The answers to requests that carried an Idempotency-Key (contract 4 and 8). */
export class IdempotencyStore {
	private readonly entries = new Map<string, Remembered>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: SandboxSettings,
	) {}

	/**
	 * The first answer to the same request, or undefined when the key is new or forgotten.
	 * @throws ApiError 409 when the key came with another payload
	 */
	recall(key: string, keyId: string, payload: string): FirstAnswer | undefined {
		const entry = this.entries.get(this.slot(key, keyId));
		const ttl = this.settings.idempotencyTtlMs;
		if (!entry || (ttl !== null && this.clock() - entry.at >= ttl)) return undefined;
		if (entry.payload !== payload) {
			throw new ApiError(409, 'the Idempotency-Key was used with a different payload');
		}
		return entry.answer;
	}

	/** To be called in the same turn as the change itself: nothing may come between the two. */
	remember(key: string, keyId: string, payload: string, answer: FirstAnswer): void {
		this.entries.set(this.slot(key, keyId), { payload, answer, at: this.clock() });
	}

	private slot(key: string, keyId: string): string {
		return this.settings.idempotencyScope === 'key' ? `${keyId} ${key}` : key;
	}
}

/**
 * What "the same payload" compares: method, path and body. The contract does not define it; the order of
 * properties does not count here, as it does not in JSON.
 */
export function payloadOf(method: string, path: string, body: unknown): string {
	return digest(JSON.stringify([method, path, sorted(body)]), 64);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return entries.map(([name, inner]) => [name, sorted(inner)]);
}
