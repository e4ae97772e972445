import { writeFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { Evidence, Verdict } from './verdict';

/** Writes what the verdict is based on as JSON, to find out why a promise was not kept. Times are real. */
export async function saveEvidence(
	file: string,
	{ service, postgres, expected, executions, knownRuns, ...rest }: Evidence,
	verdict: Verdict,
	n8nLog: string,
): Promise<void> {
	const evidence = {
		...rest,
		verdict,
		startedAt: service.clock.startedAt,
		expected: [...expected.values()].map((result) => ({
			...result,
			createdAt: service.clock.toReal(result.createdAt),
		})),
		runs: service.control.runs().runs,
		knownRuns: [...knownRuns].map(([trigger, ids]) => [trigger, [...ids]]),
		executions: [...executions.values()],
		deliveries: await postgres.query('SELECT result_id, execution_id FROM deliveries'),
		failedRunRows: await postgres.query('SELECT * FROM failed_runs'),
		requests: service.journal().map(({ time, path, operation, status, fault, reason, idempotencyKey }) => ({
			at: service.clock.toReal(Date.parse(time)),
			...{ path, operation, status, fault, reason, idempotencyKey },
		})),
		n8nLog,
	};
	writeFileSync(file, JSON.stringify(evidence));
}
