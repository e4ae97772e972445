// Decides which problems of a poll a person should see, and when. Called at the end of a poll; a pure function.
import { canResolveItself, RequestError } from '../api/failure/requestError';
import { UserError } from '../messages/userMessage';
import { HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';

/** What a failed execution can show. */
export interface Problem {
	/** Problems of one kind are reported once an hour. */
	kind: string;
	error: unknown;
	/** Whether a later poll catches up, and what this one was doing. */
	isFailure: boolean;
	taskName?: string;
}

/**
 * Decides what of a poll to report: at once what needs a person and what may never be emitted, after an hour what can
 * resolve itself. Pure.
 *
 * @param recent the kinds that were reported within the last hour
 * @param nowMs on n8n's clock
 */
export function decideReports(
	{ failures, losses }: Pick<PollOutcome, 'failures' | 'losses'>,
	recent: { has(kind: string): boolean },
	nowMs: number,
): Problem[] {
	const isDue = ({ error, sinceMs }: PollOutcome['failures'][number]) =>
		!canResolveItself(error) || Math.abs(nowMs - sinceMs) >= HOUR_MS;
	const problems: Problem[] = [
		...losses.map((loss) => ({ kind: loss.description, error: new UserError(loss), isFailure: false })),
		...failures
			.filter(isDue)
			.map(({ error, taskName }) => ({ kind: kindOf(error), error, isFailure: true, taskName })),
	];
	const byKind = new Map(problems.map((problem) => [problem.kind, problem] as const).reverse());
	return [...byKind.values()].filter(({ kind }) => !recent.has(kind));
}

function kindOf(error: unknown): string {
	if (!(error instanceof RequestError)) return (error as Error).message;
	const { failure } = error;
	return failure.kind === 'status' || failure.kind === 'intermediary'
		? `status ${failure.status}`
		: failure.kind;
}
