import { CHOICES } from '../../sandbox/settings';
import { UNUSUAL_VALUES } from './settings';
import { FAULTS, STEP_KINDS } from './steps';

/** Every behaviour of the service, of n8n and of the user that random histories contain. */
export const BEHAVIOURS = [
	...UNUSUAL_VALUES,
	...STEP_KINDS,
	...Object.keys(FAULTS).map((kind) => `fault: ${kind}`),
	...CHOICES.cursorRejection.map((rejection) => `cursor rejected: ${rejection}`),
	...`
	cursor rejected beyond a number of items, cursor of a deleted item
	result dated before the activation, item dated in the future, backdated item, late visible item
	n8n's clock jumped without Date header, one wrong Date header, n8n in another time zone
	list changed while a poll read, 500 results at once, pages of 500 items or more
	Prospector workflow omitted, empty list of Prospector workflows
	status that is no text, run reopened after days
	lasting 429, lasting 500, lasting 403, lasting 401
	lasting failure: getRun, lasting failure: listRuns, lasting failure: listResults
	lasting failure: listWorkflows, rate limit reached
	restored after 29 days, restored after 31 days
	run ID given again, result ID given again, run moved, result moved
	another workspace, rotated API key, event changed, Base URL changed, Include Existing changed, watch changed
	full state, restart, crash, abandoned first poll, abandoned poll, repeated poll`
		.trim()
		.split(/,?\n\t|, /),
];

export type Behaviour = (typeof BEHAVIOURS)[number];

/** How often each behaviour occurred. */
export type BehaviourCounts = Map<Behaviour, number>;

/** Adds counts, as of another history or process. Changes `total`. */
export function addCounts(total: BehaviourCounts, added: Iterable<[Behaviour, number]>): void {
	for (const [name, count] of added) {
		if (!BEHAVIOURS.includes(name)) throw new Error(`"${name}" is missing in BEHAVIOURS`);
		total.set(name, (total.get(name) ?? 0) + count);
	}
}

/** Returns the table that the command line prints. */
export const countsText = (counts: BehaviourCounts): string =>
	BEHAVIOURS.map((name) => `  ${name.padEnd(44)}${counts.get(name) ?? 0}`).join('\n');
