import type { StartedRun } from '../transport/request/apiRequest';
import { continueRun } from './adviceMessages';
import { formatDuration, joinSentences, type UserMessage } from './userMessage';

export interface LastStatus {
	runId: string;
	/** As the service spells it, or '' if it has none. */
	status: string;
	/** Request ID of the status check. */
	requestId: string;
	/** Set if this operation has started the run. */
	startedRun?: StartedRun;
}

/** Whether a retry of the execution starts another run. */
const isRestartedByRetry = (startedRun?: StartedRun): startedRun is StartedRun =>
	startedRun !== undefined && startedRun.idempotencyKey === undefined;

/** @param waitUpTo in milliseconds */
export function waitTimeoutMessage(
	{ runId, status, requestId, startedRun }: LastStatus,
	waitUpTo: number,
): UserMessage {
	const goOn = isRestartedByRetry(startedRun)
		? `${continueRun(startedRun)}. To wait longer, raise 'Wait Up To (Seconds)'`
		: "It goes on. Raise 'Wait Up To (Seconds)', or use Retry on this execution to keep waiting";
	return {
		message: `Run '${runId}' was still '${status}' after ${formatDuration(waitUpTo)} (request ${requestId})`,
		description: `${goOn}. If '${status}' means finished, add it to 'Finished Statuses' under Options`,
	};
}

/** The message for a run that shows no status. */
export function missingStatusMessage({ runId, requestId, startedRun }: LastStatus): UserMessage {
	const instead = startedRun
		? 'Next time, start it with Workflow › Run'
		: "Turn off 'Wait for Completion' to get the run itself";
	return {
		message: `Run '${runId}' shows no status, so its end cannot be seen (request ${requestId})`,
		description: `It goes on. Get its results later with Result › Get Many. ${instead}`,
	};
}

export function runFailedMessage({ runId, status, requestId, startedRun }: LastStatus): UserMessage {
	const another = startAnotherRun(startedRun);
	const results = 'Its results are at Result › Get Many';
	return {
		message: `Run '${runId}' ended as '${status}' (request ${requestId})`,
		description: joinSentences([
			...(isRestartedByRetry(startedRun) ? [results, another] : [another, results]),
			`If '${status}' is fine, add it to 'Finished Statuses' under Options`,
		]),
	};
}

function startAnotherRun(startedRun?: StartedRun): string {
	const retry = 'Retry only looks at this one again';
	if (startedRun === undefined) return `To start a new one, use Workflow › Run; ${retry}`;
	if (startedRun.idempotencyKey === undefined) return 'Retry starts a new one';
	return startedRun.isUserKey
		? `To start a new one, change 'Idempotency Key' under Options; ${retry}`
		: `To start a new one, execute the workflow from the start; ${retry}`;
}

export const waitCanceledMessage = (runId: string): UserMessage => ({
	message: `The execution was canceled while waiting for run '${runId}'`,
	description: `The run goes on. Get its results later with Run › Get, ID '${runId}'`,
});

/** The message for a started run whose ID is missing or invalid. */
export const unnamedRunMessage = (requestId: string): UserMessage => ({
	message: `The run was started, but the service gave no ID for it (request ${requestId})`,
	description: 'Find it with Run › Get Many',
});

/** Times in milliseconds. `nextCheck` is the time until the next check, undefined after the last one. */
export function progressLine(runId: string, status: string, elapsed: number, nextCheck?: number): string {
	const is = status === '' ? 'has no status' : `is '${status}'`;
	const next = nextCheck === undefined ? 'the wait is over' : `next check in ${formatDuration(nextCheck)}`;
	return `run '${runId}' ${is} after ${formatDuration(elapsed)}, ${next}`;
}

/** The message for a test of the trigger that finds nothing. */
export const nothingToShowMessage = (what: 'result' | 'run'): UserMessage => ({
	message: `There is no ${what} to show yet`,
	description: 'Start a run and test again, or activate the workflow: it needs no test',
});

/**
 * Returns the message for a test of the trigger that finds only runs with other statuses.
 *
 * @param runStatuses what the user entered; empty if Run Failed uses its built-in statuses
 * @param existing statuses of the runs; '' without one
 */
export function noRunWithStatusMessage(runStatuses: string[], existing: string[]): UserMessage {
	const quote = (words: string[]) => words.map((word) => (word === '' ? 'no status' : `'${word}'`));
	const shown = `Your runs show ${quote(existing).join(', ')}`;
	const hasStatus = existing.some((word) => word !== '');
	if (runStatuses.length > 0) {
		return {
			message: `No run has the status ${quote([...new Set(runStatuses)]).join(' or ')}`,
			description: joinSentences([shown, hasStatus && "Use such words in 'Run Statuses' under Options"]),
		};
	}
	return {
		message: 'No run has failed yet',
		description: joinSentences([
			shown,
			hasStatus && "If one of these means that a run has failed, enter it in 'Run Statuses' under Options",
		]),
	};
}
