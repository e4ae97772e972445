import type { UserMessage } from './userMessage';
import type { StartedRun } from '../transport/failure/failure';
import { startedRunAdvice } from './adviceMessages';

/** A run as its last look has shown it. */
export interface LastStatus {
	runId: string;
	/** As the service spells it, or '' where the run has none. */
	status: string;
	/** Of the look. */
	requestId: string;
	/** Where this operation has started the run itself. */
	startedRun?: StartedRun;
}

/**
 * The words for a run that had not ended in time.
 *
 * @param maxWait in milliseconds
 */
export function waitTimeoutMessage(
	{ runId, status, requestId, startedRun }: LastStatus,
	maxWait: number,
): UserMessage {
	const after = `after ${Math.round(maxWait / 1000)} s (request ${requestId})`;
	const goOn = startedRun
		? startedRunAdvice(startedRun)
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

/** The words for a run that ended in one of the Failed Statuses. */
export function runFailedMessage({ runId, status, requestId, startedRun }: LastStatus): UserMessage {
	const found = `What it found can still be read with Result › Get Many, ID '${runId}'`;
	const notBad = `If '${status}' is no bad end, take it out of 'Failed Statuses' under Options`;
	return {
		message: `Run '${runId}' ended as '${status}' (request ${requestId})`,
		description: `${found}. ${toStartAnother(startedRun)}. ${notBad}`,
	};
}

/** Nobody must wait for another end of the same run, nor start another without meaning to. */
function toStartAnother(startedRun?: StartedRun): string {
	if (startedRun === undefined) {
		return 'A retry looks at the same run again. To start another, use Workflow › Run';
	}
	return startedRun.idempotencyKey === undefined
		? 'A retry of this execution starts another run, since no idempotency key was sent'
		: "A retry of this execution looks at the same run again and starts no other. To start another, execute the n8n workflow anew, with another 'Idempotency Key' if you gave one";
}
