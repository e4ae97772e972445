/* eslint-disable @n8n/community-nodes/require-node-api-error -- not published */
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from './activeTrigger';
import { type BehaviourCounts, addCounts } from './behaviours';
import { historyCommands } from './commands';
import { findLateItems } from './lateness';
import { findItemViolations, findViolations, type Violation } from './oracle';
import {
	DEFAULTS,
	type HistorySettings,
	historySettings,
	type TriggerEvent,
	unusualSettings,
	unusualValuesOf,
} from './settings';
import { performStep, playIdlePoll, type Step } from './steps';
import { World } from './world';

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
	/** The kind and the first sentence of the first violation. */
	readonly summary: string;
	/** Number of histories played, including this one. */
	histories = 1;

	constructor(event: TriggerEvent, { settings: all, lines, steps }: World, violations: Violation[]) {
		const settings = unusualSettings(all);
		const shown = violations.slice(0, 5).map(({ kind, text }) => `  ${kind}: ${text}`);
		const parts = [`event: ${event}`, `settings: ${JSON.stringify(settings)}`, ...lines];
		super([...parts.map((line) => `  ${line}`), '', ...shown].join('\n'));
		this.history = { event, settings, steps };
		this.summary = shown[0].trim().split(/(?<=\.)\s/)[0];
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
	unusualValuesOf(settings).forEach(world.count);
	await playSteps(world);
	const isEndless = !(await pollUntilIdle(world));
	addCounts(counts, world.counts);
	const violations = [...findViolations(world), ...findLateItems(world)];
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
async function pollUntilIdle(world: World): Promise<boolean> {
	const { settings, trigger, ledger, time, simulator } = world;
	simulator.control.patchSettings({ limit: 1_000_000 });
	const requestsPerPoll = settings.responseMs > 0 ? 4 : Math.min(settings.maxRequests, 30);
	const longestList = Math.max(0, ...ledger.runs.map(({ results }) => results.length));
	const lists = ledger.workflows.length + ledger.runs.length;
	const pageReads = Math.ceil((4 * longestList) / settings.defaultPageSize / (requestsPerPoll - 3));
	const maxIdlePolls = IDLE_POLLS + Math.ceil((8 * lists) / requestsPerPoll) + pageReads;
	const hasLost = () => findItemViolations(world).some(({ kind }) => kind === 'lost');
	let completePolls = 0;
	let isComplete = !hasLost();
	const lastPoll = world.polls + 20 * maxIdlePolls + 1000;
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
		// Until it has repaid what it sent for a long list, the trigger does not read it again.
		if (!isComplete && hasOverdraft(world)) {
			idle--;
			continue;
		}
		time.advance(pauseMs);
		pauseMs = Math.min(Math.max(pauseMs, MINUTE_MS) * 3, 12 * HOUR_MS);
	}
	return world.polls < lastPoll;
}

/** Whether earlier polls have sent more requests than they may, as the state's first line says. */
function hasOverdraft({ trigger }: World): boolean {
	const [head] = trigger.polls.at(-1)?.stateText?.split('\n') ?? [];
	return head !== undefined && Number((JSON.parse(head) as unknown[])[1]) > 0;
}

interface PlayOptions {
	/** Whether to stop without shrinking. */
	endOnFailure?: boolean;
	/** Settings that all histories have. */
	settings?: Partial<HistorySettings>;
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
	{ endOnFailure = false, settings: fixed = {} }: PlayOptions = {},
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
	const property = fc.asyncProperty(historySettings(fixed), historyCommands, play);
	const details = await fc.check(property, { seed, numRuns: histories, endOnFailure });
	if (!details.failed) return undefined;
	const { errorInstance } = details as { errorInstance?: unknown };
	if (!(errorInstance instanceof HistoryViolation)) throw errorInstance;
	return Object.assign(errorInstance, { histories: details.numRuns });
}
