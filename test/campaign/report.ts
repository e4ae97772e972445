import type { CampaignOptions, CampaignReport } from './campaign';

/** Further violations of the same kind are not listed. */
const MAX_SHOWN = 20;

/** Returns the command that repeats a campaign. */
export const replayCommand = ({ seed, operations }: CampaignOptions) =>
	`npm run campaign -- --seed ${seed} --operations ${operations}`;

/** Returns the figures of a campaign, then its violations. */
export function reportText(report: CampaignReport, options: CampaignOptions): string {
	const rows = figuresOf(report).map(([name, value]) => `  ${name.padEnd(24)}${value}`);
	const groups = Object.entries(report.violations);
	if (groups.length === 0)
		return [...rows, `\nEach of ${options.operations} operations was done exactly once.`].join('\n');
	return [
		...rows,
		'\nThe campaign has failed.',
		...groups.flatMap(([name, list]) => [
			`\n${name}: ${list.length}`,
			...list.slice(0, MAX_SHOWN).map((violation) => `  - ${violation}`),
			...(list.length > MAX_SHOWN ? [`  … and ${list.length - MAX_SHOWN} more`] : []),
		]),
		`\nTo repeat it: ${replayCommand(options)}`,
	].join('\n');
}

function figuresOf({ plan, evidence, records }: CampaignReport): Array<[name: string, value: unknown]> {
	const { executions, retries, interruptions, repeated, messages } = evidence;
	const { journal, runs, workflowsCreated } = records;
	const faults = new Map<string, number>();
	for (const { fault } of journal) if (fault) faults.set(fault.kind, (faults.get(fault.kind) ?? 0) + 1);
	const struck = journal.filter(({ fault }) => fault).length;
	return [
		['operations', plan.operations.length],
		['executions', `${executions}, of which ${retries} retries; ${interruptions} stopped or killed`],
		['failed items repeated', repeated],
		['requests', `${journal.length}, of which ${journal.filter((one) => one.replayed).length} replayed`],
		['rate limited', journal.filter(({ status, fault }) => status === 429 && !fault).length],
		['faults', `${struck} (${((100 * struck) / journal.length).toFixed(1)} %): ${counts(faults)}`],
		['messages', counts(messages)],
		['runs started', runs.started],
		['workflows created', workflowsCreated],
	];
}

const counts = (numbers: Map<string, number>) =>
	[...numbers]
		.sort(([, a], [, b]) => b - a)
		.map(([name, count]) => `${name} ${count}`)
		.join(', ');
