import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { addNothingIsLost, toNodeError } from '../messages/nodeErrors';
import { openClient } from '../parameters/credential/connection';
import type { Dependencies } from '../transport/dependencies';
import { CREDENTIAL } from '../transport/request/n8nClient';
import { RequestBudget } from '../transport/request/requestBudget';
import { shortHash } from '../utils';
import { type PollOutcome, runPoll } from './poll';
import { showPreview } from './preview';
import { readSettings } from './settings';
import { parseState } from './state/triggerState';
import { reportFailures, TriggerMemory } from './triggerMemory';

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
): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		const items = await (isTest ? showPreview : findNewItems)(context, dependencies);
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (thrown) {
		// Other errors than those of findNewItems end a test or an activation.
		throw toNodeError(context.getNode(), thrown, 'editor');
	}
}

/**
 * @throws RequestError or UserError if the activation must fail; NodeApiError or NodeOperationError for an outage, unless
 *   the error was emitted or there are items
 */
async function findNewItems(context: IPollFunctions, dependencies: Dependencies): Promise<IDataObject[]> {
	const node = context.getNode();
	const { wallClock } = dependencies;
	const { id, name } = context.getWorkflow();
	const log = (level: 'info' | 'warn', text: string) =>
		context.logger[level](`${node.name} in '${String(name)}': ${text}`);
	const staticData = context.getWorkflowStaticData('node');
	const memory = TriggerMemory.of(`${String(id)} ${node.id}`);
	const stored = staticData[STATE];
	const signal = memory.start(staticData, stored, wallClock.now());
	if (signal === undefined) {
		log('info', 'the last poll is still running, so this one is skipped');
		return [];
	}
	let text = memory.newestText(stored);
	let previous = parseState(text);
	if (text !== undefined && previous === undefined)
		log('warn', 'the stored state cannot be used, so the trigger starts over');
	const isFirst = memory.lastContext !== staticData;
	const readNewItems = async () => {
		const settings = readSettings(context);
		const credential = await context.getCredentials(CREDENTIAL);
		const maxMs = isFirst ? MAX_FIRST_POLL_MS : MAX_POLL_MS;
		const timeMs = Math.min(context.getPollBudgetMs?.() ?? maxMs, maxMs);
		const clockOffset = previous?.clockOffset ?? 0;
		const budget = new RequestBudget(dependencies, settings.maxRequests, timeMs, clockOffset);
		const limits = { retryFor: MAX_REQUEST_WAIT_MS, signal, budget };
		const client = openClient(context, credential, limits, dependencies);
		const scope = `${settings.event} ${shortHash(client.connection.baseUrl)}`;
		if (previous?.scope !== scope) previous = undefined;
		const onBaseline = (state: string) => (memory.unsaved = { stored, text: (text = state) });
		return await runPoll({ client, settings, budget, scope, previous, onBaseline });
	};
	try {
		const poll = await readNewItems().catch((failure: unknown): PollOutcome => {
			// An activation without a baseline must fail.
			if (previous === undefined && !signal.aborted) throw failure;
			return { items: [], state: text as string, failures: [failure], isComplete: false };
		});
		// A newer poll has taken over, and finds the same.
		if (signal.aborted) return [];
		const hasItems = poll.items.length > 0;
		staticData[STATE] = poll.state;
		memory.unsaved = hasItems ? { stored, text, emittedAt: wallClock.now() } : { stored, text: poll.state };
		memory.lastContext = staticData;
		for (const failure of poll.failures) {
			log('warn', `${toNodeError(node, failure, 'poll').message}. The next poll catches up`);
		}
		const { outage, reported } = reportFailures(memory.outage, poll, wallClock.now());
		memory.outage = outage;
		if (reported === undefined) return poll.items;
		const error = toNodeError(node, reported, 'poll');
		addNothingIsLost(error);
		// An exception would end an activation without telling anyone, and delay the durable scheduler's next polls.
		const emits = (hasItems || isFirst) && typeof context.__emitError === 'function';
		if (emits) context.__emitError(error);
		else if (!hasItems) throw error;
		return poll.items;
	} finally {
		memory.end(staticData);
	}
}
