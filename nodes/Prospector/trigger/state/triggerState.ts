import { boolean, mapOf, number, object, oneOf, pairOf, parseAs, string } from '../../jsonSchema';

/*
 * Everything the trigger stores between two polls. Times are milliseconds on the service's clock; maps are by ID.
 *
 * Baseline: a resource is new if it was created at or after `since` and is neither in `runs` nor in `seen`.
 * Commitment: a list's position moves on only when everything new in the part that was read has been emitted.
 */

const orderEvidence = object(
	{
		/** Whether the list can still be sorted with the newest first, or the oldest first. */
		newest: boolean,
		oldest: boolean,
		/** Number of distinct timestamps, if the list is sorted. */
		timestamps: number,
	},
	{ /** Timestamp of the last item. */ last: number },
);

/** A read of a list that takes several polls. */
const listReading = object(
	{
		startedAt: number,
		/** Whether it started with the first page. */
		isWhole: boolean,
		/** The newest creation time found so far. */
		newest: number,
		evidence: orderEvidence,
	},
	{ /** The next page; the first one if absent. */ cursor: string },
);

const listPosition = object(
	{
		/** The newest creation times that the last read but one, and the last, found. */
		marks: pairOf(number),
		/** When the last read of the whole list started. */
		wholeAt: number,
	},
	{
		order: oneOf('newest', 'oldest'),
		/** With the oldest first: the last page that starts before the newest item. */
		tail: object({ cursor: string, firstHash: string }),
		unfinished: listReading,
		/** Whether the list contains new items that have not been emitted yet. */
		isOpen: boolean,
	},
);

const runState = object(
	{ created: number },
	{
		/** The last status; for New Result, a hash of what the run was like when its results were last read. */
		mark: string,
		/** When the run last changed, and when it is due. Absent if the run is not watched. */
		changedAt: number,
		checkAt: number,
		/** Results created before are not new. If absent, the Prospector workflow's `since` counts. */
		floor: number,
		/** Creation times of the results emitted, by the hash of their ID. Only while the run is watched. */
		results: object({ list: listPosition, seen: mapOf(number) }),
	},
);

const workflowState = object(
	{
		/** Baseline: what was created before is not new. */
		since: number,
		/** Bound: runs that were created before and are not in `runs` were forgotten. They are ignored. */
		floor: number,
		polledAt: number,
		list: listPosition,
		runs: mapOf(runState),
	},
	{ /** Since when the service has not known the Prospector workflow any more. */ goneSince: number },
);

const triggerState = object(
	{
		version: oneOf('1'),
		/** Event and address. If either changes, the trigger starts over. */
		scope: string,
		/** Baseline for Prospector workflows that are found later. */
		since: number,
		/** The service's clock minus n8n's. */
		clockOffset: number,
		workflows: mapOf(workflowState),
	},
	{
		/** If all Prospector workflows are watched: when these were listed, and where an unfinished read continues. */
		listing: object({ polledAt: number }, { cursor: string }),
	},
);

export type OrderEvidence = ReturnType<typeof orderEvidence>;
export type ListReading = ReturnType<typeof listReading>;
export type ListPosition = ReturnType<typeof listPosition>;
export type RunState = ReturnType<typeof runState>;
export type WorkflowState = ReturnType<typeof workflowState>;
export type TriggerState = ReturnType<typeof triggerState>;

export const newWorkflow = (since: number): WorkflowState => ({
	since,
	floor: 0,
	polledAt: 0,
	list: startPosition(since),
	runs: new Map(),
});

/** Position in a list in which everything created from `since` on is new. */
export const startPosition = (since: number): ListPosition => ({ marks: [since, since], wholeAt: 0 });

/** Returns the state as JSON text: n8n would wrap an object into one that watches for changes. */
export const serializeState = (state: TriggerState): string =>
	JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value));

/** Returns the state in stored text; undefined if any of it can't be used. */
export const parseState = (text: unknown): TriggerState | undefined => parseAs(triggerState, text);
