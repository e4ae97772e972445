import type { ApiRequest, Failure } from '../transport/failure/failure';
import { isOutcomeUnknown } from '../transport/retry/retryPolicy';
import { unknownOutcomeAdvice } from './adviceMessages';

/** How much was done already, so that nobody retries by hand what was retried for minutes. */
export function attemptsSummary({ attempts, elapsedMs = 0 }: Failure): string {
	if (attempts === undefined) return '';
	return `Tried ${attempts} times in ${formatDuration(Math.round(elapsedMs / 1000) * 1000)}. `;
}

/** @param duration in milliseconds */
export function formatDuration(duration: number): string {
	const seconds = Math.ceil(duration / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** The last try settles what happened to it, and not what happened to the ones before. */
export function addUnknownOutcomeAdvice(description: string, failure: Failure, call: ApiRequest): string {
	const { startedRun, endpoint } = call;
	const isConflict = failure.kind === 'status' && failure.status === 409;
	if (
		!failure.outcomeUnknown ||
		isConflict ||
		startedRun ||
		endpoint.method === 'GET' ||
		isOutcomeUnknown(failure, call)
	)
		return description;
	return `${description}. An earlier try may have been carried out. ${unknownOutcomeAdvice(call)}`;
}

/**
 * What to do when a request would have to wait too long for its turn.
 *
 * @param wait in milliseconds
 */
export function throttledAdvice(wait: number): string {
	return `Its turn would come in ${formatDuration(wait)} at the earliest, which is longer than 'Max Wait' under Options allows. Retry later, raise 'Max Wait', or let fewer executions use the same API key at a time`;
}
