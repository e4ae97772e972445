import type { SandboxSettings } from './settings';

/** A request that the API rejects. `reason` is for the journal; clients get the status's generic message. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		readonly reason: string,
	) {
		super(reason);
	}
}

/** A control request that is rejected. */
export class ControlError extends Error {
	constructor(
		readonly status: 400 | 403 | 404 | 413 | 415,
		message: string,
	) {
		super(message);
	}
}

// Generic on purpose: clients must not rely on messages or codes, which are not shown (contract, section 7).
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

/** Renders an error response. Settings choose its shape, which is not shown (contract, section 7). */
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
