import type { Environment } from '../environment';

/** A company name by lead ID. */
export type Leads = Record<string, string>;

/**
 * Adds a finished run with a result for each lead.
 * @returns the run's ID, and the results' IDs
 */
export function seedLeads({ control }: Environment, workflowId: string, ...leads: Leads[]) {
	const [runId] = control.seed({ runs: [{ workflowId, results: 0 }] }).runs;
	const entries = leads.flatMap((each) => Object.entries(each));
	const now = Date.now();
	const { results } = control.seed({
		results: entries.map(([leadId, companyName], index) => ({
			...{ runId, leadId, companyName },
			createdAt: new Date(now + index).toISOString(),
		})),
	});
	return { runId, results };
}

/** Returns that many leads with different names. */
export const inventLeads = (count: number, prefix: string): Leads =>
	Object.fromEntries(
		Array.from({ length: count }, (_, index) => [`${prefix}_${index}`, `Company ${prefix} ${index}`]),
	);
