import { forEachConcurrently } from '../forEachConcurrently';
import { executeWithRetries } from './carry';
import { checkOnce, checkTotals, type Truth } from './checks';
import { checkConduct, checkFaults } from './conduct';
import { noEvidence, type Evidence } from './evidence';
import type { CampaignOptions } from './options';
import { planCampaign, planRepeats, type PlannedExecution } from './plan';
import { leftoversOf } from './repeat';
import { startStage, type Stage } from './stage';
import { summaryOf, type Summary } from './summary';

/** Executions side by side. */
const LANES = 32;
/** Milliseconds of the fast clock in which the last waits may end. */
const GRACE = 60_000;

export interface CampaignReport {
	/** What does not hold, in words, by what was looked at; empty after a good campaign. */
	violations: Record<string, string[]>;
	summary: Summary;
	truth: Truth;
}

/**
 * Creates and starts what is meant to be done once each, while a good part of all replies goes wrong, and compares
 * what was meant with what was done.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
	const { seed, operations: count, onProgress } = options;
	const begin = performance.now();
	const stage = await startStage(options);
	try {
		const { executions, operations } = planCampaign(seed, count, stage.targets);
		const evidence = noEvidence();
		let ended = 0;
		await forEachConcurrently(executions, LANES, async (execution) => {
			await carryWithRepeats(stage, evidence, execution);
			onProgress?.(++ended, executions.length);
		});
		const waiting = await waitsThatStay(stage);
		const { control } = stage.sandbox;
		const truth = {
			journal: control.journal(),
			runs: control.runs(),
			workflowsCreated: control.state().counts.workflowsCreated,
		};
		return {
			violations: found({
				'Ends, messages and secrets': checkConduct({
					evidence,
					waiting,
					writes: stage.output.writes(),
					leakedWrites: stage.output.leaks(),
					journal: truth.journal,
					secrets: stage.secrets,
				}),
				'The faults themselves': checkFaults(control.faults(), truth.journal),
				'What the service did in all': checkTotals(operations, truth),
				'Exactly once': checkOnce(operations, evidence, truth),
			}),
			summary: summaryOf(operations, evidence, truth, stage.clock.waits(), performance.now() - begin),
			truth,
		};
	} finally {
		await stage.close();
	}
}

const found = (checks: Record<string, string[]>) =>
	Object.fromEntries(Object.entries(checks).filter(([, violations]) => violations.length > 0));

/** An execution with all its retries, then those by which its failed items are repeated. */
async function carryWithRepeats(stage: Stage, evidence: Evidence, planned: PlannedExecution): Promise<void> {
	const outcomes = await executeWithRetries(stage, evidence, planned);
	const left = leftoversOf(evidence, planned, outcomes ?? []);
	evidence.repeated += left.length;
	for (const repeat of planRepeats(stage.seed, planned, left))
		await carryWithRepeats(stage, evidence, repeat);
}

/** @returns how many waits are still under way when the last ones have had their time */
async function waitsThatStay({ clock }: Stage): Promise<number> {
	const end = clock.now() + GRACE;
	while (clock.waiting() > 0 && clock.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
	return clock.waiting();
}
