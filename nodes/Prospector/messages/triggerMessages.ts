import { MINUTE_MS } from '../utils';
import type { UserMessage } from './userMessage';

/*
 * What makes items go missing although requests succeed. The trigger logs each of these, and reports it as a failed
 * execution.
 */

/** @param listName the list that can't be read to its end */
export const unreadableListMessage = (listName: string): UserMessage => ({
	message: `${listName} can't be read to the end, so items may be missing`,
	description:
		"One poll must read all its pages, because the service rejects older cursors or the results of a run belong together. Raise 'Max Requests per Poll' and 'Page Size' in the trigger's options",
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

/** @param resourceKind of the resource without a usable ID, such as `run` */
export const unusableIdMessage = (resourceKind: string): UserMessage => ({
	message: `The service returned a ${resourceKind} without a usable ID, so it was left out`,
	description: "Ask the service's support why an 'id' is empty or is not text",
});

export const rateLimitedListMessage = (workflowId: string): UserMessage => ({
	message: `The service has refused for an hour to list the runs of Prospector workflow '${workflowId}'`,
	description:
		'It responds with 429 although it accepts other requests. The trigger keeps trying. Ask the service whether this Prospector workflow has a limit of its own',
});

export const clockOffsetMessage = (clockOffsetMs: number): string => {
	const minutes = Math.round(Math.abs(clockOffsetMs) / MINUTE_MS);
	return `the service's clock is now ${minutes} minutes ${clockOffsetMs < 0 ? 'behind' : 'ahead of'} n8n's`;
};
