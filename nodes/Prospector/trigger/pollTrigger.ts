import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { addCatchUpNote, toNodeError, withAdviceInMessage } from '../messages/nodeErrors';
import { clockOffsetMessage } from '../messages/triggerMessages';
import { UserError } from '../messages/userMessage';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import type { RequestSettings } from '../transport/request/client';
import { RequestBudget } from '../transport/request/requestBudget';
import { ServiceClock } from '../transport/request/serviceClock';
import { shortHash } from '../utils';
import { type PollOutcome, runPoll } from './poll';
import { PollReader } from './pollReader';
import { readPreview } from './preview';
import { readTriggerSettings } from './settings';
import { createState, parseState, serializeState, type TriggerState } from './state/triggerState';
import { getMemory, decidePollReport, type TriggerMemory } from './triggerMemory';
import { refreshWorkflows } from './refreshWorkflows';

/** One request that is throttled or retried must not take all the time of a poll. */
const MAX_REQUEST_WAIT_MS = 30_000;
/** n8n repeats a failed activation itself, and shows why it failed only if that takes less than a minute and a half. */
const MAX_ACTIVATION_WAIT_MS = 5000;
/** n8n waits for the first poll after an activation, and gives up after 84 s. */
const MAX_FIRST_POLL_MS = 45_000;
const MAX_POLL_MS = 120_000;

const STATE_KEY = 'prospectorTrigger';

/** A test in the editor, the first poll after an activation, or a later one. Returns null if there is nothing new. */
export async function pollTrigger(
	context: IPollFunctions,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
): Promise<INodeExecutionData[][] | null> {
	try {
		const items =
			context.getMode() === 'manual'
				? await readPreview(context, dependencies)
				: await executePoll(preparePoll(context, dependencies, memories));
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (thrown) {
		// Other errors than those of executePoll end a test or an activation.
		const error = toNodeError(context, thrown, 'editor');
		// n8n shows only the message of a failed activation.
		throw error === thrown || context.getMode() === 'manual' ? error : withAdviceInMessage(error);
	}
}

/**
 * @throws RequestError or UserError if the activation must fail; NodeApiError or NodeOperationError for an outage, unless
 *   the error was emitted or there are items
 */
async function executePoll(pollContext: PollContext | undefined): Promise<IDataObject[]> {
	if (pollContext === undefined) return [];
	const { dependencies, memory, staticData, storedState, signal } = pollContext;
	try {
		const outcome = await readNewItems(pollContext).catch((failure: unknown): PollOutcome => {
			// An activation without a baseline must fail.
			if (!pollContext.hasBaseline && !signal.aborted) throw failure;
			const stateText = pollContext.stateText as string;
			return { items: [], stateText, failures: [failure], losses: [], hasReadAll: false };
		});
		// A newer poll has taken over, and finds the same.
		if (signal.aborted) return [];
		staticData[STATE_KEY] = outcome.stateText;
		memory.lastStaticData = staticData;
		// While n8n still has the old text, these items may not have arrived, so a later poll emits them again.
		memory.unsavedState =
			outcome.items.length > 0
				? { baseText: storedState, stateText: pollContext.stateText, emittedAtMs: dependencies.clock.now() }
				: { baseText: storedState, stateText: outcome.stateText };
		reportProblems(pollContext, outcome);
		return outcome.items;
	} finally {
		memory.endPoll(staticData);
	}
}

/** Claims the poll and collects what it needs; undefined if another poll of this trigger is running. */
function preparePoll(
	context: IPollFunctions,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
) {
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
	return {
		...{ context, dependencies, memory, staticData, storedState, signal, log },
		stateText: memory.getNewestStateText(storedState),
		/** Whether the state tells what is new. */
		hasBaseline: false,
		isFirstAfterActivation: memory.lastStaticData !== staticData,
	};
}

type PollContext = NonNullable<ReturnType<typeof preparePoll>>;

/** @throws RequestError or UserError when the poll can't read anything, because there is no baseline without a response */
async function readNewItems(pollContext: PollContext): Promise<PollOutcome> {
	const { storedState, memory, log } = pollContext;
	const lastState = parseState(pollContext.stateText);
	if (pollContext.stateText !== undefined && lastState === undefined)
		log('warn', 'the stored state cannot be used, so the trigger starts over');
	pollContext.hasBaseline = lastState !== undefined;
	const reader = await openReader(pollContext, lastState);
	const { event, returnsResultsTogether } = reader.settings;
	const itemKind = returnsResultsTogether ? 'wholeRun' : event;
	const eventAndAddress = `${itemKind} ${shortHash(reader.client.connection.baseUrl)}`;
	pollContext.hasBaseline = lastState?.eventAndAddress === eventAndAddress;
	const state = lastState && pollContext.hasBaseline ? lastState : createState(eventAndAddress);
	await refreshWorkflows(reader, state, !pollContext.hasBaseline);
	if (!pollContext.hasBaseline) {
		// If this poll ends early, the next one has the same baseline.
		pollContext.hasBaseline = true;
		pollContext.stateText = serializeState(state);
		memory.unsavedState = { baseText: storedState, stateText: pollContext.stateText };
	}
	const outcome = await runPoll(reader, state);
	if (reader.clock.hasOffsetChanged) log('warn', clockOffsetMessage(reader.clock.offsetMs));
	return outcome;
}

async function openReader(
	{ context, dependencies, memory, isFirstAfterActivation, signal }: PollContext,
	state: TriggerState | undefined,
): Promise<PollReader> {
	const settings = await readTriggerSettings(context, dependencies, memory.workflowNames);
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	const maxPollMs = isFirstAfterActivation ? MAX_FIRST_POLL_MS : MAX_POLL_MS;
	const maxMs = Math.min(context.getPollBudgetMs?.() ?? maxPollMs, maxPollMs);
	const { maxRequests } = settings;
	const budget = new RequestBudget(dependencies.clock, { maxRequests, overdraft: state?.overdraft, maxMs });
	const clock = new ServiceClock(dependencies.wallClock, state);
	const onResponse: RequestSettings['onResponse'] = ({ statusCode, headers }, sentAtMs) => {
		budget.hadSuccessResponse ||= statusCode >= 200 && statusCode < 300;
		clock.observeDateHeader(headers.date, sentAtMs);
	};
	const retryForMs = state ? MAX_REQUEST_WAIT_MS : MAX_ACTIVATION_WAIT_MS;
	const requestSettings = { retryForMs, signal, budget, onResponse };
	const client = openClient(context, credential, requestSettings, dependencies);
	return new PollReader(client, settings, budget, clock);
}

/** @throws NodeError for a failed execution, if there is no other way to show it */
function reportProblems(
	{ context, dependencies, memory, isFirstAfterActivation, log }: PollContext,
	outcome: PollOutcome,
): void {
	const { reported, failure, losses } = decidePollReport(memory.reported, outcome, dependencies.clock.now());
	memory.reported = reported;
	for (const pollFailure of outcome.failures)
		log('warn', `${toNodeError(context, pollFailure, 'poll').message}. The next poll tries again`);
	const errors = losses.map((loss) => toNodeError(context, new UserError(loss), 'poll'));
	for (const { message } of errors) log('warn', message);
	if (failure !== undefined) errors.push(addCatchUpNote(toNodeError(context, failure, 'poll')));
	// An exception would end an activation without telling anyone, and delay the durable scheduler's next polls.
	const mustThrow = outcome.items.length === 0 && !isFirstAfterActivation;
	const errorToThrow = mustThrow ? errors.shift() : undefined;
	for (const error of errors) context.__emitError(error);
	if (errorToThrow !== undefined) throw errorToThrow;
}
