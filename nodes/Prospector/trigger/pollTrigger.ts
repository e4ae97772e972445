import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { CREDENTIAL } from '../transport/connection';
import { digest } from '../transport/digest';
import { n8nClient } from '../transport/n8nClient';
import { remember } from './candidates';
import { poll } from './poll';
import { isPassing } from './pollFailure';
import { preview } from './preview';
import { readSettings } from './readSettings';
import { readState, writeState, type TriggerState } from './triggerState';
import { beginTurn, endTurn, hold, takeHeld, troubleWith, type Turn } from './turns';
import { wallClock } from './wallClock';

/** Milliseconds for which a request may be held back and tried again. */
const MAX_WAIT = {
	/** Somebody looks at the editor. */
	test: 10_000,
	/** Nothing is remembered yet, so this poll cannot be made up for. */
	first: 300_000,
	/** Longer than the service's minute; the next poll makes up for what this one misses. */
	later: 90_000,
};

/** Where n8n's static data holds what the trigger remembers. */
const KEPT = 'prospectorTrigger';

/**
 * One poll as n8n asks for it: a test from the editor, the first one when the n8n workflow is activated, or any later.
 *
 * @returns null for nothing new
 * @throws NodeApiError or NodeOperationError that says what to do
 */
export async function pollTrigger(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const credential = await context.getCredentials(CREDENTIAL);
	const client = (maxWait: number) => n8nClient(context, credential, { timeout: settings.timeout, maxWait });
	if (context.getMode() === 'manual') return asOutput(await preview(client(MAX_WAIT.test), settings));

	const memory = context.getWorkflowStaticData('node');
	const turn = beginTurn(`${String(context.getWorkflow().id)} ${context.getNode().id}`, memory);
	if (turn === undefined) {
		context.logger.info(
			`${context.getNode().name}: the poll before is still under way, so this one is left out`,
		);
		return null;
	}
	try {
		const subject = `${settings.event} ${digest(client(0).connection.baseUrl).slice(0, 16)}`;
		const state = readState(memory[KEPT], subject);
		const waiting = takeHeld(memory);
		const keep = (items: IDataObject[], next: TriggerState) => {
			memory[KEPT] = writeState(next);
			return items.length > 0 ? asOutput(items) : null;
		};
		if (state !== undefined && waiting.length > 0) {
			const chosen = waiting.slice(0, settings.maxItems);
			chosen.forEach((candidate) => remember(state, candidate));
			hold(memory, waiting.slice(settings.maxItems));
			return keep(
				chosen.map(({ json }) => json),
				state,
			);
		}
		const service = client(state === undefined ? MAX_WAIT.first : MAX_WAIT.later);
		const outcome = await poll({ client: service, settings, state, subject, now: wallClock.now });
		// n8n forgets what a poll of an earlier activation remembered: items of it would come twice.
		if (turn.isSuperseded) return null;
		hold(memory, outcome.held);
		const output = keep(outcome.items, outcome.state);
		if (outcome.failure === undefined) delete turn.trouble;
		else if (output === null) tell(context, turn, outcome.failure);
		return output;
	} finally {
		endTurn(turn);
	}
}

/**
 * Writes down why a poll could not read everything.
 *
 * @throws it, where a person has to know
 */
function tell(context: IPollFunctions, turn: Turn, failure: unknown): void {
	const now = wallClock.now();
	turn.trouble = troubleWith(turn.trouble, isPassing(failure), now);
	if (turn.trouble.toldAt === now) throw failure;
	const { message } = failure as Error;
	context.logger.warn(`${context.getNode().name}: ${message}. The next poll makes up for it`);
}

const asOutput = (items: IDataObject[]): INodeExecutionData[][] => [items.map((json) => ({ json }))];
