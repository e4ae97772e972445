import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { CREDENTIAL } from '../parameters/credential/connection';
import { shortHash } from '../transport/digest';
import { withoutRetryAdvice } from '../messages/failureMessages';
import { n8nClient } from '../transport/request/n8nClient';
import { RequestBudget } from '../transport/request/requestBudget';
import { wallClock } from '../transport/retry/clock';
import { runPoll, type PollOutcome } from './poll';
import { reportFailures } from './pollFailure';
import { showPreview } from './preview';
import { readSettings } from './settings';
import { TriggerMemory } from './state/triggerMemory';
import { parseState } from './state/triggerState';

/** One request that is throttled or retried must not take all the time of a poll. */
const MAX_REQUEST_WAIT_MS = 30_000;

const STATE = 'prospectorTrigger';

/**
 * One poll, as n8n calls it: a test in the editor, the first poll after an activation, or a later one.
 *
 * @returns null if there is nothing new
 * @throws NodeApiError or NodeOperationError that says what to do
 */
export async function pollTrigger(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return asOutput(await showPreview(context));
	const node = context.getNode();
	const { id, name } = context.getWorkflow();
	const log = (level: 'info' | 'warn', text: string) =>
		context.logger[level](`${node.name} in '${String(name)}': ${text}`);
	const staticData = context.getWorkflowStaticData('node');
	const memory = TriggerMemory.of(`${String(id)} ${node.id}`);
	const stored = staticData[STATE];
	const signal = memory.start(staticData, stored);
	if (signal === undefined) {
		log('info', 'the last poll has not ended yet, so this one is skipped');
		return null;
	}
	let text = memory.newestText(stored);
	let previous = parseState(text);
	if (text !== undefined && previous === undefined)
		log('warn', 'the stored state cannot be used, so the trigger starts over');
	const isFirst = memory.lastContext !== staticData;
	const readNewItems = async () => {
		const settings = readSettings(context);
		const credential = await context.getCredentials(CREDENTIAL);
		// n8n waits for the first poll after an activation, and gives up after 84 s.
		const maxMs = isFirst ? 45_000 : 120_000;
		const timeMs = Math.min(context.getPollBudgetMs?.() ?? maxMs, maxMs);
		const budget = new RequestBudget(settings.maxRequests, timeMs, previous?.clockOffset ?? 0);
		const limits = { timeout: settings.timeout, maxWait: MAX_REQUEST_WAIT_MS, signal, budget };
		const client = n8nClient(context, credential, limits);
		const scope = `${settings.event} ${shortHash(client.connection.baseUrl)}`;
		if (previous?.scope !== scope) previous = undefined;
		const onBaseline = (state: string) => (memory.unsaved = { stored, text: (text = state) });
		return await runPoll({ client, settings, budget, scope, previous, onBaseline });
	};
	try {
		const poll = await readNewItems().catch((failure: NodeApiError): PollOutcome => {
			// An activation without a baseline must fail.
			if (previous === undefined && !signal.aborted)
				throw Object.assign(failure, { description: withoutRetryAdvice(failure.description) });
			return { items: [], state: text as string, failures: [failure], isComplete: false };
		});
		// A newer poll has taken over, and finds the same.
		if (signal.aborted) return null;
		const hasItems = poll.items.length > 0;
		staticData[STATE] = poll.state;
		memory.unsaved = hasItems ? { stored, text, emittedAt: wallClock.now() } : { stored, text: poll.state };
		memory.lastContext = staticData;
		for (const { message } of poll.failures) log('warn', `${message}. The next poll catches up`);
		const { outage, reported } = reportFailures(memory.outage, poll, wallClock.now());
		memory.outage = outage;
		if (reported !== undefined) report(context, reported, hasItems, isFirst);
		return hasItems ? asOutput(poll.items) : null;
	} finally {
		memory.end(staticData);
	}
}

/**
 * Makes a failed execution of a failure.
 *
 * @throws the failure, if n8n makes a failed execution of what this poll throws
 */
function report(context: IPollFunctions, failure: NodeApiError, hasItems: boolean, isFirst: boolean): void {
	const advice = withoutRetryAdvice(failure.description).replace(/\.$/, '');
	failure.description = `${advice && `${advice}. `}Nothing is lost: the next poll catches up.`;
	// An exception would end an activation without telling anyone, and delay the durable scheduler's next polls.
	const emits = (hasItems || isFirst) && typeof context.__emitError === 'function';
	if (emits) context.__emitError(failure);
	else if (!hasItems) throw failure;
}

const asOutput = (items: IDataObject[]): INodeExecutionData[][] => [items.map((json) => ({ json }))];
