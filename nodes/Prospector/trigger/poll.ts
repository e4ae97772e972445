import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { MOST_HELD, oldestFirst, remember, type Candidate } from './candidates';
import { endsPoll, isLimit, isPassing } from './pollFailure';
import { pollWorkflow } from './pollWorkflow';
import { allowAsLong, type Poll } from './pollUnderWay';
import { settleWalk } from './seenList';
import type { TriggerSettings } from './triggerSettings';
import { boundState, newState, type TriggerState } from './triggerState';
import { workflowsToPoll } from './workflowsToPoll';

/**
 * Milliseconds after which a poll begins with no other workflow or run: what is found so far is put out, and the next
 * poll goes on there.
 */
export const LONGEST_POLL = 2 * 60_000;

/** The same while n8n waits for its end: n8n 2.41 gives up an activation after 84 s, and says nothing of use. */
export const LONGEST_ACTIVATION = 45_000;

export interface PollInput {
	client: Client;
	settings: TriggerSettings;
	/** What is remembered, to be taken over; undefined for the first poll. */
	state?: TriggerState;
	/** See {@link TriggerState.subject}. */
	subject: string;
	/** Whether n8n activates the n8n workflow meanwhile, and waits. */
	isActivation?: boolean;
	/** Milliseconds since the epoch on this machine's clock. */
	now: () => number;
}

export interface PollOutcome {
	/** To put out, the oldest first. */
	items: IDataObject[];
	/** To keep once the items are put out. */
	state: TriggerState;
	/** Found too, but more than is put out at a time. */
	held: Candidate[];
	/** Why not everything could be read; a later poll makes up for it. */
	failure?: unknown;
}

/**
 * Finds what is new since the last poll. Each Prospector workflow, and each run, is committed on its own: what could
 * not be read stays as it was remembered, and is found by a later poll.
 *
 * @throws NodeApiError when the first poll cannot begin
 */
export async function poll(input: PollInput): Promise<PollOutcome> {
	const { client, settings, subject, now, isActivation: isHurried = false } = input;
	const begin = now();
	const state = input.state ?? newState(subject);
	const work: Poll = {
		...{ client, settings, state, now: begin, isFirst: !state.hasBegun, isHurried },
		...{ found: [], lists: [], latest: state.seenUpTo, isIncomplete: false },
		clock: now,
		deadline: begin + (isHurried ? LONGEST_ACTIVATION : LONGEST_POLL),
		isOver: () => work.found.length >= MOST_HELD || endsPoll(work.failure) || now() > work.deadline,
	};
	const ids = await workflowsOrNone(work);
	allowAsLong(work, begin);
	for (const id of ids) {
		if (work.isOver()) {
			work.isIncomplete = true;
			break;
		}
		await pollWorkflow(work, id);
	}
	if (work.isFirst && work.failure !== undefined && !mayBegin(work)) throw work.failure;
	if (work.isFirst) state.begunAt ??= Math.max(begin, work.latest);
	return conclude(work);
}

/** What could not be read in passing is begun with by a later poll; a person is to know of a service out of order. */
const mayBegin = ({ failure, state }: Poll): boolean =>
	isLimit(failure) || (isPassing(failure) && Object.keys(state.workflows).length > 0);

async function workflowsOrNone(work: Poll): Promise<string[]> {
	try {
		return await workflowsToPoll(work);
	} catch (error) {
		work.failure = error;
		return [];
	}
}

/** Takes what is to be put out now, and remembers that and no more. */
function conclude({ settings, state, now, found, lists, latest, isIncomplete, failure }: Poll): PollOutcome {
	const ordered = oldestFirst(found, MOST_HELD);
	const chosen = new Set(ordered.slice(0, settings.maxItems));
	for (const { seen, end, found: fromList, isPartial } of lists) {
		const isDone = !isPartial && fromList.every((candidate) => chosen.has(candidate));
		if (isDone) settleWalk(seen, end, now);
	}
	for (const candidate of chosen) remember(state, candidate);
	if (!isIncomplete && failure === undefined) state.seenUpTo = latest;
	boundState(state);
	return {
		items: [...chosen].map(({ json }) => json),
		state,
		held: ordered.slice(settings.maxItems),
		failure,
	};
}
