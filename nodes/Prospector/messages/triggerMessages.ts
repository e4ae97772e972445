// Why items of the trigger may be missing although requests succeed. The trigger logs each of these, and reports it
// as a failed execution.
import type { UserMessage } from './userMessage';

/** @param listName the list that can't be read to its end */
export const unreadableListMessage = (listName: string): UserMessage => ({
	message: `${listName} can't be read to the end, so items may be missing`,
	description:
		"A poll reads it from its first page, but the service stops before its end, or it has more pages than a poll can read. Raise 'Page Size' and 'Max Requests per Poll' in the trigger's options",
});

export const forgottenRunsMessage = (forgottenCount: number): UserMessage => ({
	message: `The trigger has no room for all the runs that it watches and has forgotten ${forgottenCount} of their entries, so items may be missing`,
	description:
		'Watch fewer Prospector workflows with each trigger, or get what is missing with the Prospector node',
});

export const UNTIMED_ITEMS_MESSAGE: UserMessage = {
	message:
		"Items without a valid 'created_at' were left out, because the trigger can't tell whether they are new",
	description:
		'It has forgotten the oldest items of their list to save space. Watch fewer Prospector workflows with each trigger, or get these items with the Prospector node',
};

/** @param listName the list that contains the item */
export const unusableIdMessage = (listName: string): UserMessage => ({
	message: `${listName} contains an item without a usable ID, which was left out`,
	description: "Ask the service's support why an 'id' is empty or is not text",
});

export const unexpectedRunMessage = (runId: string): UserMessage => ({
	message: `The service returned another run in place of run '${runId}', so it was left out`,
	description: "The trigger keeps trying. Ask the service's support why the 'id' is another one",
});

/**
 * Only for polls that have a baseline, and failures after which a later poll finds everything.
 *
 * @param taskName what the poll was doing, e.g. `listing the Prospector workflows`
 */
export const catchUpNote = (taskName: string): string =>
	`It failed when ${taskName}. After that, the next poll catches up: nothing is lost.`;

export const CLOCK_AHEAD_NOTE =
	'a clock was ahead at the activation, so the time from which on items are new was moved back';

export const OTHER_WORKSPACE_NOTE =
	'the list contains none of the known Prospector workflows but others, as in another workspace, so the trigger starts over';
