import type { CampaignReport } from './campaign';
import type { CampaignOptions } from './options';
import type { Summary } from './summary';

/** More of a kind say nothing new on a screen. */
const MOST_SHOWN = 20;

/** The command that does the same again. */
export const replayCommand = ({ seed, operations }: CampaignOptions) =>
	`npm run campaign -- --seed ${seed} --operations ${operations}`;

/** What a person reads after a campaign: its numbers, then what does not hold. */
export function reportText({ violations, summary }: CampaignReport, options: CampaignOptions): string {
	const numbers = rows(summary)
		.map(([name, value]) => `  ${name.padEnd(24)}${value}`)
		.join('\n');
	const groups = Object.entries(violations);
	if (groups.length === 0)
		return `${numbers}\n\nEach of ${summary.operations} operations was done exactly once.`;
	return [
		numbers,
		'\nThe campaign has failed.',
		...groups.map(([name, list]) => `\n${name}: ${list.length}\n${firstOf(list)}`),
		`\nThe same again: ${replayCommand(options)}`,
	].join('\n');
}

function firstOf(list: string[]): string {
	const shown = list.slice(0, MOST_SHOWN).map((violation) => `  - ${violation}`);
	return [...shown, ...(list.length > MOST_SHOWN ? [`  … and ${list.length - MOST_SHOWN} more`] : [])].join(
		'\n',
	);
}

function rows(summary: Summary): Array<[name: string, value: string]> {
	const { executions, retries, interruptions, repeated, repeatedWithoutKey } = summary;
	const { requests, faults, replayed, refusedByLimit, runsStarted, workflowsCreated } = summary;
	const struck = Object.values(faults).reduce((sum, count) => sum + count, 0);
	const share = Math.round((1000 * struck) / Math.max(1, requests)) / 10;
	return [
		['operations', String(summary.operations)],
		['executions', `${executions}, of which ${retries} retries; ${interruptions} stopped or killed`],
		['failed items repeated', `${repeated}, of which ${repeatedWithoutKey} had no key in their message`],
		['requests', `${requests}, of which ${replayed} answered from the memory of keys`],
		['refused by the limit', String(refusedByLimit)],
		['replies that suffered', `${struck} (${share} %): ${counts(faults)}`],
		['messages seen', counts(summary.messages)],
		['runs started', String(runsStarted)],
		['workflows created', String(workflowsCreated)],
		['waits on the fast clock', String(summary.waits)],
		['time', `${Math.round(summary.milliseconds / 1000)} s`],
	];
}

const counts = (numbers: Record<string, number>) =>
	Object.entries(numbers)
		.sort(([, a], [, b]) => b - a)
		.map(([name, count]) => `${name} ${count}`)
		.join(', ');
