import type { IDataObject } from 'n8n-workflow';
import type { JournalEntry, Sandbox } from '../../../sandbox/types';
import { chainNodes, node } from '../../nodes';
import type { Environment } from '../environment';
import { eventually } from '../../eventually';
import type { Saved } from '../n8n/workflows';

/** Also enough on a busy machine. */
export const NEXT_POLL_TIMEOUT_MS = 60_000;

/** Requests after a pause of this length belong to another poll. */
const MIN_PAUSE_MS = 2000;

/** A poll has ended when no request has arrived for this time. */
const POLL_ENDED_MS = 1000;

/** n8n rejects a poll time that repeats more often than once a minute, but accepts several poll times. */
export const pollTimes = (everySeconds = 5) => ({
	item: Array.from({ length: 60 / everySeconds }, (_, i) => ({
		mode: 'custom',
		cronExpression: `${i * everySeconds} * * * * *`,
	})),
});

/** Creates an n8n workflow with a trigger that has its own API key of this name. */
export async function createTrigger(
	{ credential, workflows }: Environment,
	{ control, baseUrl }: Sandbox,
	name: string,
	parameters: IDataObject,
	next = node('Next', 'n8n-nodes-base.noOp', {}),
): Promise<Saved> {
	const { secret } = control.createKey({ name });
	const credentials = await credential(`${name} of ${baseUrl}`, { baseUrl, apiKey: secret });
	const all = { pollTimes: pollTimes(), options: {}, ...parameters };
	const trigger = node('Trigger', 'n8n-nodes-prospector.prospectorTrigger', all, { credentials });
	return await workflows.create({ name, ...chainNodes(trigger, next) });
}

/** Returns the requests of an API key, by poll. */
export function pollsOf({ control }: Sandbox, keyName: string): JournalEntry[][] {
	const polls: JournalEntry[][] = [];
	let last = -Infinity;
	for (const entry of control.journal().filter((each) => each.keyName === keyName)) {
		const time = Date.parse(entry.time);
		if (time - last > MIN_PAUSE_MS) polls.push([]);
		polls[polls.length - 1].push(entry);
		last = time;
	}
	return polls;
}

/** Waits until an API key was used for this number of polls, and the last one has ended. */
export async function waitForPolls(sandbox: Sandbox, keyName: string, count: number): Promise<void> {
	await eventually(
		`${count} polls of ${keyName}`,
		() => {
			const polls = pollsOf(sandbox, keyName);
			const last = polls.at(-1)?.at(-1);
			if (polls.length < count || last === undefined) return false;
			return Date.parse(sandbox.control.state().now) - Date.parse(last.time) > POLL_ENDED_MS;
		},
		NEXT_POLL_TIMEOUT_MS,
	);
}

/** Waits until each of these API keys was used for another poll. */
export async function nextPoll(sandbox: Sandbox, ...keyNames: string[]): Promise<void> {
	const wait = async (keyName: string) =>
		await waitForPolls(sandbox, keyName, pollsOf(sandbox, keyName).length + 1);
	await Promise.all(keyNames.map(wait));
}
