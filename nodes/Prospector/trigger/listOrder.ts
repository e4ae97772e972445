import { UNDATED } from './seenList';

/** How a list is sorted by `created_at`; the contract states no order (section 4). */
export type ListOrder = 'newest' | 'oldest' | 'none';

/** So many different moments in a row are no accident: one list in 479 million falls into order by chance. */
const ENOUGH_MOMENTS = 12;

/** What the items of a list, as they come, tell about its order. */
export interface OrderEvidence {
	/** Whether it may still be sorted with the newest first. */
	newest: boolean;
	/** Whether it may still be sorted with the oldest first. */
	oldest: boolean;
	/** Different moments seen. */
	moments: number;
	last?: number;
}

export const noEvidence = (): OrderEvidence => ({ newest: true, oldest: true, moments: 0 });

/** @param created milliseconds */
export function observe(evidence: OrderEvidence, created: number): void {
	const { last } = evidence;
	if (created === UNDATED) evidence.newest = evidence.oldest = false;
	if (last !== undefined && created > last) evidence.newest = false;
	if (last !== undefined && created < last) evidence.oldest = false;
	if (created !== last) evidence.moments++;
	evidence.last = created;
}

/** @returns undefined where a list that was read to its end is too short to tell */
export function verdict({ newest, oldest, moments }: OrderEvidence): ListOrder | undefined {
	if (!newest && !oldest) return 'none';
	if (moments < ENOUGH_MOMENTS) return undefined;
	return newest ? 'newest' : 'oldest';
}
