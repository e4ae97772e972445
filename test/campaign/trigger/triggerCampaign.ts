import fc from 'fast-check';
import { digest, seededRandom as dice } from '../../../sandbox/ids';
import { historiesOf, replay, type History } from '../../unit/helpers/trigger/history';
import { violationsOf } from '../../unit/helpers/trigger/violations';
import { choices } from '../seeded';
import { SandboxService, startStage, type Stage } from './sandboxService';

export interface TriggerCampaignOptions {
	/** Settles what happens and what goes wrong. */
	seed: number;
	/** Number of polls; the last history is played to its end. */
	polls: number;
	/** Number of the first history. */
	first?: number;
	/** Number of processes that share the histories; each plays every n-th of them. */
	processes?: number;
	/** Number of events in the longest history. */
	maxEvents?: number;
	onProgress?: (polls: number) => void;
}

export interface TriggerCampaignReport {
	figures: Record<string, number>;
	/** How often each fault struck. */
	faults: Record<string, number>;
	/** Histories that went wrong, in words. */
	failed: string[];
}

const EVENTS = ['newRun', 'newResult', 'runStatusChanged', 'runFailed'];
const MAX_STATE_BYTES = 1_000_000;

/** Share of the events that a campaign keeps. */
const KEPT: Partial<Record<History['events'][number]['kind'], number>> = {
	...{ run: 0.4, results: 0.4, status: 0.5, workflow: 0.4, delete: 0.2 },
};

/** Returns a random history that is longer than those of other tests, with the request budgets that users set. */
function chooseHistory(seed: number, event: string, maxLength: number): History {
	const histories = historiesOf({ minLength: maxLength / 3, maxLength });
	const [history] = fc.sample(histories, { seed, numRuns: 1 });
	const choose = choices(seed, 'history');
	return {
		...history,
		ids: undefined,
		pageSize: choose.one([2, 5, 20, 50]),
		scope: choose.weighted({ all: 2, several: 1, one: 1 }),
		maxRequests: choose.weighted({ 30: 3, 10: 1 }) === '30' ? 30 : 10,
		words: event === 'runFailed' ? ['queued', 'running', 'completed', 'failed'] : history.words,
		slow: choose.weighted({ 0: 4, 2000: 1, 9000: 1 }) === '0' ? 0 : history.slow,
		runs: choose.one([0, 13, 20]),
		// Fewer changes between two polls, and Prospector workflows that last.
		events: history.events.filter(({ kind }) => choose.chance(KEPT[kind] ?? 1)),
	};
}

/** Plays random histories until there were enough polls. */
export async function runTriggerCampaign(options: TriggerCampaignOptions): Promise<TriggerCampaignReport> {
	const stage = await startStage();
	const random = Math.random;
	try {
		return await playAll(stage, options);
	} finally {
		Math.random = random;
		await stage.close();
	}
}

async function playAll(stage: Stage, options: TriggerCampaignOptions): Promise<TriggerCampaignReport> {
	const { seed, polls, first = 0, processes = 1, maxEvents = 600, onProgress } = options;
	const figures = {
		...{ polls: 0, histories: 0, items: 0, requests: 0, 'failed polls': 0, restarts: 0, kills: 0 },
		...{ 'abandoned polls': 0, 'repeated polls': 0 },
		...{ 'most requests in a poll': 0, 'largest state in bytes': 0, lost: 0, repeated: 0, wrong: 0 },
	};
	const failed: string[] = [];
	for (let number = first; figures.polls < polls; number += processes) {
		const event = EVENTS[number % EVENTS.length];
		const historySeed = parseInt(digest(JSON.stringify([seed, number]), 7), 16);
		const history = chooseHistory(historySeed, event, maxEvents);
		// The transport's delays are random.
		Math.random = dice(historySeed);
		const findings: string[] = [];
		const told = await replay(history, event, {
			startService: (service) => new SandboxService(stage, choices(historySeed, 'service'), service),
			onPoll({ requests, maxRequests, stateBytes, failure }) {
				figures.polls++;
				figures.requests += requests;
				if (failure !== undefined) figures['failed polls']++;
				figures['largest state in bytes'] = Math.max(figures['largest state in bytes'], stateBytes);
				// Only the first poll of a history may send 1,000.
				const mostRequests = maxRequests === 1000 ? 0 : requests;
				figures['most requests in a poll'] = Math.max(figures['most requests in a poll'], mostRequests);
				if (requests > maxRequests) findings.push(`${requests} requests in a poll`);
				if (stateBytes > MAX_STATE_BYTES) findings.push(`a state of ${stateBytes} bytes`);
				const { name = 'none' } = (failure ?? {}) as Partial<Error>;
				if (!['none', 'NodeApiError', 'NodeOperationError'].includes(name)) {
					findings.push(`a poll threw ${String(failure)}`);
				}
			},
		});
		for (const [name, ids] of Object.entries(violationsOf(told, event)) as Array<['lost', string[]]>) {
			figures[name] += ids.length;
			if (ids.length > 0) findings.push(`${name}: ${ids.join(', ')}`);
		}
		const count = (holds: (what: History['events'][number]) => boolean) =>
			history.events.filter(holds).length;
		const isDurable = history.scheduler !== 'classic';
		figures.histories++;
		figures.items += told.emitted.length;
		figures.restarts += count(({ kind }) => kind === 'restart');
		figures.kills += told.kills;
		if (isDurable) {
			figures['abandoned polls'] += count((what) => what.kind === 'poll' && what.how === 'abandoned');
			figures['repeated polls'] += count((what) => what.kind === 'poll' && what.how === 'repeated');
		}
		if (findings.length > 0) {
			failed.push(`history ${number} (${event}, ${history.scheduler}): ${[...new Set(findings)].join('; ')}`);
		}
		onProgress?.(figures.polls);
	}
	return { figures, faults: Object.fromEntries(stage.faults), failed };
}

/** Combines the reports of several processes. */
export function mergeReports(reports: TriggerCampaignReport[]): TriggerCampaignReport {
	const merge = (part: 'figures' | 'faults') => {
		const merged: Record<string, number> = {};
		for (const [name, value] of reports.flatMap((report) => Object.entries(report[part]))) {
			const before = merged[name] ?? 0;
			merged[name] = /^(most|largest) /.test(name) ? Math.max(before, value) : before + value;
		}
		return merged;
	};
	const failed = reports.flatMap((report) => report.failed);
	return { figures: merge('figures'), faults: merge('faults'), failed };
}

/** The command that does the same again. */
export const replayCommand = ({ seed, polls, first = 0, processes = 1 }: TriggerCampaignOptions) =>
	`npm run campaign:trigger -- --seed ${seed} --polls ${polls} --first ${first} --processes ${processes}`;

/** Returns the figures, the histories that failed, and the closing line. */
export function reportText(
	{ figures, faults, failed }: TriggerCampaignReport,
	options: TriggerCampaignOptions,
) {
	const struck = Object.values(faults).reduce((sum, count) => sum + count, 0);
	const kinds = Object.entries(faults)
		.sort(([, a], [, b]) => b - a)
		.map(([kind, count]) => `${kind} ${count}`);
	return [
		...Object.entries(figures).map(([name, value]) => `  ${name.padEnd(26)}${value}`),
		`  ${'faults'.padEnd(26)}${struck}: ${kinds.join(', ')}`,
		...(failed.length > 0 ? ['', ...failed, '', `The same again: ${replayCommand(options)}`] : []),
		'',
		`${figures.histories - failed.length} passed, ${failed.length} failed`,
	].join('\n');
}
