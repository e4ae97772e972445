import type { IRun, IRunExecutionData } from 'n8n-workflow';
import { initialState, stateAfterKill, stateForRetry } from '../../scripts/engine';
import { messagesOf, type Outcome } from './collectOutcomes';
import type { Environment } from './environment';
import { recordRun, type Evidence } from './evidence';
import { executeOnce, HANG_TIMEOUT_MS } from './executeOnce';
import { isRateLimited, keyIn, messageName } from './knownMessages';
import type { FailedItem, Interruption, PlannedExecution } from './plan';
import { seededRandom } from './seededRandom';
import { inputOf, workflowFileOf } from './workflowFile';

/** Far more attempts than faults can explain. */
const MAX_ATTEMPTS = 1000;

/**
 * Executes a workflow and retries it, as a user or n8n does, until it succeeds.
 *
 * @returns the outcomes of the last attempt; none if the execution cannot succeed, which is recorded as a violation
 */
export async function executeWithRetries(
	environment: Environment,
	evidence: Evidence,
	planned: PlannedExecution,
): Promise<Outcome[]> {
	const { clock, seed, secrets } = environment;
	const workflow = workflowFileOf(planned, environment);
	const random = seededRandom(seed, planned.name, 'delays');
	let state: IRunExecutionData = {
		...initialState(workflow, inputOf(planned)),
		resumeToken: planned.resumeToken,
	};
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		const interruption = planned.interruptions.find((one) => one.attempt === attempt);
		const before = structuredClone(state);
		evidence.executions++;
		if (attempt > 0) evidence.retries++;
		if (interruption) evidence.interruptions++;
		const mode = attempt > 0 ? 'retry' : 'trigger';
		const run = await executeOnce(environment, workflow, state, mode, interruption);
		if (!run) {
			evidence.hanging.push(`Execution ${planned.name} did not end within ${HANG_TIMEOUT_MS / 1000} s`);
			return [];
		}
		const outcomes = recordRun(evidence, run, planned, secrets);
		const messages = messagesOf(run.data, outcomes);
		// The campaign has failed, and every further attempt would get the same message.
		if (messages.some((message) => messageName(message) === undefined)) return [];
		// The message says to wait a minute; a random delay keeps the executions apart.
		if (messages.some(isRateLimited)) await clock.timing.sleep(60_000 + random.integer(0, 60_000));
		const next = stateAfter(before, run, interruption);
		if (!next) return outcomes;
		state = next;
	}
	evidence.hanging.push(`Execution ${planned.name} did not succeed in ${MAX_ATTEMPTS} attempts`);
	return [];
}

/**
 * Returns the state that a retry starts with.
 *
 * @param before the state that the attempt started with
 * @returns undefined if the attempt succeeded and n8n saved it
 */
function stateAfter(
	before: IRunExecutionData,
	run: IRun,
	interruption?: Interruption,
): IRunExecutionData | undefined {
	if (interruption?.how === 'kill' || interruption?.how === 'lost') return before;
	if (run.status === 'success') return undefined;
	const state = stateForRetry(run);
	// n8n saves nothing of the node that was stopped.
	return run.status === 'canceled' ? stateAfterKill(before, { ...run, data: state }) : state;
}

/**
 * Returns the items that failed under Continue. The key to repeat an item with is in its message; otherwise it is the
 * key that the user has set, if any.
 *
 * @param outcomes of the last attempt; the last outcome of an operation counts
 */
export function failedItemsOf({ keys }: PlannedExecution, outcomes: Outcome[]): FailedItem[] {
	const last = new Map(outcomes.map(({ operation, error }) => [operation, error]));
	return [...last].flatMap(([operation, error]) =>
		error === undefined ? [] : [{ operation, key: keyIn(error) ?? keys[operation.id] }],
	);
}
