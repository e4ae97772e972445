import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
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
	/** n8n waits for the end of the poll. */
	activation: 15_000,
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
	const client = (maxWait: number) =>
		n8nClient(context, credential, { timeout: Math.min(settings.timeout, maxWait), maxWait });
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
		const { isActivation } = turn;
		const service = client(isActivation ? MAX_WAIT.activation : MAX_WAIT.later);
		const subject = `${settings.event} ${digest(service.connection.baseUrl).slice(0, 16)}`;
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
		const input = { client: service, settings, state, subject, isActivation, now: wallClock.now };
		const outcome = await poll(input);
		// n8n forgets what a poll of an earlier activation remembered: items of it would come twice.
		if (turn.isSuperseded) return null;
		hold(memory, outcome.held);
		const output = keep(outcome.items, outcome.state);
		turn.isActivation = false;
		if (outcome.failure === undefined) delete turn.trouble;
		else if (output === null) tell(context, turn, outcome.failure, isActivation);
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
function tell(context: IPollFunctions, turn: Turn, failure: unknown, isActivation: boolean): void {
	const now = wallClock.now();
	const isNews = turn.trouble === undefined;
	const { message, description } = failure as NodeApiError;
	context.logger.warn(`${nameOf(context)}: ${message}. The next poll makes up for it`);
	// An exception would end the activation, and nobody is told of that: the next poll says it.
	if (isActivation && isNews) return void (turn.trouble = { since: now });
	turn.trouble = troubleWith(turn.trouble, isPassing(failure), now);
	if (turn.trouble.toldAt !== now) return;
	(failure as NodeApiError).description = withoutRetry(description);
	throw failure;
}

/** There is nothing to retry in an execution that a poll has failed: it has no items. */
export const withoutRetry = (advice: string | null | undefined): string => {
	const kept = (advice ?? '').replace(/,? (?:then|and) retry(?=[,.]|$)/g, '').split(/(?<=\.) /);
	const rest = kept.filter((sentence) => sentence !== '' && !/\bretry\b/i.test(sentence)).join(' ');
	return `${rest === '' ? '' : `${rest.replace(/\.$/, '')}. `}Nothing is missed: a later poll makes up for it`;
};

/** Many triggers have the same name. */
const nameOf = (context: IPollFunctions) =>
	`${context.getNode().name} in '${String(context.getWorkflow().name)}'`;

const asOutput = (items: IDataObject[]): INodeExecutionData[][] => [items.map((json) => ({ json }))];
