import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { addCatchUpNote, toNodeError } from '../messages/nodeErrors';
import { clockOffsetMessage } from '../messages/triggerMessages';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import type { RequestSettings } from '../transport/request/client';
import { RequestBudget } from '../transport/request/requestBudget';
import { ServiceClock } from '../transport/request/serviceClock';
import { shortHash } from '../utils';
import { type PollOutcome, readTasks } from './poll';
import { PollReader } from './pollReader';
import { showPreview } from './preview';
import { readTriggerSettings } from './settings';
import { newState, parseState, serializeState, type TriggerState } from './state/triggerState';
import { getMemory, reportPoll, type TriggerMemory } from './triggerMemory';
import { updateWorkflows } from './workflowList';

/** One request that is throttled or retried must not take all the time of a poll. */
const MAX_REQUEST_WAIT_MS = 30_000;
/** n8n waits for the first poll after an activation, and gives up after 84 s. */
const MAX_FIRST_POLL_MS = 45_000;
const MAX_POLL_MS = 120_000;

const STATE = 'prospectorTrigger';

/**
 * One poll, as n8n calls it: a test in the editor, the first poll after an activation, or a later one.
 *
 * @returns null if there is nothing new
 * @throws NodeApiError or NodeOperationError that says what to do
 */
export async function pollTrigger(
	context: IPollFunctions,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
): Promise<INodeExecutionData[][] | null> {
	try {
		const items =
			context.getMode() === 'manual'
				? await showPreview(context, dependencies)
				: await findNewItems(context, dependencies, memories);
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (thrown) {
		// Other errors than those of findNewItems end a test or an activation.
		throw toNodeError(context, thrown, 'editor');
	}
}

/**
 * @throws RequestError or UserError if the activation must fail; NodeApiError or NodeOperationError for an outage, unless
 *   the error was emitted or there are items
 */
async function findNewItems(
	context: IPollFunctions,
	dependencies: Dependencies,
	memories: Map<string, TriggerMemory>,
): Promise<IDataObject[]> {
	const started = startPoll(context, dependencies, memories);
	if (started === undefined) return [];
	try {
		const poll = await readNewItems(started).catch((failure: unknown): PollOutcome => {
			// An activation without a baseline must fail.
			if (!started.hasBaseline && !started.signal.aborted) throw failure;
			const state = started.text as string;
			return { items: [], state, failures: [failure], losses: [], isComplete: false };
		});
		// A newer poll has taken over, and finds the same.
		if (started.signal.aborted) return [];
		const { memory, staticData, stored, text } = started;
		staticData[STATE] = poll.state;
		memory.lastContext = staticData;
		const hasItems = poll.items.length > 0;
		memory.unsaved = hasItems
			? { stored, text, emittedAtMs: dependencies.clock.now() }
			: { stored, text: poll.state };
		reportProblems(started, poll);
		return poll.items;
	} finally {
		started.memory.end(started.staticData);
	}
}

/** Returns what n8n and this process know; undefined if another poll of this trigger is running. */
function startPoll(
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
	const stored = staticData[STATE];
	const signal = memory.start(staticData, stored, nowMs, context.getPollBudgetMs?.());
	if (signal === undefined) {
		log('info', 'the last poll is still running, so this one is skipped');
		return undefined;
	}
	return {
		...{ context, dependencies, memory, staticData, stored, signal, log },
		/** The newest state, and whether it tells what is new. */
		text: memory.newestText(stored),
		hasBaseline: false,
		/** Whether n8n may be waiting for the first poll after an activation. */
		isFirst: memory.lastContext !== staticData,
	};
}

type StartedPoll = NonNullable<ReturnType<typeof startPoll>>;

/** @throws RequestError or UserError when the poll can't read anything, because there is no baseline without a response */
async function readNewItems(started: StartedPoll): Promise<PollOutcome> {
	const { stored, memory, log } = started;
	const last = parseState(started.text);
	if (started.text !== undefined && last === undefined)
		log('warn', 'the stored state cannot be used, so the trigger starts over');
	started.hasBaseline = last !== undefined;
	const reader = await openReader(started, last);
	const scope = `${reader.settings.event} ${shortHash(reader.client.connection.baseUrl)}`;
	started.hasBaseline = last?.scope === scope;
	const state = last && started.hasBaseline ? last : newState(scope);
	await updateWorkflows(reader, state, !started.hasBaseline);
	if (!started.hasBaseline) {
		// If this poll ends early, the next one has the same baseline.
		started.hasBaseline = true;
		started.text = serializeState(state);
		memory.unsaved = { stored, text: started.text };
	}
	const poll = await readTasks(reader, state);
	if (reader.clock.hasChanged) log('warn', clockOffsetMessage(reader.clock.offsetMs));
	return poll;
}

async function openReader(
	{ context, dependencies, isFirst, signal }: StartedPoll,
	stored: TriggerState | undefined,
): Promise<PollReader> {
	const settings = readTriggerSettings(context);
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	const maxMs = isFirst ? MAX_FIRST_POLL_MS : MAX_POLL_MS;
	const timeMs = Math.min(context.getPollBudgetMs?.() ?? maxMs, maxMs);
	const { maxRequests } = settings;
	const budget = new RequestBudget(dependencies.clock, { maxRequests, overdraft: stored?.overdraft, timeMs });
	const clock = new ServiceClock(dependencies.wallClock, stored);
	const onResponse: RequestSettings['onResponse'] = ({ statusCode, headers }, sentAtMs) => {
		budget.hasSucceeded ||= statusCode >= 200 && statusCode < 300;
		clock.observe(headers.date, sentAtMs);
	};
	const limits = { retryForMs: MAX_REQUEST_WAIT_MS, signal, budget, onResponse };
	const client = openClient(context, credential, limits, dependencies);
	return new PollReader(client, settings, budget, clock);
}

/** @throws NodeError for a failed execution, if there is no other way to show it */
function reportProblems(
	{ context, dependencies, memory, isFirst, log }: StartedPoll,
	poll: PollOutcome,
): void {
	const { outage, failure, losses } = reportPoll(memory.outage, poll, dependencies.clock.now());
	memory.outage = outage;
	for (const one of poll.failures)
		log('warn', `${toNodeError(context, one, 'poll').message}. The next poll catches up`);
	const errors = losses.map((loss) => toNodeError(context, loss, 'poll'));
	for (const { message } of errors) log('warn', message);
	if (failure !== undefined) errors.push(addCatchUpNote(toNodeError(context, failure, 'poll')));
	const canEmit = typeof context.__emitError === 'function';
	// An exception would end an activation without telling anyone, and delay the durable scheduler's next polls.
	const throwsFirst = poll.items.length === 0 && !(isFirst && canEmit);
	if (canEmit) for (const error of throwsFirst ? errors.slice(1) : errors) context.__emitError(error);
	if (throwsFirst && errors.length > 0) throw errors[0];
}
