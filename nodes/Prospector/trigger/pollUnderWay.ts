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
	/** Whether to begin with nothing else. */
	isOver(): boolean;
}

/** Notes how late it is for the service. */
export function noteTime(work: Poll, { created_at: created, updated_at: updated }: IDataObject): void {
	for (const moment of [momentOf(created), momentOf(updated)]) {
		if (moment <= work.now + CLOCKS_DIFFER) work.latest = Math.max(work.latest, moment);
	}
}
