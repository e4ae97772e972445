import type { IDataObject } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/types';
import { forEachConcurrently } from '../forEachConcurrently';
import { behaviorChecks, checkFaults } from './behaviorChecks';
import { startEnvironment, type Environment } from './environment';
import { noEvidence, type Evidence } from './evidence';
import { exactlyOnceChecks, type ServiceRecords } from './exactlyOnceChecks';
import { executeWithRetries, failedItemsOf } from './executeWithRetries';
import { planCampaign, planRepeats, type Plan, type PlannedExecution } from './plan';

export interface CampaignOptions {
	/** Determines the operations and the faults. */
	seed: number;
	/** Number of creations and starts. */
	operations: number;
	/** Further options of every Prospector node, for a campaign that must fail. */
	nodeOptions?: IDataObject;
	/** Faults that apply before the random ones. */
	faults?: FaultRule[];
	/** Called when a planned execution has ended. */
	onProgress?: (ended: number, planned: number) => void;
}

export interface CampaignReport {
	/** Violations by kind of check; empty after a good campaign. */
	violations: Record<string, string[]>;
	plan: Plan;
	evidence: Evidence;
	records: ServiceRecords;
}

const CONCURRENCY = 16;
/** Milliseconds of the fast clock in which the last waits may end. */
const GRACE_MS = 60_000;

/** Creates and starts each planned operation while many requests fail, and compares the plan with what was done. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
	const environment = await startEnvironment(options);
	try {
		const { seed, operations, onProgress } = options;
		const plan = planCampaign(seed, operations, environment.targets);
		const evidence = noEvidence();
		let ended = 0;
		await forEachConcurrently(plan.executions, CONCURRENCY, async (execution) => {
			await executeWithRepeats(environment, evidence, execution);
			onProgress?.(++ended, plan.executions.length);
		});
		const { sandbox, output, secrets } = environment;
		const waits = await pendingWaits(environment);
		const { control } = sandbox;
		const journal = control.journal();
		const { workflowsCreated } = control.state().counts;
		const records = { journal, runs: control.runs(), workflowsCreated };
		const checks = {
			Behavior: behaviorChecks({
				evidence,
				pendingWaits: waits,
				writes: output.writes(),
				leakedWrites: output.leaks(),
				journal,
				secrets,
			}),
			Faults: checkFaults(control.faults(), journal.length),
			'Exactly once': exactlyOnceChecks(plan.operations, evidence, records),
		};
		const violations = Object.fromEntries(Object.entries(checks).filter(([, found]) => found.length > 0));
		return { violations, plan, evidence, records };
	} finally {
		await environment.close();
	}
}

/** Executes and retries a workflow, then repeats its failed items, as a user does. */
async function executeWithRepeats(
	environment: Environment,
	evidence: Evidence,
	planned: PlannedExecution,
): Promise<void> {
	const failed = failedItemsOf(planned, await executeWithRetries(environment, evidence, planned));
	evidence.repeated += failed.length;
	for (const repeat of planRepeats(environment.seed, planned, failed))
		await executeWithRepeats(environment, evidence, repeat);
}

/** Returns the number of waits that have not ended after {@link GRACE_MS}. */
async function pendingWaits({ clock }: Environment): Promise<number> {
	const end = clock.now() + GRACE_MS;
	while (clock.waiting() > 0 && clock.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
	return clock.waiting();
}
