import type { ApiRequest, StartedRun } from '../transport/failure/failure';

/** What to do when it is not known whether the service did what it was asked. */
export function unknownOutcomeAdvice({ endpoint, idempotencyKey, startedRun }: ApiRequest): string {
	if (startedRun) return startedRunAdvice(startedRun);
	if (endpoint.method === 'GET') return 'Nothing was changed, so it is safe to retry';
	if (idempotencyKey !== undefined) {
		return `Retry it from the executions list, which sends the same idempotency key, so that nothing is done twice. ${repeatWithKeyAdvice(idempotencyKey)}`;
	}
	return endpoint.takesIdempotencyKey
		? 'It is not known whether the service did it, and no idempotency key was sent: look in the workspace before you retry'
		: 'It is not known whether the service did it: look at the Prospector workflow before you retry';
}

/** What to do when a run was started, and what came after did not go well. */
export function startedRunAdvice({ id, idempotencyKey }: StartedRun): string {
	const later = `The run goes on. Read it later with Run › Get and its results with Result › Get Many, ID '${id}'`;
	return idempotencyKey === undefined
		? `${later}. Do not retry this: no idempotency key was sent, so another run would be started`
		: `${later}. Or retry this from the executions list, which goes on with the same run. ${repeatWithKeyAdvice(idempotencyKey)}`;
}

/** For whoever cannot use n8n's own retry, which sends the same key by itself. */
export const repeatWithKeyAdvice = (idempotencyKey: string) =>
	`To repeat it in any other way, set 'Idempotency Key' under Options to '${idempotencyKey}'`;
