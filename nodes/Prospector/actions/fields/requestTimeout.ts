import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { parseInteger } from './number';
import { readOption } from '../../parameters/readParameters';
import { valueOrThrow } from './unwrap';

/** Seconds. */
export const DEFAULT_REQUEST_TIMEOUT = 60;
export const MAX_REQUEST_TIMEOUT = 3600;

export const requestTimeoutOption: INodeProperties = {
	displayName: 'Request Timeout',
	name: 'requestTimeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_REQUEST_TIMEOUT },
	default: DEFAULT_REQUEST_TIMEOUT,
	description: 'Number of seconds after which a request is aborted, whatever has arrived by then',
};

/** @returns milliseconds */
export function requestTimeout(context: IExecuteFunctions, itemIndex: number): number {
	const set = readOption(context, 'requestTimeout', itemIndex) ?? DEFAULT_REQUEST_TIMEOUT;
	return valueOrThrow(context, parseInteger(set, 'Request Timeout', 1, MAX_REQUEST_TIMEOUT)) * 1000;
}
