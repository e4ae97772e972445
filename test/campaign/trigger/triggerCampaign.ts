import fc from 'fast-check';
import { digest, seededRandom as dice } from '../../../sandbox/ids';
import { historiesOf, replay, type History, type HistoryEvent } from '../../unit/helpers/trigger/history';
import { violationsOf } from '../../unit/helpers/trigger/violations';
import { seededRandom } from '../seededRandom';
import { SandboxService, startEnvironment, type Environment } from './sandboxService';

export interface TriggerCampaignOptions {
	/** Determines the histories and the faults. */
	seed: number;
	/** Minimum number of polls; the last history is played to its end. */
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
	/** Number of requests that met each fault. */
	faults: Record<string, number>;
	/** Violations per history. */
	failed: string[];
}

const EVENTS = ['newRun', 'newResult', 'runStatusChanged', 'runFailed'];
const MAX_STATE_BYTES = 1_000_000;

/** Share of the events that a campaign keeps. */
const EVENT_SHARES: Partial<Record<HistoryEvent['kind'], number>> = {
	...{ addRun: 0.4, addResults: 0.4, setStatus: 0.5, addWorkflow: 0.4, deleteWorkflow: 0.2 },
};

/** Returns a random history, longer than those of other tests, with the request budgets that users set. */
function randomHistory(seed: number, event: string, maxLength: number): History {
	const histories = historiesOf({ minLength: maxLength / 3, maxLength });
	const [history] = fc.sample(histories, { seed, numRuns: 1 });
	const random = seededRandom(seed, 'history');
	return {
		...history,
		ids: undefined,
		pageSize: random.one([2, 5, 20, 50]),
		watch: random.weighted({ all: 2, several: 1, one: 1 }),
		maxRequests: random.chance(0.75) ? 30 : 10,
		statuses: event === 'runFailed' ? ['queued', 'running', 'completed', 'failed'] : history.statuses,
		responseMs: random.chance(2 / 3) ? 0 : history.responseMs,
		runs: random.one([0, 13, 20]),
		// Fewer changes between two polls, and Prospector workflows that last.
		events: history.events.filter(({ kind }) => random.chance(EVENT_SHARES[kind] ?? 1)),
	};
}

/** Plays random histories until there were enough polls. */
export async function runTriggerCampaign(options: TriggerCampaignOptions): Promise<TriggerCampaignReport> {
	const environment = await startEnvironment();
	const { random } = Math;
	try {
		return await playAll(environment, options);
	} finally {
		Math.random = random;
		await environment.close();
	}
}

async function playAll(
	environment: Environment,
	{ seed, polls, first = 0, processes = 1, maxEvents = 600, onProgress }: TriggerCampaignOptions,
): Promise<TriggerCampaignReport> {
	const figures: Record<string, number> = {
		...{ polls: 0, histories: 0, items: 0, requests: 0, 'failed polls': 0, restarts: 0, kills: 0 },
		...{ 'abandoned polls': 0, 'repeated polls': 0 },
		...{ 'most requests in a poll': 0, 'largest state in bytes': 0, lost: 0, repeated: 0, wrong: 0 },
	};
	const add = (name: string, count = 1) => void (figures[name] += count);
	const raise = (name: string, value: number) => void (figures[name] = Math.max(figures[name], value));
	const failed: string[] = [];
	for (let number = first; figures.polls < polls; number += processes) {
		const event = EVENTS[number % EVENTS.length];
		const historySeed = parseInt(digest(JSON.stringify([seed, number]), 7), 16);
		const history = randomHistory(historySeed, event, maxEvents);
		// The node's retry delays are random.
		Math.random = dice(historySeed);
		const findings = new Set<string>();
		let service: SandboxService | undefined;
		const result = await replay(history, event, {
			startService: (settings) =>
				(service = new SandboxService(environment, seededRandom(historySeed, 'service'), settings)),
			onPoll({ requests, maxRequests, stateBytes, failure }) {
				add('polls');
				add('requests', requests);
				if (failure !== undefined) add('failed polls');
				raise('largest state in bytes', stateBytes);
				// Only the first poll of a history may send 1,000.
				if (maxRequests < 1000) raise('most requests in a poll', requests);
				if (requests > maxRequests) findings.add(`${requests} requests in a poll`);
				if (stateBytes > MAX_STATE_BYTES) findings.add(`a state of ${stateBytes} bytes`);
				const { name = 'none' } = (failure ?? {}) as Partial<Error>;
				if (!['none', 'NodeApiError', 'NodeOperationError'].includes(name))
					findings.add(`a poll threw ${String(failure)}`);
			},
		});
		// A trigger that sends no requests does not wait for them.
		await service?.pendingDeletions;
		for (const [name, ids] of Object.entries(violationsOf(result, event)) as Array<['lost', string[]]>) {
			add(name, ids.length);
			if (ids.length > 0) findings.add(`${name}: ${ids.join(', ')}`);
		}
		const count = (matches: (one: HistoryEvent) => boolean) => history.events.filter(matches).length;
		add('histories');
		add('items', result.emitted.length);
		add(
			'restarts',
			count(({ kind }) => kind === 'restart'),
		);
		add('kills', result.kills);
		for (const mode of history.scheduler === 'classic' ? [] : ['abandoned', 'repeated'])
			add(
				`${mode} polls`,
				count((one) => one.kind === 'poll' && one.mode === mode),
			);
		if (findings.size > 0)
			failed.push(`history ${number} (${event}, ${history.scheduler}): ${[...findings].join('; ')}`);
		onProgress?.(figures.polls);
	}
	return { figures, faults: Object.fromEntries(environment.faults), failed };
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

/** Returns the command that repeats a campaign. */
export const replayCommand = ({ seed, polls, first = 0, processes = 1 }: TriggerCampaignOptions) =>
	`npm run campaign:trigger -- --seed ${seed} --polls ${polls} --first ${first} --processes ${processes}`;

/** Returns the figures, the histories that failed, and the closing line. */
export function reportText(
	{ figures, faults, failed }: TriggerCampaignReport,
	options: TriggerCampaignOptions,
): string {
	const total = Object.values(faults).reduce((sum, count) => sum + count, 0);
	const kinds = Object.entries(faults)
		.sort(([, a], [, b]) => b - a)
		.map(([kind, count]) => `${kind} ${count}`);
	const rows = Object.entries({ ...figures, faults: `${total}: ${kinds.join(', ')}` });
	return [
		...rows.map(([name, value]) => `  ${name.padEnd(26)}${value}`),
		...(failed.length > 0 ? ['', ...failed, '', `To repeat it: ${replayCommand(options)}`] : []),
		'',
		`${figures.histories - failed.length} passed, ${failed.length} failed`,
	].join('\n');
}
