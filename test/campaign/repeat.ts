import type { Evidence } from './evidence';
import type { Outcome } from './harvest';
import { keyIn } from './knownMessages';
import type { Leftover, PlannedExecution } from './plan';

/**
 * Finds what an execution under Continue has left undone, and the key to repeat it with: the one that the message
 * names, or else none.
 *
 * @param outcomes of the execution's last attempt, in their order: the last one of an operation counts
 */
export function leftoversOf(
	evidence: Evidence,
	execution: PlannedExecution,
	outcomes: Outcome[],
): Leftover[] {
	const last = new Map(outcomes.map((outcome) => [outcome.operation, outcome.error]));
	return [...last].flatMap(([operation, error]): Leftover[] => {
		if (error === undefined) return [];
		const named = keyIn(error);
		if (named === undefined) evidence.withoutKey++;
		// Whoever gave a key for it has it still.
		const given = execution.keys[execution.first.indexOf(operation)];
		return [{ operation, key: named ?? given }];
	});
}
