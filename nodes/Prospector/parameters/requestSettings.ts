import type { INodeProperties } from 'n8n-workflow';
import { option } from './parameter';
import { integer, parseBoolean, seconds } from './parse';

const DEFAULT_MAX_WAIT = 300;
const MAX_MAX_WAIT = 31 * 24 * 3600;
const MAX_REQUEST_TIMEOUT = 3600;

const maxWaitOption: INodeProperties = {
	displayName: 'Max Wait',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_MAX_WAIT,
	description:
		'Maximum number of seconds to wait for the rate limit and to retry temporary refusals and lost connections. With 0, the request is sent once.',
};

/** Milliseconds after which no further attempt starts. */
const maxWait = option(seconds(0, MAX_MAX_WAIT), maxWaitOption);

/** Milliseconds after which an attempt ends. */
export const requestTimeout = option(seconds(1, MAX_REQUEST_TIMEOUT), {
	displayName: 'Request Timeout',
	name: 'requestTimeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_REQUEST_TIMEOUT },
	default: 60,
	description: 'Number of seconds after which a request is aborted, whatever has arrived by then',
});

/** Milliseconds to wait for a run at most; the same option as {@link maxWaitOption}, with another default. */
export const maxWaitForRun = option(seconds(1, MAX_MAX_WAIT), {
	...maxWaitOption,
	default: 3600,
	description: `How many seconds to wait for the run with Wait for Completion before giving up; the run itself goes on. Also how long each request may be held back and tried again, by default ${DEFAULT_MAX_WAIT} seconds.`,
});

/** Parameters of every operation. Milliseconds. */
export const requestSettings = { maxWait, requestTimeout };

/** Only for operations without side effects. */
export const maxConcurrentRequests = option(integer(1, 100), {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 5,
	description:
		"Maximum number of input items to process at the same time. Output keeps the input order. The first item's value applies to all items.",
});

export const saveRequestIdOption = option(parseBoolean, {
	displayName: 'Save Request ID',
	name: 'saveRequestId',
	type: 'boolean',
	default: true,
	description:
		"Whether to save the request ID as custom data of the execution, so that it can be found by it in n8n's list of executions",
});
