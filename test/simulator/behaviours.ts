/** Every behaviour of the service, of n8n and of the user that random histories contain. */
export const BEHAVIOURS = `
	times: offset, times: noZone, times: noMilliseconds, times: missing, times: null, times: number, times: nonsense
	item dated in the future, backdated item, late visible item
	n8n's clock differs, n8n's clock jumped, one wrong Date header, no Date header, n8n in another time zone
	order: oldest, order: shuffled, order: random, list changed while a poll read
	cursors: offset, cursors: itemId, cursor of a deleted item
	cursor rejected: 400, cursor rejected: 404, cursor rejected: 409, cursor rejected: 410, cursor rejected: 422
	pages of 1 item, pages of 500 items or more, page size ignored
	60 Prospector workflows or more, 300 Prospector workflows or more
	500 results at once, results: 404 until they exist, results: 409 until they exist
	status in other case or with white space, status that is no text, unknown status, run reopened after days
	one Prospector workflow always gets 429, rate limit reached
	deleted: byId, deleted: listed, deleted: gone, restored after 29 days, restored after 31 days
	deleted run, deleted result, odd IDs, unusable IDs, same run ID twice
	fault: tooMany, fault: serverErrors, fault: lost, fault: truncated, fault: webPage, fault: forbidden
	fault: notFound, fault: hang, fault: slow, responses of 2 s, responses of 9 s
	scheduler: classic, scheduler: durable, scheduler: durableCursors
	restart, crash, abandoned poll, repeated poll
	requests: 5, requests: 10, requests: 30, few items per poll
	watch: all, watch: several, watch: one, other Prospector workflows chosen, existing items included`
	.trim()
	.split(/,\s|\n\t/);

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
