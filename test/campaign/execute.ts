/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import type { IRun, IRunExecutionData } from 'n8n-workflow';
import { execute, initialState, stateAfterKill, stateForRetry } from '../../scripts/engine';
import type { Environment } from './environment';
import { isWrongMessage, recordRun, type Evidence, type Outcome } from './evidence';
import {
	planRepeats,
	resumeTokenOf,
	type FailedItem,
	type Interruption,
	type PlannedExecution,
} from './plan';
import { FIRST, inputOf, workflowFileOf } from './workflowFile';

/** Far more attempts than faults can explain. */
const MAX_ATTEMPTS = 1000;
/** Real milliseconds after which an execution counts as hanging, even on a busy machine. */
const HANG_TIMEOUT_MS = 120_000;

/** Executes and retries a workflow, then repeats its failed items, as a user does. */
export async function executeWithRepeats(
	environment: Environment,
	evidence: Evidence,
	planned: PlannedExecution,
): Promise<void> {
	const failed = failedItemsOf(planned, await executeWithRetries(environment, evidence, planned));
	evidence.repeated += failed.length;
	for (const repeat of planRepeats(environment.seed, planned, failed))
		await executeWithRepeats(environment, evidence, repeat);
}

/**
 * Executes a workflow and retries it, as a user or n8n does, until it succeeds.
 *
 * @returns the outcomes of the last attempt; none if the execution cannot succeed, which is recorded as a violation
 */
async function executeWithRetries(
	environment: Environment,
	evidence: Evidence,
	planned: PlannedExecution,
): Promise<Outcome[]> {
	const { clock, seed, apiKey } = environment;
	const workflow = workflowFileOf(planned, environment);
	const resumeToken = resumeTokenOf(seed, planned);
	let state: IRunExecutionData = { ...initialState(workflow, inputOf(planned)), resumeToken };
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		const interruption = planned.interruptions.find((one) => one.attempt === attempt);
		const before = structuredClone(state);
		evidence.executions++;
		if (attempt > 0) evidence.retries++;
		if (interruption) evidence.interruptions++;
		const mode = attempt > 0 ? 'retry' : 'trigger';
		const run = await executeOnce(environment, { workflow, state, mode }, interruption);
		if (!run) {
			evidence.violations.add(`Execution ${planned.name} did not end within ${HANG_TIMEOUT_MS / 1000} s`);
			return [];
		}
		const { outcomes, messages } = recordRun(evidence, run, planned, apiKey);
		// The campaign has failed, and every further attempt would get the same message.
		if (messages.some(isWrongMessage)) return [];
		// The message says to wait a minute; a random delay keeps the executions apart.
		if (messages.some((message) => message.includes('has reached its limit of requests')))
			await clock.timing.sleep(60_000 * (1 + Math.random()));
		const next = stateAfter(before, run, interruption);
		if (!next) return outcomes;
		state = next;
	}
	evidence.violations.add(`Execution ${planned.name} did not succeed in ${MAX_ATTEMPTS} attempts`);
	return [];
}

/** Executes an n8n workflow until it ends or is interrupted. Returns undefined if it hangs. */
async function executeOnce(
	{ nodeTypes, credentials }: Environment,
	options: Pick<Parameters<typeof execute>[0], 'workflow' | 'state' | 'mode'>,
	interruption?: Interruption,
): Promise<IRun | undefined> {
	const timers: NodeJS.Timeout[] = [];
	const onNode = (node: string) => {
		// An execution that is lost runs to its end.
		if (!interruption || interruption.how === 'lost' || node !== FIRST || timers.length > 1) return;
		timers.push(setTimeout(() => execution.stop(), interruption.afterMs));
	};
	const timeout = new Promise<undefined>((resolve) => {
		timers.push(setTimeout(() => resolve(undefined), HANG_TIMEOUT_MS));
	});
	const execution = execute({ nodeTypes, credentials, ...options, onNode });
	try {
		const run = await Promise.race([execution.finished, timeout]);
		if (!run) execution.stop();
		return run;
	} finally {
		timers.forEach(clearTimeout);
	}
}

/**
 * Returns the state that a retry starts with.
 *
 * @param before the state that the attempt started with
 * @returns undefined if the attempt succeeded and n8n saved it
 */
function stateAfter(before: IRunExecutionData, run: IRun, interruption?: Interruption) {
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
function failedItemsOf({ keys }: PlannedExecution, outcomes: Outcome[]): FailedItem[] {
	const last = new Map(outcomes.map(({ operation, error }) => [operation, error]));
	return [...last].flatMap(([operation, error]) => {
		if (error === undefined) return [];
		const [, key = keys[operation.id]] = /'Idempotency Key' to '([^']+)'/.exec(error) ?? [];
		return [{ operation, key }];
	});
}
