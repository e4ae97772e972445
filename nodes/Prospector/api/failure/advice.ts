import type { ApiRequest, StartedRun } from '../apiRequest';
import type { Failure, StatusFailure } from './failure';
import { isOutcomeUnknown } from './requestError';

/** What a person can do after a failure, as data. `messages/` has the sentences, and leaves out what does not fit. */
export type Advice =
	| { do: 'retry' }
	| { do: 'retrySafely'; isLater?: boolean }
	| { do: 'retryThenReport' }
	/** The outcome of a write is unknown. The Retry button is offered unless the execution was canceled. */
	| { do: 'repeatWithSameKey'; idempotencyKey: string; isUserKey: boolean; canRetry: boolean }
	| { do: 'changeKey' }
	/** A request with the same key may be in progress, or have taken effect. */
	| { do: 'resolveConflict'; what: 'run' | 'workflow' }
	| { do: 'continueRun'; run: StartedRun; canRetry: boolean }
	| { do: 'inspect'; what: 'workspace' | 'workflow' }
	| { do: 'enterApiKey' }
	| { do: 'requestPermission' }
	| {
			do: 'checkBaseUrl';
			reason: 'network' | 'certificate' | 'ssrfBlocked' | 'redirect' | 'notFound' | 'html' | 'body';
	  }
	| { do: 'pick'; what: 'workflow' | 'run' }
	| { do: 'readAgain' }
	| { do: 'checkValues'; of: 'body' | 'fields' }
	| { do: 'waitForLimit'; seconds?: number }
	| { do: 'raiseRetryFor'; throttledMs: number }
	| { do: 'raiseTimeout' }
	| { do: 'reducePageSize' }
	| { do: 'limitList' }
	| { do: 'raisePageSize' }
	| { do: 'removeStartCursor' }
	| { do: 'setCursorParameter' };

/** Returns what to do, most important first. */
export function adviceFor(failure: Failure, request: ApiRequest): Advice[] {
	const { startedRun } = request;
	const forCause = adviceForCause(failure, request);
	const remaining = forCause.filter(({ do: action }) => action !== 'retry');
	if (startedRun) {
		// The run is what counts now: it must be found again, and no second one started.
		const isPermission = failure.kind === 'status' && [401, 403].includes(failure.status);
		const canRetry = failure.kind !== 'canceled';
		return [...(isPermission ? remaining : []), { do: 'continueRun', run: startedRun, canRetry }];
	}
	if (!isEarlierOutcomeUnknown(failure, request)) return forCause;
	return [...afterUnknownOutcome(failure, request), ...remaining];
}

/** Whether an attempt before the last one may have been processed, and the advice for the last does not cover that. */
export function isEarlierOutcomeUnknown(failure: Failure, request: ApiRequest): boolean {
	if (!failure.outcomeUnknown || request.startedRun || request.endpoint.method === 'GET') return false;
	const isConflict = failure.kind === 'status' && failure.status === 409;
	return !isConflict && !isOutcomeUnknown(failure, request);
}

function afterUnknownOutcome(
	{ kind }: Failure,
	{ endpoint, idempotencyKey, isUserKey = false }: ApiRequest,
): Advice[] {
	if (endpoint.method === 'GET') return [{ do: 'retrySafely', isLater: kind === 'status' }];
	if (idempotencyKey !== undefined) {
		const canRetry = kind !== 'canceled';
		return [{ do: 'repeatWithSameKey', idempotencyKey, isUserKey, canRetry }];
	}
	return [{ do: 'inspect', what: endpoint.takesIdempotencyKey ? 'workspace' : 'workflow' }];
}

function adviceForCause(failure: Failure, request: ApiRequest): Advice[] {
	switch (failure.kind) {
		case 'status':
			return adviceForStatus(failure, request);
		case 'network':
			return failure.requestSent
				? afterUnknownOutcome(failure, request)
				: [{ do: 'checkBaseUrl', reason: 'network' }, { do: 'retry' }];
		case 'timeout':
			return [...afterUnknownOutcome(failure, request), { do: 'raiseTimeout' }];
		case 'truncatedResponse':
			return afterUnknownOutcome(failure, request);
		case 'certificate':
		case 'ssrfBlocked':
			return [{ do: 'checkBaseUrl', reason: failure.kind }];
		case 'tooLarge':
			return [{ do: 'reducePageSize' }, ...afterUnknownOutcome(failure, request)];
		case 'unexpectedResponse': {
			const isWrite = request.endpoint.method !== 'GET';
			return [
				{ do: 'checkBaseUrl', reason: 'body' },
				...(isWrite ? afterUnknownOutcome(failure, request) : []),
			];
		}
		case 'invalidPagination':
			if (failure.reason === 'cursorLoop') return [{ do: 'setCursorParameter' }];
			if (failure.reason === 'rejectedCursor') return [{ do: 'raisePageSize' }];
			if (failure.reason === 'rejectedStartCursor') return [{ do: 'removeStartCursor' }];
			return [{ do: failure.reason.startsWith('tooMany') ? 'limitList' : 'retryThenReport' }];
		case 'throttled':
			return [{ do: 'raiseRetryFor', throttledMs: failure.throttledMs ?? 0 }];
		case 'canceled':
			return failure.beforeSend ? [] : afterUnknownOutcome(failure, request);
	}
}

function adviceForStatus(failure: StatusFailure & Failure, request: ApiRequest): Advice[] {
	const { status, isHtml, retryAfter, throttledMs } = failure;
	const { ids = {}, idempotencyKey, isUserKey = false, body } = request;
	if (status === 401) return [{ do: 'enterApiKey' }, { do: 'retry' }];
	if (status === 403) return [{ do: 'requestPermission' }];
	if (status === 404) {
		if (ids.workflow_id === undefined && ids.run_id === undefined) {
			return [{ do: 'checkBaseUrl', reason: 'notFound' }];
		}
		const pick: Advice = { do: 'pick', what: ids.workflow_id === undefined ? 'run' : 'workflow' };
		return isHtml ? [pick, { do: 'checkBaseUrl', reason: 'html' }] : [pick];
	}
	if (status === 409) {
		if (idempotencyKey === undefined) return [{ do: 'readAgain' }, { do: 'retry' }];
		if (isUserKey && !failure.outcomeUnknown) return [{ do: 'changeKey' }];
		const what = request.endpoint.name === 'createWorkflow' ? 'workflow' : 'run';
		return [{ do: 'resolveConflict', what }];
	}
	if (status === 429) {
		return throttledMs === undefined
			? [{ do: 'waitForLimit', seconds: retryAfter }]
			: [{ do: 'raiseRetryFor', throttledMs }];
	}
	if (status >= 300 && status < 400 && status !== 304) return [{ do: 'checkBaseUrl', reason: 'redirect' }];
	if (status >= 500) return afterUnknownOutcome(failure, request);
	return [{ do: 'checkValues', of: body === undefined ? 'fields' : 'body' }, { do: 'retry' }];
}
