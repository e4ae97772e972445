// Decides which problems of a poll a person should see, and when. Called at the end of a poll; a pure function.
import { canResolveItself, RequestError } from '../api/failure/requestError';
import { catchUpNote } from '../messages/triggerMessages';
import { UserError } from '../messages/userMessage';
import { HOUR_MS } from '../utils';
import type { PollOutcome } from './poll';

/**
 * Decides what of a poll to report: at once what needs a person and what may never be emitted, after an hour what can
 * resolve itself. Pure.
 *
 * @param recent the kinds that were reported within the last hour
 * @param nowMs on n8n's clock
 * @returns one problem of each kind
 */
export function decideReports(
	{ failures, losses }: Pick<PollOutcome, 'failures' | 'losses'>,
	recent: { has(kind: string): boolean },
	nowMs: number,
) {
	const lasting = failures.filter(
		({ error, sinceMs }) => !canResolveItself(error) || nowMs - sinceMs >= HOUR_MS,
	);
	const problems = [
		// The message can name a run; the description is the same for all losses of a kind.
		...losses.map((loss) => ({ kind: loss.description, error: new UserError(loss), note: undefined })),
		...lasting.map(({ error, taskName }) => ({ kind: kindOf(error), error, note: catchUpNote(taskName) })),
	];
	const byKind = new Map(problems.map((problem) => [problem.kind, problem] as const));
	return [...byKind.values()].filter(({ kind }) => !recent.has(kind));
}

function kindOf(error: unknown): string {
	if (!(error instanceof RequestError)) return (error as Error).message;
	const { failure } = error;
	return failure.kind === 'status' || failure.kind === 'intermediary'
		? `status ${failure.status}`
		: failure.kind;
}
