import type { Call } from './failure';

/** What to do when it is not known whether the service did what it was asked. */
export function afterUnknownOutcome({ endpoint, idempotencyKey }: Call): string {
	if (endpoint.method === 'GET') return 'Nothing was changed, so it is safe to retry';
	if (idempotencyKey !== undefined) {
		return `Retry this execution: it sends the same idempotency key '${idempotencyKey}', so nothing is done twice`;
	}
	return endpoint.takesIdempotencyKey
		? 'It is not known whether the service did it, and no idempotency key was sent: look in the workspace before you retry'
		: 'It is not known whether the service did it: look at the Prospector workflow before you retry';
}
