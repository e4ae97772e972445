import { objectOf, flag, mapOf, number, oneOf, decodeJsonText, string, type CodecValue } from '../../codec';
import { listStateCodec, initialListState } from '../../transport/list/listState';

/*
 * Everything that the trigger stores between two polls. Times are milliseconds on the service's clock; maps are by ID.
 *
 * Baseline: a resource is new if it was created at or after `baselineMs` and is neither in `runs` nor in `results`.
 * Commitment: a list's position moves on only when everything new in the part that was read has been emitted.
 * Bound: what was created before an `ignoreBeforeMs` and is not stored was forgotten, and counts as known.
 */

const runStateCodec = objectOf(
	{
		/** 0 for one that existed at the baseline, if it has no usable creation time. */
		createdAtMs: number,
	},
	{
		/** The last status. For results: a hash of the run when last read; empty if it has changed since; absent if never. */
		statusOrHash: string,
		/** When the run last changed, and when it is due. Absent if the run is not watched. */
		changedAtMs: number,
		nextCheckAtMs: number,
		/** For its results; 0 if all are new. If absent, none is forgotten, and the Prospector workflow's `baselineMs` counts. */
		ignoreBeforeMs: number,
		/** Creation times of the results emitted, by the hash of their ID. Only while the run is watched. */
		results: objectOf({ listState: listStateCodec, createdAtMsByHash: mapOf(number) }),
		/** Whether its watch was extended once, because it or its results were not found when it would have ended. */
		isRewatched: flag,
	},
);

const workflowStateCodec = objectOf(
	{
		baselineMs: number,
		/** For its runs; 0 if none is forgotten. */
		ignoreBeforeMs: number,
		/** When the last attempt to list its runs ended, even if it failed. */
		runsTriedAtMs: number,
		/** When it was last in the list of Prospector workflows. */
		lastSeenAtMs: number,
		listState: listStateCodec,
		runs: mapOf(runStateCodec),
	},
	{
		/** Whether it was created after the trigger's baseline, so that nothing in it existed then. */
		isCreatedAfterBaseline: flag,
		/** Since when the rate limit, or the request budget, has prevented all attempts to list its runs. */
		limitedSinceMs: number,
	},
);

const stateCodec = objectOf(
	{
		version: oneOf('1'),
		/** Event and address. If either changes, the trigger starts over. */
		eventAndAddress: string,
		/** Baseline for Prospector workflows that are created later. */
		baselineMs: number,
		/** The service's clock minus n8n's. */
		clockOffsetMs: number,
		lastPollAtMs: number,
		/** Requests that earlier polls sent beyond the maximum. */
		overdraft: number,
		workflows: mapOf(workflowStateCodec),
	},
	{
		/** Another clock offset, which only the last poll has seen. */
		unconfirmedOffsetMs: number,
		/** If all Prospector workflows are watched: the last read of their list, and when the last full read but one started. */
		discovery: objectOf({ triedAtMs: number, listState: listStateCodec, priorFullReadAtMs: number }),
	},
);

export type RunState = CodecValue<typeof runStateCodec>;
export type WorkflowState = CodecValue<typeof workflowStateCodec>;
export type TriggerState = CodecValue<typeof stateCodec>;

export const createState = (eventAndAddress: string): TriggerState => ({
	version: '1',
	eventAndAddress,
	baselineMs: 0,
	clockOffsetMs: 0,
	lastPollAtMs: 0,
	overdraft: 0,
	workflows: new Map(),
});

/** @param lastSeenAtMs when it was found */
export const createWorkflowState = (baselineMs: number, lastSeenAtMs: number): WorkflowState => ({
	baselineMs,
	ignoreBeforeMs: 0,
	runsTriedAtMs: 0,
	lastSeenAtMs,
	listState: initialListState(baselineMs),
	runs: new Map(),
});

/** Returns the state as JSON text: n8n would wrap an object into one that watches for changes. */
export const serializeState = (state: TriggerState): string => JSON.stringify(stateCodec.encode(state));

/** Returns a run as it is serialized. */
export const encodeRun = runStateCodec.encode;

/** Returns the state in stored text; undefined if any of it can't be used. */
export const parseState = (text: unknown): TriggerState | undefined => decodeJsonText(stateCodec, text);
