import { inspect } from 'node:util';
import type { IRun } from 'n8n-workflow';
import { collectOutcomes, messagesOf, type Outcome } from './collectOutcomes';
import { messageName } from './knownMessages';
import type { PlannedExecution } from './plan';

/** The output of an operation. */
export interface Produced {
	/** ID of the Prospector workflow or run. */
	id: unknown;
	key: unknown;
	/** The request that created or started it. */
	requestId: unknown;
}

/** What users see of the executions. */
export const noEvidence = () => ({
	/** All different outputs of each operation, by its ID. */
	produced: new Map<number, Produced[]>(),
	/** Number of occurrences of each known message, by name. */
	messages: new Map<string, number>(),
	unknownMessages: new Set<string>(),
	/** Places where an API key was found. */
	leaks: new Set<string>(),
	/** Executions that did not end or did not succeed. */
	hanging: [] as string[],
	/** Number of executions, retries included. */
	executions: 0,
	retries: 0,
	interruptions: 0,
	/** Number of items that were repeated because they had failed under Continue. */
	repeated: 0,
});

export type Evidence = ReturnType<typeof noEvidence>;

/**
 * Records the outputs, messages and leaks of an execution.
 *
 * @returns the outcomes of its operations
 */
export function recordRun(
	evidence: Evidence,
	run: IRun,
	execution: PlannedExecution,
	secrets: string[],
): Outcome[] {
	const { produced, messages, unknownMessages, leaks } = evidence;
	const outcomes = collectOutcomes(run.data, execution);
	for (const { operation, output } of outcomes) {
		if (!output) continue;
		// The items of Run and Get Results are results of the run.
		const { run_id: id = output.id, idempotency_key: key } = output;
		const { run_request_id: requestId = output.request_id } = output;
		const known = produced.get(operation.id) ?? [];
		// A repeated operation must return what the first one did.
		const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify({ id, key, requestId }));
		produced.set(operation.id, isKnown ? known : [...known, { id, key, requestId }]);
	}
	for (const message of messagesOf(run.data, outcomes)) {
		const name = messageName(message);
		if (name === undefined) unknownMessages.add(message);
		else messages.set(name, (messages.get(name) ?? 0) + 1);
	}
	for (const [place, text] of Object.entries(textsOf(run))) {
		if (secrets.some((secret) => text.includes(secret)))
			leaks.add(`execution ${execution.name}, its ${place}`);
	}
	return outcomes;
}

/** Returns everything that an execution consists of: its data as n8n saves it, and its exceptions. */
function textsOf({ data }: IRun): Record<'data' | 'exceptions', string> {
	const { error, runData } = data.resultData;
	const errors = [error, ...Object.values(runData).flatMap((runs) => runs.map((run) => run.error))];
	return {
		data: JSON.stringify(data),
		exceptions: errors.map((one) => one && inspect(one, { depth: null, showHidden: true })).join('\n'),
	};
}
