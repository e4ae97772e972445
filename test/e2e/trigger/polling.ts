import type { IDataObject } from 'n8n-workflow';
import type { JournalEntry, Sandbox } from '../../../sandbox/types';
import { chainNodes, node } from '../../nodes';
import type { E2e } from '../bench';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';

/** n8n refuses poll times that are less than a minute apart, but takes several that are a minute apart each. */
export const POLL_TIMES = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** A machine that does other things too can be late. */
export const NEXT_POLL_MS = 60_000;

/** Time without a request after which the next one belongs to another poll. */
const PAUSE_MS = 4000;

/** Time without a request after which a poll is over. */
const QUIET_MS = 1000;

/** Saves an n8n workflow with a trigger that polls every ten seconds, with an API key of the given name. */
export async function createTrigger(
	{ credential, workflows }: E2e,
	{ control, baseUrl }: Sandbox,
	name: string,
	parameters: IDataObject,
): Promise<Saved> {
	const { secret } = control.createKey({ name });
	const trigger = node(
		'Trigger',
		'n8n-nodes-prospector.prospectorTrigger',
		{ pollTimes: POLL_TIMES, options: {}, ...parameters },
		{ credentials: await credential(`${name} of ${baseUrl}`, { baseUrl, apiKey: secret }) },
	);
	return await workflows.create({ name, ...chainNodes(trigger, node('Seen', 'n8n-nodes-base.noOp', {})) });
}

/** The requests that an API key has sent, poll by poll. */
export function pollsOf({ control }: Sandbox, keyName: string): JournalEntry[][] {
	const polls: JournalEntry[][] = [];
	let last = -Infinity;
	for (const entry of control.journal().filter((each) => each.keyName === keyName)) {
		const time = Date.parse(entry.time);
		if (time - last > PAUSE_MS) polls.push([]);
		polls[polls.length - 1].push(entry);
		last = time;
	}
	return polls;
}

/** Waits until each of these API keys has been used for another poll. */
export async function nextPoll(sandbox: Sandbox, ...keyNames: string[]): Promise<void> {
	const wait = async (keyName: string) => {
		const before = pollsOf(sandbox, keyName).length;
		await eventually(
			`another poll of ${keyName}`,
			() => {
				const polls = pollsOf(sandbox, keyName);
				const last = polls.at(-1)?.at(-1);
				if (polls.length === before || last === undefined) return false;
				return Date.parse(sandbox.control.state().now) - Date.parse(last.time) > QUIET_MS;
			},
			NEXT_POLL_MS,
		);
	};
	await Promise.all(keyNames.map(wait));
}
