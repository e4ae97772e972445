import type { Failure } from './failure';

const STATUSES = [429, 500, 502, 503, 504];

/** Whether the same read may well succeed a little later. */
export function isTransient(failure: Failure): boolean {
	return failure.kind === 'status'
		? STATUSES.includes(failure.status)
		: ['network', 'timeout', 'cut'].includes(failure.kind);
}
