// Advice that several messages share. Called by whatever makes messages; advice is sentences without a full stop at
// the end. Tests: test/unit/messages/failureMessages.test.ts.
import { isOutcomeUnknown, isStatus } from '../api/failure/evidence';
import type { AwaitedRun, FailedRequest } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { lowerFirst, MINUTE_MS } from '../utils';
import { type Caller, formatWait } from './userMessage';

/** A failed request, and who sent it. */
export interface FailureReport extends FailedRequest {
	caller: Caller;
	/** Of the n8n workflow. */
	timeZone?: string;
}

/** What happened, and the sentences of the description, without full stops; empty ones are left out. */
export type MessageParts = [message: string, ...description: string[]];

/** Whether an attempt of a write may have been processed. False after a conflict, because its own advice says so. */
export function mayHaveTakenEffect({ failure, request }: FailedRequest): boolean {
	if (isStatus(failure, 409)) return false;
	return failure.hasUnknownEarlierAttempt === true || isOutcomeUnknown(failure, request);
}

export const RETRY_ADVICE = 'Open Executions and press Retry (↪)';

/** Tells a model how to get the results of a run. @param runIdArgumentName such as `Run_ID` */
export const continueRunAdvice = (runId: string, runIdArgumentName: string) =>
	`To get its results, call this tool again with ${runIdArgumentName} '${runId}': no other run is started`;

export const resultsLaterAdvice = (runId: string) =>
	`Get its results later with Result › Get Many, run ID '${runId}'`;

/** Says what happens to a run, and how to get its results. @param isOpen whether its status is an open one */
export function awaitedRunAdvice(run: AwaitedRun, caller: Caller, isOpen = false): string {
	const { runId, start, hasFinished, runIdArgumentName } = run;
	let state = isOpen ? 'The run continues' : 'The run may still be going';
	if (hasFinished) state = 'The run has finished';
	if (runIdArgumentName !== undefined) return `${state}. ${continueRunAdvice(runId, runIdArgumentName)}`;
	const laterAdvice = resultsLaterAdvice(runId);
	const hasKey = start?.idempotencyKey !== undefined && (caller !== 'tool' || start.isUserKey);
	if (start !== undefined && !hasKey)
		return `${state}. Do not retry, as that starts another one. ${laterAdvice}`;
	const retryAdvice = `${RETRY_ADVICE}: no second run is started. Or ${lowerFirst(laterAdvice)}`;
	return `${state}. ${caller === 'node' ? retryAdvice : laterAdvice}`;
}

/** Says where to find an ID. @param suffix of "Pick one from the list", for a person */
export const adviceToFindId = (noun: string, caller: Caller, suffix: string) =>
	caller === 'tool'
		? `Call a tool that gets many ${noun}s to list the IDs, then use one of them`
		: `Pick one from the list${suffix}`;

/** For a person whose list, or form of fields, the editor can't show. */
export const ENTER_BY_HAND = 'Enter the ID by hand, or the fields as JSON';

/** Flaw and advice for a field with an expression as text. */
export const UNEVALUATED_EXPRESSION = [
	'has an expression that n8n does not evaluate',
	'Switch the field from Fixed to Expression. In JSON, begin it with =, e.g. ={{ $json.id }}',
] as const;

export const CHECK_BASE_URL = "Check 'Base URL' in the credential";

const FEWER_EXECUTIONS = 'Run fewer executions with this API key at the same time';

/** Nobody waits longer than this in an execution. */
const MAX_ADVISED_WAIT_MS = 10 * MINUTE_MS;

/** Says how to let a request of the node wait longer. A status check is tried until the end of the wait for its run. */
function waitLongerAdvice({ failure, request }: FailureReport): string {
	if (request.deadlineMs !== undefined) return "Raise 'Wait Up To (Seconds)'";
	const { elapsedMs = 0, retryAfterMs = 0 } = failure;
	const neededSeconds = Math.ceil((elapsedMs + retryAfterMs) / 1000);
	return `Set 'Retry For (Seconds)' under Options to more than ${neededSeconds}`;
}

/** Says when the next request can be sent, and what to do until then. */
export function rateLimitAdvice(report: FailureReport): string {
	const { failure, caller, timeZone } = report;
	const { retryAfterMs, retryAtMs } = failure;
	const isAboutLimit = failure.kind === 'throttled' || isStatus(failure, 429);
	// The next poll catches up.
	if (caller === 'poll') return isAboutLimit ? FEWER_EXECUTIONS : '';
	const when = retryAfterMs ? formatWait(retryAfterMs, retryAtMs, timeZone) : 'in a minute';
	const otherAdvice = isAboutLimit && caller !== 'tool' ? `, or ${lowerFirst(FEWER_EXECUTIONS)}` : '';
	// Only someone who uses the node can change its option 'Retry For (Seconds)'.
	const isNode = caller === 'node' || caller === 'nodeWithoutRetry';
	if (!isNode || !retryAfterMs) return `Try again ${when}${otherAdvice}`;
	const nextRequest = `The next request can be sent ${when}`;
	if (retryAfterMs <= MAX_ADVISED_WAIT_MS) return `${nextRequest}. ${waitLongerAdvice(report)}${otherAdvice}`;
	return `${nextRequest}. ${caller === 'node' ? RETRY_ADVICE : 'Run it again'} then`;
}

const NEW_RESOURCES = {
	run: { noun: 'run', verb: 'started', listOperation: 'Run › Get Many' },
	workflow: { noun: 'Prospector workflow', verb: 'created', listOperation: 'Workflow › Get Many' },
};

/** What a request with an idempotency key makes, and where a person finds it. */
export function describeNewResource({ endpoint: { creates = 'workflow' } }: ApiRequest) {
	const { noun, verb, listOperation } = NEW_RESOURCES[creates];
	return { noun, verb, listOperation, effect: `The ${noun} may have been ${verb}` };
}

/** Returns the advice for a read that may succeed later; '' for a write, and for a poll, which is repeated anyway. */
export function readAgainAdvice({ failure, request, caller }: FailureReport): string {
	if (request.endpoint.method !== 'GET' || caller === 'poll') return '';
	// Someone who tests a credential or opens a list expects no change.
	const effect = caller === 'credentialTest' || caller === 'editor' ? '' : 'Nothing was changed. ';
	if (['status', 'intermediary'].includes(failure.kind)) return `${effect}Try again in a few minutes`;
	// The advice about TLS names 'Base URL' itself.
	const isTls = failure.kind === 'noResponse' && failure.cause === 'tls';
	const baseUrlAdvice = `. If this continues, ${lowerFirst(CHECK_BASE_URL)}`;
	return `${effect}Try again${caller === 'credentialTest' && !isTls ? baseUrlAdvice : ''}`;
}

/** Says what a write may have done, and how to repeat it; '' if it can't have done anything. */
export function unknownOutcomeAdvice(report: FailureReport): string {
	if (!mayHaveTakenEffect(report)) return '';
	const { failure, request, isUserKey, caller } = report;
	const { endpoint, idempotencyKey } = request;
	if (endpoint.check !== undefined)
		return `The change may have taken effect. ${endpoint.check} before you try again`;
	const { noun, verb, listOperation, effect } = describeNewResource(request);
	if (idempotencyKey === undefined || (caller === 'tool' && !isUserKey)) {
		return `${effect}. Before you try again, look for it with ${listOperation}`;
	}
	const repeatAdvice = isUserKey
		? "use the same 'Idempotency Key'"
		: `set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${idempotencyKey}'`;
	if (failure.kind === 'canceled' || caller !== 'node')
		return `${effect}. To repeat it safely, ${repeatAdvice}`;
	const otherWayAdvice = isUserKey
		? `To repeat it elsewhere, ${repeatAdvice}`
		: `Execute step would ${verb === 'started' ? 'start' : 'create'} another ${noun}`;
	return `${effect}. ${RETRY_ADVICE}: no second ${noun} is ${verb}. ${otherWayAdvice}`;
}
