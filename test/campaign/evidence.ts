import { inspect } from 'node:util';
import type { IRun } from 'n8n-workflow';
import { messagesOf, collectOutcomes, type Outcome } from './harvest';
import { messageName } from './knownMessages';
import type { PlannedExecution } from './plan';

/** What came out of an operation. */
export interface Produced {
	/** Of the Prospector workflow or the run. */
	id: unknown;
	key: unknown;
	/** The request that did it. */
	requestId: unknown;
}

/** What was seen of the executions, from the outside. */
export interface Evidence {
	/** Per operation, by its id: all the different things that came out of it. */
	produced: Map<number, Produced[]>;
	/** How often each message of the table was seen, by its name there. */
	messages: Map<string, number>;
	/** Messages that are in no table. */
	unknownMessages: Set<string>;
	/** Where an API key was seen. */
	leaks: Set<string>;
	/** Executions that did not end, or did not come to a good end. */
	hanging: string[];
	/** Executions begun, retries included. */
	executions: number;
	retries: number;
	interruptions: number;
	/** Items repeated because they had failed under Continue. */
	repeated: number;
	/** Of these, those whose message did not name the key to repeat them with. */
	withoutKey: number;
}

export const noEvidence = (): Evidence => ({
	produced: new Map(),
	messages: new Map(),
	unknownMessages: new Set(),
	leaks: new Set(),
	hanging: [],
	executions: 0,
	retries: 0,
	interruptions: 0,
	repeated: 0,
	withoutKey: 0,
});

/**
 * Notes what an execution shows, however it ended.
 *
 * @param secrets what must be nowhere in it
 * @returns what it says about its operations
 */
export function note(
	evidence: Evidence,
	run: IRun,
	execution: PlannedExecution,
	secrets: string[],
): Outcome[] {
	const outcomes = collectOutcomes(run.data, execution);
	for (const { operation, output } of outcomes) {
		if (!output) continue;
		const { id, idempotency_key: key } = output;
		noteProduced(evidence.produced, operation.id, {
			id,
			key,
			requestId: output.run_request_id ?? output.request_id,
		});
	}
	for (const message of messagesOf(run.data, outcomes)) {
		const name = messageName(message);
		if (name === undefined) evidence.unknownMessages.add(message);
		else evidence.messages.set(name, (evidence.messages.get(name) ?? 0) + 1);
	}
	for (const [where, text] of textsOf(run)) {
		if (secrets.some((secret) => text.includes(secret))) {
			evidence.leaks.add(`execution ${execution.name}, its ${where}`);
		}
	}
	return outcomes;
}

/** An operation that was answered from the memory of its key, or whose execution began anew, gives the same again. */
function noteProduced(produced: Evidence['produced'], operation: number, seen: Produced) {
	const known = produced.get(operation) ?? [];
	if (!known.some((one) => JSON.stringify(one) === JSON.stringify(seen))) known.push(seen);
	produced.set(operation, known);
}

/** All that an execution consists of: its data as n8n stores it, hints and messages included, and its exceptions. */
function textsOf({ data }: IRun): Array<[where: string, text: string]> {
	const { error, runData } = data.resultData;
	const errors = [error, ...Object.values(runData).flatMap((runs) => runs.map((run) => run.error))];
	return [
		['data', JSON.stringify(data)],
		['exceptions', errors.map((one) => one && inspect(one, { depth: null, showHidden: true })).join('\n')],
	];
}
