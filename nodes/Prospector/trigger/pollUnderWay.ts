import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import type { Candidate } from './candidates';
import { CLOCKS_DIFFER, type SeenList } from './seenList';
import type { TriggerSettings } from './triggerSettings';
import type { TriggerState } from './triggerState';
import { momentOf, type WalkEnd } from './walk';

/** A list that was read, and what it gave to report. */
interface ReadList {
	seen: SeenList;
	end: WalkEnd;
	found: Candidate[];
	/** Whether something of it was left for a later poll. */
	isPartial?: boolean;
}

/** A poll under way. */
export interface Poll {
	client: Client;
	settings: TriggerSettings;
	state: TriggerState;
	/** When it began, on this machine's clock. */
	now: number;
	/** Whether no poll before could list the workflows. */
	isFirst: boolean;
	/** Whether n8n waits for the end: then nothing may go on beyond it. */
	isHurried: boolean;
	found: Candidate[];
	lists: ReadList[];
	/** The latest time that the service has shown. */
	latest: number;
	/** Whether anything was not read that should have been. */
	isIncomplete: boolean;
	failure?: unknown;
	/** The time now, on this machine's clock. */
	clock(): number;
	/** When to begin with nothing else. */
	deadline: number;
	/** Whether to begin with nothing else. */
	isOver(): boolean;
}

/**
 * What took long to list is looked at for as long: a slow list would leave no time for that otherwise, at any poll.
 * While n8n waits, there is no more time to be had.
 *
 * @param since when listing began
 */
export function allowAsLong(work: Poll, since: number): void {
	const now = work.clock();
	if (!work.isHurried) work.deadline = Math.max(work.deadline, now + (now - since));
}

/** Notes how late it is for the service. */
export function noteTime(work: Poll, { created_at: created, updated_at: updated }: IDataObject): void {
	for (const moment of [momentOf(created), momentOf(updated)]) {
		if (moment <= work.now + CLOCKS_DIFFER) work.latest = Math.max(work.latest, moment);
	}
}
