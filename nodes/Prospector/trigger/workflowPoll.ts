import type { Candidate } from './candidates';
import type { Poll } from './pollUnderWay';
import { UNDATED } from './seenList';
import type { WorkflowState } from './triggerState';

/** One Prospector workflow's part of a poll. */
export interface WorkflowPoll {
	work: Poll;
	id: string;
	/** Kept when the list of runs could be read. */
	draft: WorkflowState;
	/** Whether the workflow is begun with. */
	isBaseline: boolean;
	/** What is then found and was created up to here counts as known; milliseconds. */
	knownUntil: number;
	/** Runs that this poll has met, by id. */
	met: Set<string>;
	found: Candidate[];
}

/** Whether something was there when the workflow was begun with. */
export const isKnown = ({ isBaseline, knownUntil }: WorkflowPoll, created: number): boolean =>
	isBaseline && (created <= knownUntil || created === UNDATED);
