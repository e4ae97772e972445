// Messages about runs and other resources that are not as requested. Called by operations, and by the trigger's test.
import type { AwaitedRun } from '../api/failure/requestError';
import { continueRunAdvice, resultsLaterAdvice, awaitedRunAdvice } from './advice';
import {
	type Caller,
	type CallerMessage,
	formatDuration,
	joinSentences,
	quote,
	type UserMessage,
} from './userMessage';

interface StatusCheck extends AwaitedRun {
	/** As the service spells it, or '' if it has none. */
	status: string;
	/** Request ID of the status check. */
	requestId: string;
}

/** Statuses that can hardly mean that a run has finished. */
const UNFINISHED_STATUS = /^(?:active|in[ _-]?progress|pending|processing|queued|running|started|waiting)$/i;

export function waitTimeoutMessage(statusCheck: StatusCheck, waitUpToMs: number): CallerMessage {
	const { runId, status, requestId } = statusCheck;
	const isOpen = UNFINISHED_STATUS.test(status);
	const statusClause = status === '' ? 'showed no status' : `was still ${quote(status)}`;
	const runStatusAdvice = `If ${quote(status)} means finished, add it to 'Finished Statuses' under Options`;
	return {
		message: `Run '${runId}' ${statusClause} after ${formatDuration(waitUpToMs)} (request ${requestId})`,
		description: (caller) =>
			joinSentences([
				!isOpen && status !== '' && runStatusAdvice,
				`${awaitedRunAdvice(statusCheck, caller, isOpen)}. To wait longer, raise 'Wait Up To (Seconds)'`,
			]),
	};
}

export const runFailedMessage = (statusCheck: StatusCheck): CallerMessage => ({
	message: `Run '${statusCheck.runId}' ended as ${quote(statusCheck.status)} (request ${statusCheck.requestId})`,
	description(caller) {
		const { status, start } = statusCheck;
		const retryStartsRun = start !== undefined && start.idempotencyKey === undefined;
		return joinSentences([
			`To start a new run, ${restartAdvice(statusCheck, caller)}`,
			caller === 'node' && `Retry ${retryStartsRun ? 'starts one, too' : 'only checks this one again'}`,
			'Get its results with Result › Get Many',
			`If ${quote(status)} is fine, add it to 'Finished Statuses' under Options`,
		]);
	},
});

/** Completes "To start a new run, …". */
function restartAdvice({ start, runIdArgumentName }: AwaitedRun, caller: Caller): string {
	if (start?.isUserKey) return "change 'Idempotency Key' under Options";
	if (runIdArgumentName !== undefined) return `call this tool again without ${runIdArgumentName}`;
	if (start === undefined) return 'use Workflow › Run';
	return caller === 'tool' ? 'call this tool again' : 'execute the n8n workflow from the start';
}

/** Tells a model how to get what a run will return. @param outcome of the run */
export function noResultsYetNote(run: AwaitedRun, status: string, outcome: string): string {
	const { runId, runIdArgumentName, expectedWorkflowId } = run;
	const resultsClause = outcome === 'open' ? '' : ", but its results can't be read yet";
	const state = `Run '${runId}' ${status === '' ? 'shows no status' : `is ${quote(status)}`}${resultsClause}`;
	let advice = 'To wait for it again, call this tool again with the same ID';
	if (runIdArgumentName !== undefined) advice = continueRunAdvice(runId, runIdArgumentName);
	else if (expectedWorkflowId !== undefined)
		advice = `To get its results, call a tool that gets a run or many results, with ID '${runId}'. Do not call this tool again, as that starts another run`;
	return `${state}. ${advice}.`;
}

export const waitCanceledMessage = (runId: string): UserMessage => ({
	message: `The execution was canceled while waiting for run '${runId}'`,
	description: `The run continues. ${resultsLaterAdvice(runId)}`,
});

export const missingIdMessage = (resourceKind: 'run' | 'workflow', requestId: string): UserMessage => ({
	message: `${resourceKind === 'run' ? 'The run was started' : 'The Prospector workflow was created'}, but the service returned no ID (request ${requestId})`,
	description: `Find it with ${resourceKind === 'run' ? 'Run' : 'Workflow'} › Get Many`,
});

/** @param receivedId of the Prospector workflow to which the run belongs */
export function wrongWorkflowMessage(
	{ runId, expectedWorkflowId, start }: AwaitedRun,
	receivedId: string,
	requestId: string,
): UserMessage {
	// The user or a model has named the run.
	if (start === undefined)
		return {
			message: `Run '${runId}' belongs to Prospector workflow ${quote(receivedId)}, not to '${expectedWorkflowId}' (request ${requestId})`,
			description: `Call this tool again with Prospector workflow ${quote(receivedId)}`,
		};
	const lookAdvice = `Before you start another run, look for a run of '${expectedWorkflowId}' with Run › Get Many`;
	return {
		message: `The service returned run '${runId}' of Prospector workflow ${quote(receivedId)} instead of a run of '${expectedWorkflowId}' (request ${requestId})`,
		description: start.isUserKey
			? `The idempotency key may be in use for ${quote(receivedId)}. Include the Prospector workflow in it. ${lookAdvice}`
			: `${lookAdvice}. Send the request ID to the service's support`,
	};
}

export function unexpectedResourceMessage(
	resourceKind: 'run' | 'workflow',
	receivedId: string,
	expectedId: string,
	requestId: string,
): UserMessage {
	const noun = resourceKind === 'run' ? 'run' : 'Prospector workflow';
	return {
		message: `The service returned ${noun} ${quote(receivedId)} instead of '${expectedId}' (request ${requestId})`,
		description: `Check both in the workspace, and send the request ID to the service's support`,
	};
}

/** The message for a test of the trigger that finds nothing in what it reads. */
export const nothingToShowMessage = (resourceKind: 'result' | 'run'): UserMessage => ({
	message: `No ${resourceKind} was found to show`,
	description:
		'A test reads only the beginning of a few lists. Start a run and test again, or activate (publish) the n8n workflow: it needs no test',
});

/** The message for a test of the trigger that finds only runs with other statuses; '' is no status. @param outcome such as `failed` */
export function noRunWithStatusMessage(
	wantedStatuses: string[],
	foundStatuses: string[],
	outcome: string,
): UserMessage {
	const quoteAll = (statuses: string[]) =>
		[...new Set(statuses)].map((status) => (status === '' ? 'no status' : quote(status)));
	const condition =
		wantedStatuses.length > 0
			? `with the status ${quoteAll(wantedStatuses).join(' or ')}`
			: `that has ${outcome}`;
	return {
		message: `No run ${condition} was found`,
		description: `The runs that were found show ${quoteAll(foundStatuses).join(', ')}. To get runs with another status, enter it in 'Run Statuses' under Options. You can activate (publish) the n8n workflow without a test`,
	};
}
