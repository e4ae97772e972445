import type { ApiRequest, Failure } from '../../nodes/Prospector/transport/failure/failure';
import { built } from './built';

const { describeFailure: explain } = built<typeof import('../../nodes/Prospector/messages/failureMessages')>(
	'nodes/Prospector/messages/failureMessages.js',
);
const { endpoints } = built<typeof import('../../nodes/Prospector/transport/request/endpoints')>(
	'nodes/Prospector/transport/request/endpoints.js',
);

/** What the campaign's faults, its rate limit and its interruptions can lead to. A 401, a 404 or a 409 is not among it. */
const FAILURES: Record<string, Failure> = {
	...Object.fromEntries(
		[429, 500, 502, 503, 504].map((status) => [`status ${status}`, { kind: 'status', status } as const]),
	),
	redirect: { kind: 'status', status: 302, location: 'https://elsewhere.example' },
	'connection ended': { kind: 'network', code: 'ECONNRESET', requestSent: true },
	'not reached': { kind: 'network', code: 'ECONNREFUSED', requestSent: false },
	timeout: { kind: 'timeout' },
	'cut off': { kind: 'truncatedResponse', code: 'ECONNRESET' },
	'web page': { kind: 'unexpectedResponse', received: 'a web page' },
	'no envelope': { kind: 'unexpectedResponse', received: "JSON without 'data' that is an object" },
};

/** What was asked makes no difference to these messages: see "after run" below for the one exception. */
const CALL: ApiRequest = { endpoint: endpoints.createWorkflow, body: {}, idempotencyKey: 'key' };

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const REQUEST = '(?: \\(request req_[0-9a-f]+\\))?';
const ITEM = '(?: \\[Item \\d+\\])?';

const BEGINNINGS: Array<[name: string, pattern: string]> = [
	...Object.entries(FAILURES).map(([name, failure]): [string, string] => {
		// A request that was held back is told of with the same beginning.
		const rest = name === 'status 429' ? '[^([]*' : '';
		const pattern = `${escaped(explain(failure, CALL).message)}${rest}`;
		return [name, `${pattern}(?:, after run 'run_[0-9a-f]+' had been started)?${REQUEST}`];
	}),
	['run not finished', `Run 'run_[0-9a-f]+' was still '\\w+' after \\d+ s${REQUEST}`],
	// While a request was under way, or waited to be sent, or while the node waited for a run.
	['stopped', "The execution was canceled while [\\w' ]+"],
	// n8n's own, where it stopped before or after a node.
	['stopped by n8n', 'The execution was cancelled manually'],
];

/** Under Continue, the advice follows in the same text. */
const KNOWN = BEGINNINGS.map(([name, pattern]): [string, RegExp] => [
	name,
	new RegExp(`^${pattern}${ITEM}(?:\\. [A-Z].*\\.)?$`),
]);

/**
 * Finds a message in the table of those that may come.
 *
 * @param message of an execution, of a node, or of an item that failed
 * @returns what it is about, or undefined for one that nobody has written
 */
export const messageName = (message: string): string | undefined =>
	KNOWN.find(([, pattern]) => pattern.test(message))?.[0];

/** The key by which an operation is to be repeated, where its message says so. */
export const keyIn = (message: string): string | undefined =>
	/'Idempotency Key' under Options to '([^']+)'/.exec(message)?.[1];

/** Whether it is said that requests come too fast, so that a person waits before the next try. */
export const isTooFast = (message: string) => messageName(message) === 'status 429';
