/** What a run was started with; later changes of settings leave it alone. */
export interface RunPlan {
	/** At least one word; the last one is final. */
	statuses: readonly string[];
	/** Time in each word but the last, ms. */
	stageMs: number;
	/** Results in the end. */
	results: number;
}

export interface RunProgress {
	status: string;
	final: boolean;
	/** ms after the start at which `status` began. */
	since: number;
	/** Results there by now. */
	results: number;
}

/** Where a run stands `elapsed` ms after its start (contract 3 shows neither words nor transitions). */
export function runProgress(plan: RunPlan, elapsed: number): RunProgress {
	const last = plan.statuses.length - 1;
	const reached = plan.stageMs > 0 ? Math.floor(Math.max(0, elapsed) / plan.stageMs) : last;
	const stage = Math.min(last, reached);
	let results = 0;
	while (results < plan.results && resultOffset(plan, results) <= elapsed) results++;
	return { status: plan.statuses[stage], final: stage === last, since: stage * plan.stageMs, results };
}

/**
 * ms after the start at which result number `index` (from 0) appears: spread evenly from the second word on,
 * the last one together with the final word.
 */
export function resultOffset(plan: RunPlan, index: number): number {
	const end = (plan.statuses.length - 1) * plan.stageMs;
	const begin = Math.min(plan.stageMs, end);
	return begin + Math.ceil(((index + 1) * (end - begin)) / plan.results);
}
