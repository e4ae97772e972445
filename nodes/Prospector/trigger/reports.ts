// Decides which failures of a poll a person should see, and when. Called at the end of a poll; a pure function.
import { canResolveItself, RequestError } from '../api/failure/requestError';
import { UserError } from '../messages/userMessage';
import { HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';
import type { PollFailure } from './pollContext';

/**
 * Reports at once what needs a person, and what can resolve itself once anything has failed for an hour: each poll may
 * try something else.
 *
 * @param recent the kinds that were reported within the last hour
 * @param nowMs on n8n's clock
 * @returns one failure of each kind
 */
export function decideReports(
	{ failures, failingSinceMs }: Pick<PollOutcome, 'failures' | 'failingSinceMs'>,
	recent: { has(kind: string): boolean },
	nowMs: number,
): Array<[kind: string, failure: PollFailure]> {
	const isAnyLasting = nowMs - failingSinceMs >= HOUR_MS;
	const canBeSeen = ({ error, isSuppressed }: PollFailure) =>
		!isSuppressed && (!canResolveItself(error) || isAnyLasting);
	const byKind = new Map(failures.filter(canBeSeen).map((failure) => [kindOf(failure.error), failure]));
	return [...byKind].filter(([kind]) => !recent.has(kind));
}

function kindOf(error: unknown): string {
	// By the description, because the message can name a run.
	if (error instanceof UserError) return error.messageFor('poll').description;
	if (!(error instanceof RequestError)) return (error as Error).message;
	const { failure } = error;
	return failure.kind === 'status' || failure.kind === 'intermediary'
		? `status ${failure.status}`
		: failure.kind;
}
