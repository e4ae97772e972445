// The trigger as n8n calls it: a test in the editor, or a poll with its stored state. An item is emitted together with
// the state that knows it.
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { isNodeError, type N8nCall, toNodeError } from '../messages/nodeErrors';
import { Redactor } from '../messages/redact';
import { catchUpNote } from '../messages/triggerMessages';
import { UserError } from '../messages/userMessage';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import type { RequestSettings } from '../transport/request/client';
import { HOUR_MS, shortHash } from '../utils';
import { RequestBudget } from './budget';
import { PollClock } from './clock';
import { type PollOutcome, runPoll } from './poll';
import { PollReader } from './pollReader';
import { readPreview } from './preview';
import { decideReports } from './reports';
import { readTriggerSettings, type TriggerSettings } from './settings';
import { createState, parseState, serializeState, type TriggerState } from './state';
import { getMemory, type TriggerMemory } from './triggerMemory';
import { refreshWorkflows } from './watchedWorkflows';

/** One request that is throttled or retried must not take all the time of a poll. */
const MAX_REQUEST_WAIT_MS = 30_000;
/** n8n repeats a failed activation, and shows why it failed if that ends in time (n8n-behaviour.md#activation). */
const MAX_ACTIVATION_WAIT_MS = 5000;
/** n8n waits for the first poll after an activation, and gives up after 84 s (n8n-behaviour.md#activation). */
const MAX_FIRST_POLL_MS = 45_000;
const MAX_POLL_MS = 120_000;

const STATE_KEY = 'prospectorTrigger';

/** A test in the editor, the first poll after an activation, or a later one. Returns null if there is nothing new. */
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
				: await executePoll(claimPoll(call, dependencies, memories));
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (thrown) {
		// The errors of `report` have their texts. Others end a test, or an activation, of which n8n shows only the message
		// (n8n-behaviour.md#activation).
		const isMessageOnly = context.getMode() !== 'manual';
		throw isNodeError(thrown) ? thrown : toNodeError(call, thrown, 'editor', { isMessageOnly });
	}
}

/** Claims the poll; undefined if another poll of this trigger is running. */
function claimPoll(
	call: N8nCall<IPollFunctions>,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
) {
	const { context } = call;
	const node = context.getNode();
	const { id, name } = context.getWorkflow();
	const log = (level: 'info' | 'warn', text: string) =>
		context.logger[level](`${node.name} in '${String(name)}': ${text}`);
	const staticData = context.getWorkflowStaticData('node');
	const nowMs = dependencies.clock.now();
	const memory = getMemory(memories, `${String(id)} ${node.id}`, nowMs);
	const storedState = staticData[STATE_KEY];
	const signal = memory.beginPoll(staticData, storedState, nowMs, context.getPollBudgetMs?.());
	if (signal === undefined) {
		log('info', 'the last poll is still running, so this one is skipped');
		return undefined;
	}
	const isFirstAfterActivation = memory.lastStaticData !== staticData;
	return { ...call, dependencies, memory, staticData, storedState, signal, log, isFirstAfterActivation };
}

type ClaimedPoll = NonNullable<ReturnType<typeof claimPoll>>;

/**
 * @throws RequestError or UserError if the activation must fail; NodeApiError or NodeOperationError for a failed execution,
 *   unless there are items
 */
async function executePoll(poll: ClaimedPoll | undefined): Promise<IDataObject[]> {
	if (poll === undefined) return [];
	const { memory, staticData, signal } = poll;
	try {
		const outcome = await readNewItems(poll);
		// A newer poll has taken over, and finds the same.
		if (signal.aborted) return [];
		// An activation without a baseline must fail.
		if (outcome.stateText === undefined) throw outcome.failures[0].error;
		save(poll, outcome);
		report(poll, outcome);
		return outcome.items;
	} finally {
		memory.endPoll(staticData);
	}
}

/** Loads the state and reads what is new. A failure before there is a baseline has no state. */
async function readNewItems(poll: ClaimedPoll): Promise<PollOutcome> {
	const { storedState, memory, dependencies, log } = poll;
	const { wallClock, turns } = dependencies;
	const storedText = memory.getNewestStateText(storedState);
	const lastState = parseState(storedText);
	if (storedText !== undefined && lastState === undefined)
		log('warn', 'the stored state cannot be used, so the trigger starts over');
	// What the next poll continues from if this one fails.
	let baselineText = lastState && String(storedText);
	try {
		const reader = await openReader(poll, lastState);
		const eventAndAddress = toEventAndAddress(reader);
		const isKnown = lastState?.eventAndAddress === eventAndAddress;
		const state = isKnown ? lastState : createState(eventAndAddress);
		if (!isKnown) baselineText = undefined;
		const failure = await refreshWorkflows(reader, state);
		if (failure !== undefined) throw failure;
		if (!isKnown) {
			const baseline = state.baseline ?? reader.clock.createBaseline();
			baselineText = (await serializeState({ ...state, baseline }, turns)).stateText;
			// n8n may abandon this poll (n8n-behaviour.md#polls): the next one has the same baseline.
			memory.unsavedState = { baseText: storedState, stateText: baselineText };
		}
		return await runPoll(reader, state, dependencies.maxStateBytes);
	} catch (error) {
		const failures = [{ error, sinceMs: wallClock.now() }];
		return { items: [], stateText: baselineText, failures, losses: [], notes: [] };
	}
}

/** What the state is about: the same resources of the same service. */
function toEventAndAddress({ settings, client }: PollReader): string {
	const { event, returnsResultsTogether } = settings;
	const itemKind: TriggerSettings['event'] | 'wholeRun' = returnsResultsTogether ? 'wholeRun' : event;
	return `${itemKind} ${shortHash(client.connection.baseUrl)}`;
}

async function openReader(poll: ClaimedPoll, state: TriggerState | undefined): Promise<PollReader> {
	const { context, dependencies, memory, isFirstAfterActivation, signal } = poll;
	const settings = await readTriggerSettings(context, dependencies, memory.workflowNames);
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	const maxPollMs = isFirstAfterActivation ? MAX_FIRST_POLL_MS : MAX_POLL_MS;
	const maxMs = Math.min(context.getPollBudgetMs?.() ?? maxPollMs, maxPollMs);
	const { maxRequests } = settings;
	const { overdraft = 0 } = state ?? {};
	const budget = new RequestBudget(dependencies.clock, { maxRequests, overdraft, maxMs });
	const clock = new PollClock(dependencies.wallClock);
	const onResponse: RequestSettings['onResponse'] = ({ statusCode, headers }, sentAtMs) => {
		budget.hadSuccessResponse ||= statusCode >= 200 && statusCode < 300;
		clock.observeDateHeader(headers.date, sentAtMs);
	};
	const retryForMs = state ? MAX_REQUEST_WAIT_MS : MAX_ACTIVATION_WAIT_MS;
	const requestSettings = { retryForMs, signal, budget, onResponse };
	const client = openClient(poll, credential, requestSettings, dependencies);
	return new PollReader(client, settings, budget, clock);
}

/** Stores the state, which n8n saves with the items (n8n-behaviour.md#polls). */
function save({ dependencies, memory, staticData, storedState }: ClaimedPoll, outcome: PollOutcome): void {
	const { items, stateText } = outcome;
	const baseStateText = memory.getNewestStateText(storedState);
	staticData[STATE_KEY] = stateText;
	memory.lastStaticData = staticData;
	// While n8n still has the old text, these items may not have arrived, so a later poll emits them again.
	memory.unsavedState =
		items.length > 0
			? { baseText: storedState, stateText: baseStateText, emittedAtMs: dependencies.clock.now() }
			: { baseText: storedState, stateText };
}

/** @throws NodeError for a failed execution, if there is no other way to show it */
function report(poll: ClaimedPoll, outcome: PollOutcome): void {
	const { context, dependencies, memory, isFirstAfterActivation, log } = poll;
	for (const note of outcome.notes) log('warn', note);
	for (const { error, taskName } of outcome.failures) {
		const task = taskName === undefined ? '' : ` when ${taskName}`;
		log('warn', `${toNodeError(poll, error, 'poll').message}${task}. A later poll tries again`);
	}
	const nowMs = dependencies.clock.now();
	const recent = new Map([...memory.reportedAtMs].filter(([, atMs]) => nowMs - atMs < HOUR_MS));
	// The log names each list that can't be read, a failed execution only one.
	const losses = outcome.losses.filter(({ message }) => !recent.has(message));
	for (const loss of losses) log('warn', toNodeError(poll, new UserError(loss), 'poll').message);
	const problems = decideReports(outcome, recent, dependencies.wallClock.now());
	for (const name of [...problems.map(({ kind }) => kind), ...losses.map(({ message }) => message)])
		recent.set(name, nowMs);
	memory.reportedAtMs = recent;
	const errors = problems.map(({ error, isFailure, taskName }) =>
		toNodeError(poll, error, 'poll', { note: isFailure ? catchUpNote(taskName) : undefined }),
	);
	// An exception would end an activation without telling anyone, and delay the durable scheduler's next polls.
	const mustThrow = outcome.items.length === 0 && !isFirstAfterActivation;
	const errorToThrow = mustThrow ? errors.shift() : undefined;
	for (const error of errors) context.__emitError(error);
	if (errorToThrow !== undefined) throw errorToThrow;
}
