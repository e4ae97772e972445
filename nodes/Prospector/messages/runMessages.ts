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

/** @param maxWait in milliseconds */
export function waitTimeoutMessage(
	{ runId, status, requestId, startedRun }: LastStatus,
	maxWait: number,
): UserMessage {
	const after = `after ${Math.round(maxWait / 1000)} s (request ${requestId})`;
	const goOn = startedRun
		? continueRun(startedRun)
		: `The run goes on. Look at it again later with Run › Get, ID '${runId}', or retry this, which waits for the same run`;
	if (status === '') {
		return {
			message: `Run '${runId}' had no status ${after}`,
			description: `${goOn}. Without a status it cannot be told when the run has finished: turn off 'Wait for Completion'`,
		};
	}
	return {
		message: `Run '${runId}' was still '${status}' ${after}`,
		description: `${goOn}. To wait longer, raise 'Max Wait' under Options. If '${status}' means that it has finished, add it to 'Finished Statuses' there, or to 'Failed Statuses' if it is a bad end`,
	};
}

export function runFailedMessage({ runId, status, requestId, startedRun }: LastStatus): UserMessage {
	return {
		message: `Run '${runId}' ended as '${status}' (request ${requestId})`,
		description: joinSentences([
			`What it found can still be read with Result › Get Many, ID '${runId}'`,
			startAnotherRun(startedRun),
			`If '${status}' is no bad end, take it out of 'Failed Statuses' under Options`,
		]),
	};
}

function startAnotherRun(startedRun?: StartedRun): string {
	if (startedRun === undefined) {
		return 'A retry looks at the same run again. To start another, use Workflow › Run';
	}
	return startedRun.idempotencyKey === undefined
		? 'A retry of this execution starts another run, since no idempotency key was sent'
		: "A retry of this execution looks at the same run again and starts no other. To start another, execute the n8n workflow anew, with another 'Idempotency Key' if you gave one";
}

export const waitCanceledMessage = (runId: string): UserMessage => ({
	message: `The execution was canceled while waiting for run '${runId}'`,
	description: 'The run itself goes on. Look at it with Run › Get',
});

/** The message for a run whose ID is missing or invalid. */
export const unnamedRunMessage = (requestId: string): UserMessage => ({
	message: `A run was started, but the service did not name it (request ${requestId})`,
	description: "It cannot be waited for. Turn off 'Wait for Completion' and look for it with Run › Get Many",
});

/** Times in milliseconds. `nextCheck` is the time until the next check, undefined after the last one. */
export function progressLine(runId: string, status: string, elapsed: number, nextCheck?: number): string {
	const is = status === '' ? 'has no status' : `is '${status}'`;
	const next = nextCheck === undefined ? 'the wait is over' : `next look in ${formatDuration(nextCheck)}`;
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
 * @param existing statuses of the runs
 */
export function noRunWithStatusMessage(runStatuses: string[], existing: string[]): UserMessage {
	const quote = (words: string[]) => words.map((word) => `'${word}'`);
	const shown = `Your runs show ${quote(existing).join(', ')}`;
	if (runStatuses.length > 0) {
		return {
			message: `No run has the status ${quote([...new Set(runStatuses)]).join(' or ')}`,
			description: `${shown}. Use such words in 'Run Statuses' under Options`,
		};
	}
	return {
		message: 'No run has failed yet',
		description: `${shown}. If one of these means that a run has failed, enter it in 'Run Statuses' under Options`,
	};
}
