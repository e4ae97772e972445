import { boolean, objectOf, flag, number, oneOf, pairOf, string, type CodecValue } from '../../decoder';

/* What is stored about a list between two reads. Times are milliseconds on the service's clock. */

const orderEvidence = objectOf(
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
const listReading = objectOf(
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
export const listPosition = objectOf(
	{
		/** The newest creation times that the last read but one, and the last, found. */
		marksMs: pairOf(number),
		/** When the last read of the whole list started; 0 if there was none. */
		wholeAtMs: number,
	},
	{
		order: oneOf('newest', 'oldest'),
		/** With the oldest first: the last page that starts before the newest item. */
		tail: objectOf({ cursor: string, firstHash: string }),
		unfinished: listReading,
		/** Whether the list contains new items that have not been emitted yet. */
		isOpen: flag,
		/** Whether the service has rejected a cursor since the list was last read to its end. */
		isRejected: flag,
	},
);

export type OrderEvidence = CodecValue<typeof orderEvidence>;
export type ListReading = CodecValue<typeof listReading>;
export type ListPosition = CodecValue<typeof listPosition>;

/** Position in a list in which everything created from `sinceMs` on is new. */
export const startPosition = (sinceMs: number): ListPosition => ({
	marksMs: [sinceMs, sinceMs],
	wholeAtMs: 0,
});

/** Fewer distinct timestamps can be in order by chance; of twelve, that happens once in 479 million lists. */
const MIN_TIMESTAMPS = 12;

export const NO_EVIDENCE: OrderEvidence = { newest: true, oldest: true, timestamps: 0 };

/** Adds the creation time of the next item; an item without a valid one is in no order. */
export function addEvidence(evidence: OrderEvidence, createdMs: number | undefined): OrderEvidence {
	const { newest, oldest, timestamps, lastMs } = evidence;
	if (createdMs === undefined) return { ...evidence, newest: false, oldest: false };
	return {
		newest: newest && (lastMs === undefined || createdMs <= lastMs),
		oldest: oldest && (lastMs === undefined || createdMs >= lastMs),
		timestamps: timestamps + (createdMs === lastMs ? 0 : 1),
		lastMs: createdMs,
	};
}

/** Returns how a whole list is sorted (the contract does not say); undefined if it is unsorted or too short to tell. */
export function findProvenOrder({ newest, oldest, timestamps }: OrderEvidence): ListPosition['order'] {
	if (timestamps < MIN_TIMESTAMPS || newest === oldest) return undefined;
	return newest ? 'newest' : 'oldest';
}
