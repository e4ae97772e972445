// The trigger as n8n calls it: a test in the editor, or a poll, which loads the state, reads, saves and reports. An item
// is emitted together with the state that knows it.
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type N8nCall, toNodeError } from '../messages/nodeErrors';
import { Redactor } from '../messages/redact';
import { catchUpNote } from '../messages/triggerMessages';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import { parseConnection } from '../parameters/parseConnection';
import type { Dependencies } from '../transport/dependencies';
import { DAY_MS, HOUR_MS, shortHash } from '../utils';
import { RequestBudget } from './budget';
import { PollClock } from './pollClock';
import { type PollOutcome, runPoll } from './poll';
import { PollContext } from './pollContext';
import { readPreview } from './preview';
import { decideReports } from './reports';
import { readTriggerSettings, type TriggerSettings } from './settings';
import { createState, parseState, serializeState, type TriggerState } from './state';
import { refreshWorkflows } from './watchedWorkflows';

/** After this time, what a poll emitted was saved or discarded (n8n-behaviour.md#polls). */
const MAX_SAVE_DURATION_MS = 30_000;
/** A trigger that has not polled for longer was deleted, or loses no more than by a restart of n8n. */
const MAX_MEMORY_AGE_MS = 8 * DAY_MS;
/** One request that is throttled or retried must not take all the time of a poll. */
const MAX_REQUEST_WAIT_MS = 30_000;
/** n8n repeats a failed activation, and shows why it failed if that ends in time (n8n-behaviour.md#activation). */
const MAX_ACTIVATION_WAIT_MS = 5000;
/**
 * For a poll with new static data: the first one after an activation, which n8n gives up after 84 s
 * (n8n-behaviour.md#activation), or any poll of the durable scheduler, which abandons it after 45 s (n8n-behaviour.md#polls).
 */
const MAX_FIRST_POLL_MS = 36_000;
const MAX_POLL_MS = 120_000;

const STATE_KEY = 'prospectorTrigger';

/** What this process remembers of a trigger between two polls, besides the stored state. */
export interface TriggerMemory {
	/** When a problem was reported last, by its kind, or logged, by its message; on the monotonic clock. */
	reportedAtMs: ReadonlyMap<string, number>;
	workflowNames: TriggerSettings['workflowNames'];
	polledAtMs: number;
	/** That of the last saved poll. After an activation, n8n passes another object (n8n-behaviour.md#activation). */
	lastStaticData?: object;
	/**
	 * What the next poll continues with if its static data still has the text from before the last poll, `validWhileStored`:
	 * n8n has discarded, or not yet saved, what that poll stored (n8n-behaviour.md#polls). `continueWith` is
	 * - the baseline of a first poll that was abandoned
	 * - the state of a poll without items
	 * - the state before a poll with items, which were emitted at `emittedAtMs`, so that they are found again
	 */
	unsavedState?: { validWhileStored: unknown; continueWith: unknown; emittedAtMs?: number };
	/** `endsAtMs`: until then, n8n does not abandon the poll. */
	runningPoll?: { staticData: object; controller: AbortController; endsAtMs: number };
}

/** Returns the memory of a trigger, or a new one. Forgets old ones, which can have several MB each. */
export function findOrAddMemory(memories: Map<string, TriggerMemory>, triggerId: string, nowMs: number) {
	// The one that polled longest ago is the first.
	for (const [id, { polledAtMs }] of memories) {
		if (nowMs - polledAtMs <= MAX_MEMORY_AGE_MS) break;
		memories.delete(id);
	}
	const known = memories.get(triggerId) ?? { reportedAtMs: new Map(), workflowNames: new Map() };
	const memory: TriggerMemory = Object.assign(known, { polledAtMs: nowMs });
	memories.delete(triggerId);
	memories.set(triggerId, memory);
	return memory;
}

/** A test in the editor, or a poll. Returns null if there is nothing new. */
export async function pollTrigger(
	context: IPollFunctions,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
): Promise<INodeExecutionData[][] | null> {
	const call = { context, redactor: new Redactor() };
	try {
		const items =
			context.getMode() === 'manual'
				? await readPreview(call, dependencies)
				: await executePoll(startPoll(call, dependencies, memories));
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (thrown) {
		// Of a failed activation, n8n shows only the message (n8n-behaviour.md#activation).
		const isMessageOnly = context.getMode() !== 'manual';
		throw toNodeError(call, thrown, 'trigger', { isMessageOnly });
	}
}

/**
 * Starts a poll. All polls of an activation have the same object as static data (n8n-behaviour.md#activation).
 * - Returns undefined while another poll of the activation runs, or one of another activation has time left.
 * - Returns undefined while n8n may be saving the items of the last poll, in another object.
 * - Aborts a poll of another activation that has no time left: n8n has replaced or abandoned it (n8n-behaviour.md#polls).
 */
function startPoll(
	call: N8nCall<IPollFunctions>,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
) {
	const { context } = call;
	const node = context.getNode();
	const { id, name } = context.getWorkflow();
	const log = (level: 'info' | 'warn', text: string) =>
		context.logger[level](`${node.name} in '${String(name)}': ${text}`);
	const nowMs = dependencies.clock.now();
	const memory = findOrAddMemory(memories, `${String(id)} ${node.id}`, nowMs);
	const staticData = context.getWorkflowStaticData('node');
	const storedText = staticData[STATE_KEY];
	const { runningPoll, unsavedState: { emittedAtMs = -Infinity, validWhileStored } = {} } = memory;
	const isRunning = runningPoll && (runningPoll.staticData === staticData || nowMs < runningPoll.endsAtMs);
	// In the same object, the last poll has replaced the text itself, so this is false.
	const isBeingSaved = validWhileStored === storedText && nowMs < emittedAtMs + MAX_SAVE_DURATION_MS;
	if (isRunning || isBeingSaved) {
		log('info', 'the last poll is still running or being saved, so this one is skipped');
		return undefined;
	}
	runningPoll?.controller.abort();
	const controller = new AbortController();
	memory.runningPoll = { staticData, controller, endsAtMs: nowMs + (context.getPollBudgetMs?.() ?? 0) };
	const isFirstAfterActivation = memory.lastStaticData !== staticData;
	const { signal } = controller;
	return { ...call, dependencies, memory, staticData, storedText, signal, log, isFirstAfterActivation };
}

type StartedPoll = NonNullable<ReturnType<typeof startPoll>>;

/** @throws RequestError or UserError if the activation must fail */
async function executePoll(poll: StartedPoll | undefined): Promise<IDataObject[]> {
	if (poll === undefined) return [];
	const { storedText, memory, staticData, dependencies, signal, log } = poll;
	const { turns } = dependencies;
	const { unsavedState } = memory;
	const newestText = unsavedState?.validWhileStored === storedText ? unsavedState?.continueWith : storedText;
	const lastState = await parseState(newestText, turns);
	if (newestText !== undefined && lastState === undefined)
		log('warn', 'the stored state cannot be used, so the trigger starts over');
	// The last state or, for a new trigger, its baseline. The next poll continues with it if this one fails or is lost.
	let stateTextBefore = lastState && String(newestText);
	let outcome: PollOutcome;
	try {
		const { pollContext, isContinued } = await openPollContext(poll, lastState);
		// The stored state is about another event or Base URL.
		if (!isContinued) stateTextBefore = undefined;
		await refreshWorkflows(pollContext, !isContinued);
		if (!isContinued) {
			stateTextBefore = (await serializeState(pollContext.state, turns)).stateText;
			// n8n may abandon this poll (n8n-behaviour.md#polls): the next one has the same baseline.
			memory.unsavedState = { validWhileStored: storedText, continueWith: stateTextBefore };
		}
		outcome = await runPoll(pollContext, dependencies.maxStateBytes);
	} catch (error) {
		const failures = [{ taskName: 'polling', error }];
		outcome = { items: [], stateText: stateTextBefore, failures, failingSinceMs: Infinity, notes: [] };
	} finally {
		if (memory.runningPoll?.staticData === staticData) memory.runningPoll = undefined;
	}
	// A newer poll has taken over, and finds the same items.
	if (signal.aborted) return [];
	// An activation without a baseline must fail.
	if (outcome.stateText === undefined) throw outcome.failures[0].error;
	save(poll, outcome, stateTextBefore);
	report(poll, outcome);
	return outcome.items;
}

/** Returns what the poll reads with. Its state is a new one unless the last one is about this event and Base URL. */
async function openPollContext(poll: StartedPoll, lastState: TriggerState | undefined) {
	const { context, dependencies, memory, isFirstAfterActivation, signal } = poll;
	const settings = await readTriggerSettings(context, dependencies, memory.workflowNames);
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	// Run Finished returns a run or its results, which are different items.
	const itemKind = settings.returnsResultsTogether ? 'resultsTogether' : settings.event;
	const eventAndAddress = `${itemKind} ${shortHash(parseConnection(credential).baseUrl)}`;
	const isContinued = lastState?.eventAndAddress === eventAndAddress;
	const maxPollMs = isFirstAfterActivation ? MAX_FIRST_POLL_MS : MAX_POLL_MS;
	const maxMs = Math.min(context.getPollBudgetMs?.() ?? maxPollMs, maxPollMs);
	const overdraft = lastState?.overdraft ?? 0;
	const budget = new RequestBudget(dependencies.clock, settings.maxRequests, overdraft, maxMs);
	const pollClock = new PollClock(dependencies.wallClock);
	const retryForMs = isContinued ? MAX_REQUEST_WAIT_MS : MAX_ACTIVATION_WAIT_MS;
	const requestSettings = { retryForMs, signal, budget, onResponse: pollClock.observeResponse };
	const client = openClient(poll, credential, requestSettings, dependencies);
	const state = isContinued ? lastState : createState(eventAndAddress, pollClock.createBaseline());
	return { pollContext: new PollContext(client, settings, budget, pollClock, state), isContinued };
}

/** Stores the state, which n8n saves with the items (n8n-behaviour.md#polls). */
function save(poll: StartedPoll, { items, stateText }: PollOutcome, stateTextBefore?: string): void {
	const { dependencies, memory, staticData, storedText } = poll;
	const hasItems = items.length > 0;
	memory.lastStaticData = staticData;
	memory.unsavedState = {
		validWhileStored: storedText,
		continueWith: hasItems ? stateTextBefore : stateText,
		emittedAtMs: hasItems ? dependencies.clock.now() : undefined,
	};
	staticData[STATE_KEY] = stateText;
}

/**
 * Logs what has failed, and makes a failed execution of what a person should see. An exception would do that, too, but end
 * an activation, delay the next polls, and keep n8n from saving the state (n8n-behaviour.md#polls).
 */
function report(poll: StartedPoll, outcome: PollOutcome): void {
	const { context, dependencies, memory, log } = poll;
	for (const note of outcome.notes) log('warn', note);
	const nowMs = dependencies.clock.now();
	const recent = new Map([...memory.reportedAtMs].filter(([, atMs]) => nowMs - atMs < HOUR_MS));
	memory.reportedAtMs = recent;
	for (const { error, taskName } of outcome.failures) {
		const { message } = toNodeError(poll, error, 'poll');
		// The log names each list that can't be read. A failed execution names only one.
		if (taskName) log('warn', `${message} when ${taskName}. A later poll tries again`);
		else if (!recent.has(message)) {
			log('warn', message);
			recent.set(message, nowMs);
		}
	}
	for (const [kind, { error, taskName }] of decideReports(outcome, recent, dependencies.wallClock.now())) {
		recent.set(kind, nowMs);
		context.__emitError(toNodeError(poll, error, 'poll', { note: taskName && catchUpNote(taskName) }));
	}
}
