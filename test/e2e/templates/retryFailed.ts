import type { Environment } from '../environment';

/**
 * Retries every execution of an n8n workflow that has failed or was killed, as a user does in the list of executions.
 *
 * @returns the statuses of the retried executions, and of their retries
 */
export async function retryFailed(
	{ executions }: Environment,
	workflowId: string,
): Promise<{ before: string[]; after: string[] }> {
	const before: string[] = [];
	const after: string[] = [];
	for (const { id, mode } of await executions.of(workflowId)) {
		if (mode === 'retry') continue;
		const { status } = await executions.ended(id);
		if (status === 'success') continue;
		before.push(status);
		after.push((await executions.retry(id)).status);
	}
	return { before, after };
}
