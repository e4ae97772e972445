/**
 * Every message that the campaign's faults, its rate limit and its interruptions can cause, by name. Written out, so
 * that a text with a missing value or for another cause, such as a 401 or 409, is unknown.
 */
const MESSAGES: Record<string, string> = {
	...Object.fromEntries(
		[500, 502, 503, 504].map((status) => [`status ${status}`, `The service answered with status ${status}`]),
	),
	'status 429': 'The API key has reached its limit of requests per minute(, so this request was not sent)?',
	redirect: "'Base URL' redirects to https://elsewhere\\.example",
	'connection broke': 'The connection was lost before the response arrived \\([A-Z_]+\\)',
	'not reached': 'The service could not be reached',
	timeout: 'The service did not answer (in time|within \\d+ s)',
	'web page': "'Base URL' answered with a web page, not with Prospector data",
	'no envelope':
		"'Base URL' answered with JSON whose 'data' is not (an object|a list of objects), not with Prospector data",
	'run not finished': "Run 'run_[0-9a-f]+' was still '\\w+' after \\d+ s",
	stopped: "The execution was canceled (before the request was sent|while [\\w' ]+)",
	// n8n's own message if it stops before or after a node.
	'stopped by n8n': 'The execution was cancelled manually',
};

/** The rest of a message, then the description: under Continue, an item's text holds both. */
const REST = '( \\(request req_[0-9a-f]+\\))?( \\[Item \\d+\\])?(\\. [A-Z].*\\.)?';

/** The same message after the start of a run. */
const afterStart = (message: string) =>
	`Run 'run_[0-9a-f]+' was started, but then: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;

const PATTERNS = Object.entries(MESSAGES).map(
	([name, message]) => [name, new RegExp(`^(${message}|${afterStart(message)})${REST}$`)] as const,
);

/**
 * Returns the name of a known message, or undefined.
 *
 * @param message of an execution, a node or an item that failed
 */
export const messageName = (message: string): string | undefined =>
	PATTERNS.find(([, pattern]) => pattern.test(message))?.[0];

/** Returns the idempotency key that the message names for repeating the operation. */
export const keyIn = (message: string): string | undefined =>
	/'Idempotency Key' to '([^']+)'/.exec(message)?.[1];

export const isRateLimited = (message: string) => messageName(message) === 'status 429';
