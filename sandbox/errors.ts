import type { SandboxSettings } from './settings';

/** A refusal by the API. `reason` is for the journal: clients get the generic message of the status. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		readonly reason: string,
	) {
		super(reason);
	}
}

/** A bad call of the control API. */
export class ControlError extends Error {
	constructor(
		readonly status: 400 | 403 | 404 | 413 | 415,
		message: string,
	) {
		super(message);
	}
}

// Deliberately says nothing a client could lean on: the contract shows neither messages nor codes (section 7).
const MESSAGES: Record<number, string> = {
	400: 'Bad request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not found',
	409: 'Conflict',
	429: 'Too many requests',
	500: 'Internal server error',
	502: 'Bad gateway',
	503: 'Service unavailable',
	504: 'Gateway timeout',
};

export interface RenderedError {
	text: string;
	headers: Record<string, string>;
}

/**
 * The body and headers of an error answer. Their shape is not shown (contract 7), so settings choose it.
 */
export function renderError(status: number, requestId: string, settings: SandboxSettings): RenderedError {
	const message = MESSAGES[status] ?? 'Error';
	const headers: Record<string, string> =
		settings.errorRequestId === 'header' ? { 'x-request-id': requestId } : {};
	if (settings.errorBody === 'empty') return { text: '', headers };
	if (settings.errorBody === 'text') {
		return { text: message, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } };
	}
	const body = {
		error: { message },
		...(settings.errorRequestId === 'body' ? { request_id: requestId } : {}),
	};
	return { text: JSON.stringify(body), headers: { ...headers, 'content-type': JSON_TYPE } };
}

export const JSON_TYPE = 'application/json; charset=utf-8';
