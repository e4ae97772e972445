/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import type { FaultRule, FaultView } from '../../sandbox/types';
import { forEachConcurrently } from '../forEachConcurrently';
import { startEnvironment, type Environment } from './environment';
import { createEvidence } from './evidence';
import { exactlyOnceChecks } from './exactlyOnceChecks';
import { executeWithRepeats } from './execute';
import { FAULT_SHARE } from './faultMix';
import { planCampaign } from './plan';

export interface CampaignOptions {
	/** Determines the operations and the faults. */
	seed: number;
	/** Number of creations and starts. */
	operations: number;
	/** Faults that apply before the random ones. */
	faults?: FaultRule[];
	/** Called when a planned execution has ended. */
	onProgress?: (ended: number, planned: number) => void;
}

const CONCURRENCY = 16;
/** Milliseconds of the fast clock in which the last waits may end. */
const GRACE_MS = 60_000;

/**
 * Creates and starts each planned operation while many requests fail, and compares the plan with what was done.
 *
 * @returns the violations, which are empty after a good campaign, and what they are found in
 */
export async function runCampaign(options: CampaignOptions) {
	const { seed, operations, onProgress } = options;
	const environment = await startEnvironment(options);
	const { control, close } = environment;
	try {
		const { sharedTargets, singleTargets } = environment;
		const plan = planCampaign(seed, operations, sharedTargets, singleTargets);
		const evidence = createEvidence();
		let ended = 0;
		await forEachConcurrently(plan.executions, CONCURRENCY, async (execution) => {
			await executeWithRepeats(environment, evidence, execution);
			onProgress?.(++ended, plan.executions.length);
		});
		const waits = await countPendingWaits(environment);
		const journal = control.journal();
		const { workflowsCreated } = control.state().counts;
		const records = { journal, runs: control.runs(), workflowsCreated };
		const violations = [
			...evidence.violations,
			...(waits > 0 ? [`${waits} waits of the node continue after the last execution`] : []),
			...journal
				.filter((entry) => JSON.stringify(entry).includes(environment.apiKey))
				.map(({ sequence }) => `The API key is outside of the header of request ${sequence}`),
			...checkFaults(control.faults(), journal.length),
			...exactlyOnceChecks(plan.operations, evidence, records),
		];
		return { violations, plan, evidence, records };
	} finally {
		await close();
	}
}

export type CampaignReport = Awaited<ReturnType<typeof runCampaign>>;

/** Returns the number of waits that have not ended after {@link GRACE_MS}. */
async function countPendingWaits({ clock }: Environment): Promise<number> {
	const end = clock.now() + GRACE_MS;
	while (clock.waiting() > 0 && clock.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
	return clock.waiting();
}

/**
 * Checks that as many requests as planned met a fault, because a campaign without faults would prove nothing. Allows
 * five standard deviations.
 */
function checkFaults(faults: FaultView[], requests: number): string[] {
	const fired = faults.reduce((sum, fault) => sum + fault.fired, 0);
	const expected = requests * FAULT_SHARE;
	const tolerance = 5 * Math.sqrt(expected * (1 - FAULT_SHARE));
	if (Math.abs(fired - expected) <= tolerance) return [];
	return [`${fired} of ${requests} requests met a fault instead of ${Math.round(expected)}`];
}
