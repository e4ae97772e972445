// What the trigger stores about a list between two reads. A part of the state; changed after each attempt to read the
// list. Tests: test/unit/trigger/list.test.ts, test/unit/trigger/state.test.ts.
import { type CodecValue, flag, number, objectOf } from '../codec';

/** Times are on n8n's clock, except creation times. */
export const listStateCodec = objectOf(
	{
		/** The newest creation time that was found, on the service's clock; 0 without one. */
		newestCreatedAtMs: number,
		/** When the last read to the list's end started. `triedAtMs`: when the last attempt ended. 0 if there was none. */
		fullReadAtMs: number,
		triedAtMs: number,
	},
	{
		/** Whether it is proven to have the newest items first, so that a read can stop at known ones. */
		isNewestFirst: flag,
		/** Whether its last read left items unread. */
		isUnfinished: flag,
		/** Whether the usual requests of a poll were not enough for its last read. */
		isLong: flag,
		/** Since when all attempts to read it have failed. */
		failingSinceMs: number,
	},
);

export type ListState = CodecValue<typeof listStateCodec>;

/** State of a list that was never read. */
export const INITIAL_LIST_STATE: ListState = { newestCreatedAtMs: 0, fullReadAtMs: 0, triedAtMs: 0 };

/** @param nowMs when an attempt to read the list has ended, on n8n's clock, which may have been set back */
export const afterListAttempt = (listState: ListState, hasFailed: boolean, nowMs: number): ListState => ({
	...listState,
	triedAtMs: nowMs,
	failingSinceMs: hasFailed ? Math.min(listState.failingSinceMs ?? Infinity, nowMs) : undefined,
});
