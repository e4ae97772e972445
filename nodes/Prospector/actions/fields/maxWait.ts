import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { parseInteger } from './number';
import { readOption } from '../../parameters/readParameters';
import { valueOrThrow } from './unwrap';

const DEFAULT_SECONDS = 300;
const DEFAULT_SECONDS_FOR_RUN = 3600;
const MONTH = 31 * 24 * 3600;

export const maxWaitOption: INodeProperties = {
	displayName: 'Max Wait',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_SECONDS,
	description:
		'How many seconds a request may be held back by the rate limit and tried again after passing refusals and lost connections. With 0 it is tried once.',
};

/** The same option where it also limits the wait for a run. */
export const maxWaitForRunOption: INodeProperties = {
	...maxWaitOption,
	default: DEFAULT_SECONDS_FOR_RUN,
	description: `How many seconds to wait for the run with Wait for Completion before giving up; the run itself goes on. Also how long each request may be held back and tried again, by default ${DEFAULT_SECONDS} seconds.`,
};

/** @returns milliseconds after which no further try of a request begins */
export const readMaxWait = (context: IExecuteFunctions, itemIndex: number): number =>
	readSeconds(context, itemIndex, DEFAULT_SECONDS, 0);

/** @returns milliseconds after which a run is waited for no longer */
export const readMaxWaitForRun = (context: IExecuteFunctions, itemIndex: number): number =>
	readSeconds(context, itemIndex, DEFAULT_SECONDS_FOR_RUN, 1);

function readSeconds(context: IExecuteFunctions, itemIndex: number, otherwise: number, least: number) {
	const set = readOption(context, 'maxWait', itemIndex) ?? otherwise;
	return valueOrThrow(context, parseInteger(set, 'Max Wait', least, MONTH)) * 1000;
}
