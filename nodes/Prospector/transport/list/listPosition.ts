import { boolean, fields, flag, number, oneOf, pairOf, string, type Stored } from '../../codec';

/* What is stored about a list between two reads. Times are milliseconds on the service's clock. */

const orderEvidence = fields(
	{
		/** Whether the list can still be sorted with the newest first, or the oldest first. */
		newest: boolean,
		oldest: boolean,
		/** Number of distinct timestamps, if the list is sorted. */
		timestamps: number,
	},
	{ /** Timestamp of the last item. */ lastMs: number },
);

/** A read of a list that takes several polls. */
const listReading = fields(
	{
		startedAtMs: number,
		/** Whether it started with the first page. */
		isWhole: boolean,
		/** The newest creation time found so far. */
		newestMs: number,
		evidence: orderEvidence,
	},
	{ /** The next page; the first one if absent. */ cursor: string },
);

/** Where a list's next read starts, and what is known about its order. */
export const listPosition = fields(
	{
		/** The newest creation times that the last read but one, and the last, found. */
		marksMs: pairOf(number),
		/** When the last read of the whole list started; 0 if there was none. */
		wholeAtMs: number,
	},
	{
		order: oneOf('newest', 'oldest'),
		/** With the oldest first: the last page that starts before the newest item. */
		tail: fields({ cursor: string, firstHash: string }),
		unfinished: listReading,
		/** Whether the list contains new items that have not been emitted yet. */
		isOpen: flag,
		/** Whether the service has rejected a cursor since the list was last read to its end. */
		isRejected: flag,
	},
);

export type OrderEvidence = Stored<typeof orderEvidence>;
export type ListReading = Stored<typeof listReading>;
export type ListPosition = Stored<typeof listPosition>;

/** Position in a list in which everything created from `sinceMs` on is new. */
export const startPosition = (sinceMs: number): ListPosition => ({
	marksMs: [sinceMs, sinceMs],
	wholeAtMs: 0,
});
