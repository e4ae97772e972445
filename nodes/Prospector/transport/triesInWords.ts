import type { Call, Failure } from './failure';
import { isInDoubt } from './retryPolicy';
import { afterUnknownOutcome } from './unknownOutcome';

/** How much was done already, so that nobody retries by hand what was retried for minutes. */
export function afterTries({ tries, elapsed = 0 }: Failure): string {
	if (tries === undefined) return '';
	return `Tried ${tries} times in ${inWords(elapsed)}. `;
}

/** @param duration in milliseconds */
export function inWords(duration: number): string {
	const seconds = Math.ceil(duration / 1000);
	const minutes = Math.floor(seconds / 60);
	return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** The last try settles what happened to it, and not what happened to the ones before. */
export function doubtAfterTries(description: string, failure: Failure, call: Call): string {
	const { startedRun, endpoint } = call;
	if (!failure.inDoubt || startedRun || endpoint.method === 'GET' || isInDoubt(failure, call))
		return description;
	return `${description}. An earlier try may have been carried out. ${afterUnknownOutcome(call)}`;
}
