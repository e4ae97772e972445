/** Fixed when the run starts; later changes of settings don't affect it. */
export interface RunPlan {
	/** At least one; the last one is final. */
	statuses: readonly unknown[];
	/** Milliseconds in each status except the last. */
	stageMs: number;
	/** Final number of results. */
	results: number;
}

export interface RunProgress {
	/** A string unless the control API has set another value. */
	status: unknown;
	final: boolean;
	/** Milliseconds from the start to the current status. */
	since: number;
}

/** Returns the state of a run `elapsed` milliseconds after its start. No statuses are shown (contract, section 3). */
export function runProgress(plan: RunPlan, elapsed: number): RunProgress {
	const last = plan.statuses.length - 1;
	const reached = plan.stageMs > 0 ? Math.floor(Math.max(0, elapsed) / plan.stageMs) : last;
	const stage = Math.min(last, reached);
	return { status: plan.statuses[stage], final: stage === last, since: stage * plan.stageMs };
}

/**
 * Returns the milliseconds from the start to the result at `index`. Results are spread evenly from the second status
 * on; the last one appears together with the final status.
 */
export function resultOffset(plan: RunPlan, index: number): number {
	const end = (plan.statuses.length - 1) * plan.stageMs;
	const begin = Math.min(plan.stageMs, end);
	return begin + Math.ceil(((index + 1) * (end - begin)) / plan.results);
}
