/**
 * Every message that the campaign's faults, its rate limit and its interruptions can cause, by name. Written out, so
 * that a text with a missing value or for another cause, such as a 401 or 409, is unknown.
 */
const MESSAGES: Record<string, string> = {
	...Object.fromEntries(
		[500, 502, 503, 504].map((status) => [
			`status ${status}`,
			`The service had trouble with the request: status ${status}`,
		]),
	),
	'status 429': "The API key's requests for this minute are used up(, so this one was not sent)?",
	redirect:
		"'Base URL' of the credential leads to a redirect to https://elsewhere\\.example, which is not followed",
	'connection ended': 'The connection ended before the service answered',
	'not reached': 'The service could not be reached',
	timeout: 'The service did not answer in time',
	'cut off': "The service's answer broke off half-way",
	'web page': 'The address answered with a web page instead of Prospector data',
	'no envelope': "The address answered with JSON without 'data' that is an object instead of Prospector data",
	'run not finished': "Run 'run_[0-9a-f]+' was still '\\w+' after \\d+ s",
	stopped: "The execution was canceled while [\\w' ]+",
	// n8n's own message if it stops before or after a node.
	'stopped by n8n': 'The execution was cancelled manually',
};

/** The rest of a message, then the description: under Continue, an item's text holds both. */
const REST =
	"(, after run 'run_[0-9a-f]+' had been started)?( \\(request req_[0-9a-f]+\\))?( \\[Item \\d+\\])?(\\. [A-Z].*\\.)?";

const PATTERNS = Object.entries(MESSAGES).map(
	([name, message]) => [name, new RegExp(`^${message}${REST}$`)] as const,
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
	/'Idempotency Key' under Options to '([^']+)'/.exec(message)?.[1];

export const isRateLimited = (message: string) => messageName(message) === 'status 429';
