import { boolean, objectOf, flag, number, oneOf, string, type CodecValue } from '../../codec';

/* What is stored about a list between two reads. Times are milliseconds on the service's clock. */

const orderEvidenceCodec = objectOf(
	{
		/** Whether the list can still be sorted with the newest first, or the oldest first. */
		isNewestFirst: boolean,
		isOldestFirst: boolean,
		/** Number of distinct timestamps, if the list is sorted. */
		distinctTimestamps: number,
	},
	{ /** Timestamp of the last item. */ lastTimestampMs: number },
);

/** A read of a list that takes several polls. */
const readProgressCodec = objectOf(
	{
		startedAtMs: number,
		isFromStart: boolean,
		/** The newest creation time found so far. */
		newestMs: number,
		evidence: orderEvidenceCodec,
	},
	{ /** The next page; the first one if absent. */ cursor: string },
);

/** Where a list's next read starts, and what is known about its order. */
export const listStateCodec = objectOf(
	{
		/** The newest creation times that the last read but one, and the last, found. */
		newestCreatedAtMs: objectOf({ previousRead: number, lastRead: number }),
		/** When the last read of the whole list started; 0 if there was none. */
		fullReadAtMs: number,
	},
	{
		order: oneOf('newest', 'oldest'),
		/** With the oldest first: the last page that starts before the newest item. The next read starts there. */
		lastKnownPage: objectOf({ cursor: string, firstItemHash: string }),
		unfinishedRead: readProgressCodec,
		hasUnemittedItems: flag,
		/** Whether no later poll can continue its read: the service has rejected a cursor, or its items belong together. */
		mustReadInOnePoll: flag,
	},
);

export type OrderEvidence = CodecValue<typeof orderEvidenceCodec>;
export type ReadProgress = CodecValue<typeof readProgressCodec>;
export type ListState = CodecValue<typeof listStateCodec>;

/** State of a list in which everything created from `sinceMs` on is new. */
export const initialListState = (sinceMs: number): ListState => ({
	newestCreatedAtMs: { previousRead: sinceMs, lastRead: sinceMs },
	fullReadAtMs: 0,
});

/** Fewer distinct timestamps can be in order by chance; of twelve, that happens once in 479 million lists. */
const MIN_TIMESTAMPS_TO_PROVE_ORDER = 12;

export const NO_EVIDENCE: OrderEvidence = { isNewestFirst: true, isOldestFirst: true, distinctTimestamps: 0 };

/** Adds the creation time of the next item; an item without a valid one is in no order. */
export function addOrderEvidence(evidence: OrderEvidence, createdAtMs: number | undefined): OrderEvidence {
	const { isNewestFirst, isOldestFirst, distinctTimestamps, lastTimestampMs } = evidence;
	if (createdAtMs === undefined) return { ...evidence, isNewestFirst: false, isOldestFirst: false };
	return {
		isNewestFirst: isNewestFirst && (lastTimestampMs === undefined || createdAtMs <= lastTimestampMs),
		isOldestFirst: isOldestFirst && (lastTimestampMs === undefined || createdAtMs >= lastTimestampMs),
		distinctTimestamps: distinctTimestamps + (createdAtMs === lastTimestampMs ? 0 : 1),
		lastTimestampMs: createdAtMs,
	};
}

/** Returns how a whole list is sorted (the contract does not say); undefined if it is unsorted or too short to tell. */
export function findProvenOrder(evidence: OrderEvidence): ListState['order'] {
	const { isNewestFirst, isOldestFirst, distinctTimestamps } = evidence;
	if (distinctTimestamps < MIN_TIMESTAMPS_TO_PROVE_ORDER || isNewestFirst === isOldestFirst) return undefined;
	return isNewestFirst ? 'newest' : 'oldest';
}
