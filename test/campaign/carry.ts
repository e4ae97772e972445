import type { IRun, IRunExecutionData } from 'n8n-workflow';
import { initialState, stateAfterKill, stateForRetry } from '../../engine';
import { attempt, PATIENCE } from './attempt';
import type { Interruption } from './conditions';
import { note, type Evidence } from './evidence';
import { messagesOf, type Outcome } from './harvest';
import { isTooFast, messageName } from './knownMessages';
import type { PlannedExecution } from './plan';
import { choices, type Choices } from './seeded';
import type { Stage } from './stage';
import { fileOf, inputOf } from './workflowFile';

/** Far more than bad luck explains. */
const MOST_ATTEMPTS = 1000;

/**
 * Executes what is planned, and retries it as a person or n8n would, until it ends well.
 *
 * @returns what the last attempt says about its operations; undefined when there was no good end, which is noted
 */
export async function executeWithRetries(
	stage: Stage,
	evidence: Evidence,
	planned: PlannedExecution,
): Promise<Outcome[] | undefined> {
	const file = fileOf(planned, stage.reference, stage.nodeOptions);
	const choose = choices(stage.seed, planned.name, 'patience');
	let state = { ...initialState(file, inputOf(planned)), resumeToken: planned.resumeToken };
	for (let number = 0; number < MOST_ATTEMPTS; number++) {
		const interruption = planned.interruptions.find((one) => one.attempt === number);
		const before = structuredClone(state);
		evidence.executions++;
		if (number > 0) evidence.retries++;
		if (interruption) evidence.interruptions++;
		const run = await attempt(stage, file, state, number > 0 ? 'retry' : 'trigger', interruption);
		if (!run) {
			evidence.hanging.push(`Execution ${planned.name} did not end within ${PATIENCE / 1000} s`);
			return undefined;
		}
		const outcomes = note(evidence, run, planned, stage.secrets);
		const messages = messagesOf(run.data, outcomes);
		// The campaign has failed, and trying again would only say so once more.
		if (messages.some((message) => messageName(message) === undefined)) return undefined;
		const next = stateAfter(before, run, interruption);
		if (!next) {
			await takeTime(stage, choose, messages);
			return outcomes;
		}
		state = next as typeof state;
		await takeTime(stage, choose, messages);
	}
	evidence.hanging.push(`Execution ${planned.name} came to no good end in ${MOST_ATTEMPTS} attempts`);
	return undefined;
}

/** Waits as the messages advise before anything is tried again; and not all at the same time. */
async function takeTime({ clock }: Stage, choose: Choices, messages: string[]) {
	if (messages.some(isTooFast)) await clock.timing.sleep(60_000 + choose.whole(0, 60_000));
}

/**
 * What a retry begins with.
 *
 * @param before the state that the attempt began with
 * @returns undefined where the attempt ended well and that is known
 */
function stateAfter(
	before: IRunExecutionData,
	run: IRun,
	interruption?: Interruption,
): IRunExecutionData | undefined {
	if (interruption?.how === 'kill' || interruption?.how === 'lost') return before;
	if (run.status === 'success') return undefined;
	const state = stateForRetry(run);
	if (run.status !== 'canceled') return state;
	// The node that was stopped had not ended: of its last run, n8n keeps nothing.
	return stateAfterKill(before, { ...run, data: state });
}
