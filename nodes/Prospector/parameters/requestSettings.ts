import { option } from './parameter';
import { integer, seconds } from './parse';

export const MAX_WAIT_SECONDS = 31 * 24 * 3600;

/** Milliseconds after which no further attempt of a request starts. */
const retryFor = option(seconds(0, MAX_WAIT_SECONDS), {
	displayName: 'Retry For (Seconds)',
	name: 'retryFor',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description: 'How long failed and rate-limited requests are tried again. Enter 0 to try once.',
});

/** Parameters of every operation. */
export const requestSettings = { retryFor };

/** Only for operations without side effects. The first item's value applies to all items. */
export const maxConcurrentRequests = option(integer(1, 100), {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 5,
	description: 'Items processed in parallel. Output order is kept.',
});
