import type { JournalEntry, RunsSummary } from '../../sandbox/types';
import type { Evidence } from './evidence';
import type { Operation } from './plan';

/** What the service knows after a campaign. */
export interface ServiceRecords {
	/** Every request. */
	journal: JournalEntry[];
	runs: RunsSummary;
	workflowsCreated: number;
}

/** Returns the values of a list that another list does not contain, or contains less often. */
function difference(list: string[], others: string[]): string[] {
	const unmatched = [...others];
	return list.filter((value) => {
		const index = unmatched.indexOf(value);
		if (index >= 0) unmatched.splice(index, 1);
		return index < 0;
	});
}

/**
 * Compares the plan with what the service did and what the executions returned: each operation exactly once.
 *
 * @returns the violations; empty if there are none
 */
export function exactlyOnceChecks(
	operations: Operation[],
	{ produced }: Pick<Evidence, 'produced'>,
	{ journal, runs, workflowsCreated }: ServiceRecords,
): string[] {
	const runIds = new Map(runs.runs.map(({ id, idempotencyKey }) => [idempotencyKey, id]));
	// The journal does not show the IDs of created Prospector workflows.
	const describeChange = (kind: string, target: unknown, key: unknown, requestId: unknown, runId: unknown) =>
		`${kind} '${target}' with key '${key}' by request ${requestId}${kind === 'run' ? ` as '${runId}'` : ''}`;
	const done = journal
		.filter(({ committed }) => committed)
		.map(({ operation, path, body, idempotencyKey: key, requestId }) =>
			operation === 'runWorkflow'
				? describeChange('run', path.split('/').at(-2), key, requestId, runIds.get(key))
				: describeChange('create', (body as { name?: string } | null)?.name, key, requestId, undefined),
		);
	const outputs = operations.flatMap(({ id, kind, target }) =>
		(produced.get(id) ?? []).map((output) => ({ kind, target, ...output })),
	);
	const returned = outputs.map((one) => describeChange(one.kind, one.target, one.key, one.requestId, one.id));
	const countOf = (kind: Operation['kind']) => operations.filter((one) => one.kind === kind).length;
	const compare = (what: string, actual: number, expected: number) =>
		actual === expected ? [] : [`${what}: ${actual} instead of ${expected}`];
	return [
		// The service counts them without the journal.
		...compare('Prospector workflows created', workflowsCreated, countOf('create')),
		...compare('Runs started', runs.started, countOf('run')),
		...compare('Different IDs', new Set(outputs.map(({ id }) => id)).size, operations.length),
		...operations.flatMap(({ id }) =>
			compare(`Outputs of operation ${id}`, produced.get(id)?.length ?? 0, 1),
		),
		...outputs.filter(({ key }) => typeof key !== 'string').map(() => 'An operation was sent without a key'),
		...difference(done, returned).map((one) => `Only the service knows: ${one}`),
		...difference(returned, done).map((one) => `Only an execution knows: ${one}`),
	];
}
