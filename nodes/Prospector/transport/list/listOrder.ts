import type { ListPosition, OrderEvidence } from './listPosition';

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
export function provenOrder({ newest, oldest, timestamps }: OrderEvidence): ListPosition['order'] {
	if (timestamps < MIN_TIMESTAMPS || newest === oldest) return undefined;
	return newest ? 'newest' : 'oldest';
}
