import type { SoakReport } from './soak';

/** Returns the report as plain lines. */
export function reportLines(report: SoakReport): string[] {
	const { verdict, counts, samples, requests, executions } = report;
	const line = (name: string, value: unknown) =>
		`  ${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
	const size = <T extends object>(comparison: T) =>
		Object.fromEntries(
			Object.entries(comparison).map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
		);
	return [
		...Object.entries(counts).map(([name, value]) => line(name, Math.round(value))),
		line('runs', report.runs),
		line('leads', verdict.leads),
		line('missing leads', verdict.missingLeads.length),
		line('results', size(verdict.results)),
		line('failed runs', size(verdict.failedRuns)),
		line('runs per day key', verdict.runsPerDay),
		line('requests by status', requests),
		line('retries of the nodes', report.retriesLogged),
		line('skipped polls', report.skippedPolls),
		line('executions', executions),
		line('retried by hand', report.retriedByHand),
		line('could not be retried', verdict.left),
		line('memory (MB) first, last, most', memory(report)),
		line('largest state (bytes)', Math.max(0, ...samples.map(({ stateBytes }) => stateBytes))),
		line('caught up after (s)', report.catchUpSeconds),
		'',
		...(verdict.violations.length > 0 ? verdict.violations : ['Every promise was kept.']),
	];
}

/** n8n's memory in its first and last minute, and the most. */
export function memory({ samples }: SoakReport): number[] {
	const values = samples.map(({ memoryMb }) => Math.round(memoryMb));
	return [values[Math.min(5, values.length - 1)] ?? 0, values.at(-1) ?? 0, Math.max(0, ...values)];
}
