import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { checkWholeNumber } from './number';
import { readOption } from './readOption';
import { unwrap } from './unwrap';

const DEFAULT_SECONDS = 60;

export const requestTimeoutOption: INodeProperties = {
	displayName: 'Request Timeout',
	name: 'requestTimeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: DEFAULT_SECONDS,
	description: 'Number of seconds after which a request is aborted, whatever has arrived by then',
};

/** @returns milliseconds */
export function requestTimeout(context: IExecuteFunctions, itemIndex: number): number {
	const set = readOption(context, 'requestTimeout', itemIndex) ?? DEFAULT_SECONDS;
	return unwrap(context, checkWholeNumber(set, 'Request Timeout', 1, 3600)) * 1000;
}
