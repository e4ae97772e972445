/* eslint-disable @n8n/community-nodes/require-node-api-error -- not published */
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from './activeTrigger';
import { type BehaviourCounts, type Behaviour, addCounts } from './behaviours';
import { historyCommands } from './commands';
import { findLateItems } from './lateness';
import { findItemViolations, findViolations, type Violation } from './oracle';
import { DEFAULTS, type HistorySettings, historySettings, unusualSettings } from './settings';
import { performStep, playIdlePoll, type Step } from './steps';
import { World } from './world';

/** `returnedRun`: Run Finished with the option *Return Run*. */
export const EVENTS = [
	'newRun',
	'newResult',
	'runStatusChanged',
	'runFailed',
	'runFinished',
	'returnedRun',
] as const;
export type TriggerEvent = (typeof EVENTS)[number];

/** Polls without items at the end of a history. With the growing intervals between them, they take days. */
const IDLE_POLLS = 12;
/** Time in which a failed history is shrunk. Milliseconds. */
const MAX_SHRINK_MS = 30_000;

/** A history as data. Missing settings have their usual values. */
export interface History {
	event: TriggerEvent;
	settings: Partial<HistorySettings>;
	steps: Step[];
}

/** A history that violates a rule, as an engineer reads it. */
export class HistoryViolation extends Error {
	readonly history: History;

	constructor(event: TriggerEvent, { settings: all, lines, steps }: World, violations: Violation[]) {
		const settings = unusualSettings(all);
		const shown = violations.slice(0, 5).map(({ kind, text }) => `  ${kind}: ${text}`);
		const parts = [`event: ${event}`, `settings: ${JSON.stringify(settings)}`, ...lines];
		super([...parts.map((line) => `  ${line}`), '', ...shown].join('\n'));
		this.history = { event, settings, steps };
	}
}

/** Plays a history. @throws HistoryViolation */
async function playHistory(
	event: TriggerEvent,
	settings: HistorySettings,
	playSteps: (world: World) => Promise<void>,
	counts: BehaviourCounts,
): Promise<void> {
	const world = new World(settings);
	try {
		await world.start(event);
	} catch (failure) {
		throw new HistoryViolation(event, world, [
			{ kind: 'falseReport', text: `the first poll threw ${String(failure)}` },
		]);
	}
	countSettings(world);
	await playSteps(world);
	const isEndless = !(await pollUntilIdle(world, event));
	addCounts(counts, world.counts);
	const violations = [...findViolations(world, event), ...findLateItems(world, event)];
	if (isEndless) violations.push({ kind: 'repeated', text: `each of ${world.polls} polls emitted items` });
	if (violations.length > 0) throw new HistoryViolation(event, world, violations);
}

/** Plays a stored history. @throws HistoryViolation */
export async function replayHistory({ event, settings, steps }: History): Promise<void> {
	const playSteps = async (world: World) => {
		for (const step of steps) await performStep(world, step);
	};
	await playHistory(event, { ...DEFAULTS, ...settings }, playSteps, new Map());
}

/**
 * Polls until the trigger has had time to read everything several times.
 *
 * @returns false if it emits items endlessly
 */
async function pollUntilIdle(world: World, event: TriggerEvent): Promise<boolean> {
	const { settings, trigger, ledger, time, simulator } = world;
	simulator.control.patchSettings({ limit: 1_000_000 });
	const requestsPerPoll = settings.responseMs > 0 ? 4 : Math.min(settings.maxRequests, 30);
	const longestList = Math.max(0, ...ledger.runs.map(({ results }) => results.length));
	const lists = ledger.workflows.length + ledger.runs.length;
	const pageReads = Math.ceil((4 * longestList) / settings.defaultPageSize / (requestsPerPoll - 3));
	// After the trigger has read a list whose cursors expire, it sends fewer requests for many polls.
	const factor = settings.cursorTtlMs === null ? 1 : 6;
	const enough = IDLE_POLLS + Math.ceil((8 * lists) / requestsPerPoll) + pageReads;
	const maxIdlePolls = Math.max(enough, Math.min(factor * enough, 300));
	const hasLost = () => findItemViolations(world, event).some(({ kind }) => kind === 'lost');
	let completePolls = 0;
	let isComplete = !hasLost();
	const lastPoll = world.polls + 20 * maxIdlePolls;
	for (
		let idle = 0, pauseMs = 0;
		idle < maxIdlePolls && completePolls < IDLE_POLLS && world.polls < lastPoll;
		idle++
	) {
		const { length } = trigger.emitted;
		await playIdlePoll(world);
		if (trigger.emitted.length > length) {
			idle = 0;
			isComplete = !hasLost();
		}
		completePolls = idle > 0 && isComplete ? completePolls + 1 : 0;
		time.advance(pauseMs);
		pauseMs = Math.min(Math.max(pauseMs, MINUTE_MS) * 3, 12 * HOUR_MS);
	}
	return world.polls < lastPoll;
}

function countSettings(world: World): void {
	const { scheduler, watch, maxRequests, maxItems, ids, workflows, responseMs, n8nAheadMs } = world.settings;
	const took: Array<[Behaviour, boolean]> = [
		[`scheduler: ${scheduler}`, true],
		[`watch: ${watch}`, true],
		[`requests: ${maxRequests}`, maxRequests <= 30],
		['few items per poll', maxItems < 10],
		['odd IDs', ids === 'odd'],
		['unusable IDs', ids === 'unusable'],
		['same run ID twice', ids === 'sameRunId'],
		['60 Prospector workflows or more', workflows >= 60],
		['300 Prospector workflows or more', workflows >= 300],
		[`responses of ${responseMs / 1000} s`, responseMs > 0],
		["n8n's clock differs", n8nAheadMs !== 0],
		['no Date header', !world.settings.dateHeader],
		['existing items included', world.settings.includeExisting],
	];
	for (const [name, isTrue] of took) if (isTrue) world.count(name);
}

/**
 * Plays random histories until one violates a rule, and shrinks it.
 *
 * @param counts gains how often each behaviour occurred
 * @returns the violation
 */
export async function playHistories(
	event: TriggerEvent,
	seed: number,
	histories: number,
	counts: BehaviourCounts = new Map(),
): Promise<HistoryViolation | undefined> {
	let shrinkUntil = Infinity;
	const play = async (settings: HistorySettings, commands: Iterable<fc.AsyncCommand<object, World>>) => {
		if (performance.now() > shrinkUntil) return;
		const playSteps = async (world: World) =>
			await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
		await playHistory(event, settings, playSteps, counts).catch((violation: unknown) => {
			shrinkUntil = Math.min(shrinkUntil, performance.now() + MAX_SHRINK_MS);
			throw violation;
		});
	};
	const property = fc.asyncProperty(historySettings, historyCommands, play);
	const details = await fc.check(property, { seed, numRuns: histories });
	if (!details.failed) return undefined;
	const { errorInstance } = details as { errorInstance?: unknown };
	if (errorInstance instanceof HistoryViolation) return errorInstance;
	throw errorInstance;
}
