/** Every behaviour of the service, of n8n and of the user that random histories contain. */
export const BEHAVIOURS = `
	times: offset, times: noZone, times: noMilliseconds, times: missing, times: null, times: number, times: nonsense
	times: digits, times: noSeconds, result dated before the activation
	item dated in the future, backdated item, late visible item
	n8n's clock differs, n8n's clock jumped, n8n's clock jumped without Date header
	first Date headers ahead, first Date headers behind, cached Date header, one wrong Date header, no Date header
	n8n in another time zone
	order: oldest, order: shuffled, order: random, list changed while a poll read
	cursors: offset, cursors: itemId, cursor of a deleted item
	cursor rejected: 400, cursor rejected: 403, cursor rejected: 404, cursor rejected: 409, cursor rejected: 410
	cursor rejected: 422, cursor rejected: 500, cursor rejected: emptyPage, cursor rejected: firstPage
	cursor rejected: noCursor, cursor rejected beyond a number of items
	pages: varying, pages: overlapping, pages: emptyBetween, stale replica
	Prospector workflow omitted, empty list of Prospector workflows
	pages of 1 item, pages of 500 items or more, page size ignored
	60 Prospector workflows or more, 300 Prospector workflows or more, active Prospector workflows beside others
	500 results at once, results: 404 until they exist, results: 409 until they exist
	status in other case or with white space, status that is no text, unknown status, run reopened after days
	lasting 429, lasting 500, lasting 403, lasting 401
	lasting failure: getRun, lasting failure: listRuns, lasting failure: listResults
	lasting failure: listWorkflows, rate limit reached
	deleted: byId, deleted: listed, deleted: gone, restored after 29 days, restored after 31 days
	run ID given again, result ID given again, run moved, result moved
	another workspace, rotated API key, event changed, Base URL changed, Include Existing changed
	polls every 10 s, polls every 300 s, polls every 3600 s, polls every 86400 s
	200 existing runs, full state
	deleted run, deleted result, odd IDs, unusable IDs, same run ID twice
	fault: tooMany, fault: serverErrors, fault: lost, fault: truncated, fault: webPage, fault: forbidden
	fault: notFound, fault: hang, fault: slow, responses of 2 s, responses of 9 s
	scheduler: classic, scheduler: durable, scheduler: durableCursors
	restart, crash, abandoned first poll, abandoned poll, repeated poll
	requests: 5, requests: 10, requests: 30, few items per poll
	watch: all, watch: several, watch: one, watch changed, other Prospector workflows chosen, existing items included`
	.trim()
	.split(/,?\n\t|, /);

export type Behaviour = (typeof BEHAVIOURS)[number];

/** How often each behaviour took effect. */
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
