import type { JournalEntry, RunsSummary } from '../../sandbox/types';
import type { Evidence, Output } from './evidence';
import type { Operation } from './plan';

/** What the service knows after a campaign. */
export interface ServiceRecords {
	/** Every request. */
	journal: JournalEntry[];
	runs: RunsSummary;
	workflowsCreated: number;
}

const quoted = (value: unknown) => JSON.stringify(value) ?? 'nothing';
const named = ({ id, kind, target }: Operation) => `Operation ${id} (${kind} '${target}')`;

function groupBy<T>(list: T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

/**
 * Compares the plan with what the service did and what the executions returned: each operation exactly once.
 *
 * @returns the violations; empty if there are none
 */
export function exactlyOnceChecks(
	operations: Operation[],
	{ produced }: Pick<Evidence, 'produced'>,
	records: ServiceRecords,
): string[] {
	const committed = records.journal.filter((entry) => entry.committed);
	const commitsOf = groupBy(committed, (entry) => String(entry.idempotencyKey));
	const keyOfRun = new Map(records.runs.runs.map((run) => [run.id, run.idempotencyKey]));
	const keys = new Set([...produced.values()].flat().map(({ key }) => key));
	return [
		...checkTotals(operations, records),
		...checkShared(operations, produced),
		...operations.flatMap((operation) => {
			const outputs = produced.get(operation.id) ?? [];
			if (outputs.length === 0) return [`${named(operation)} was returned by no execution`];
			if (outputs.length > 1)
				return [`${named(operation)} has different outputs: ${outputs.map(quoted).join(' and ')}`];
			const [{ id, key }] = outputs;
			const isUnknownRun = operation.kind === 'run' && keyOfRun.get(String(id)) !== key;
			return [
				...checkCommits(operation, outputs[0], commitsOf.get(String(key)) ?? []),
				...(isUnknownRun
					? [`${named(operation)} returned run ${quoted(id)}, which the service does not have for its key`]
					: []),
			];
		}),
		...committed
			.filter(({ idempotencyKey }) => !keys.has(idempotencyKey))
			.map(
				({ sequence, idempotencyKey }) =>
					`Request ${sequence} with key ${quoted(idempotencyKey)} made a change that no execution returned`,
			),
	];
}

function checkCommits(operation: Operation, { key, requestId }: Output, commits: JournalEntry[]): string[] {
	const name = named(operation);
	if (typeof key !== 'string') return [`${name} was sent without an idempotency key`];
	if (commits.length !== 1) return [`${name} was done ${commits.length} times with its key '${key}'`];
	const [{ operation: done, method, path, body, requestId: committedBy }] = commits;
	const target = done === 'runWorkflow' ? path.split('/').at(-2) : (body as { name?: string } | null)?.name;
	return [
		...(done === `${operation.kind}Workflow` && target === operation.target
			? []
			: [`${name} has key '${key}', with which ${method} ${path} was done`]),
		...(committedBy === requestId
			? []
			: [`${name} names request ${quoted(requestId)}, but ${quoted(committedBy)} did it`]),
	];
}

/** No two operations may share an ID or a key. */
const checkShared = (operations: Operation[], produced: Evidence['produced']): string[] =>
	(['id', 'key'] as const).flatMap((field) => {
		const outputs = operations.flatMap((operation) =>
			(produced.get(operation.id) ?? []).map((one) => ({
				name: named(operation),
				value: quoted(one[field]),
			})),
		);
		return [...groupBy(outputs, ({ value }) => value)].flatMap(([value, group]) => {
			const names = [...new Set(group.map(({ name }) => name))];
			return names.length > 1 ? [`${names.join(' and ')} have the same ${field}, ${value}`] : [];
		});
	});

/** Compares the totals, which do not depend on the journal. */
function checkTotals(operations: Operation[], { runs, workflowsCreated }: ServiceRecords): string[] {
	const [created, started] = (['create', 'run'] as const).map((kind) =>
		operations.filter((operation) => operation.kind === kind),
	);
	const compare = (what: string, actual: number, expected: number) =>
		actual === expected ? [] : [`${what}: ${actual} instead of ${expected}`];
	return [
		...compare('Prospector workflows created', workflowsCreated, created.length),
		...compare('Runs started', runs.started, started.length),
		...[...groupBy(started, ({ target }) => target)].flatMap(([id, { length }]) =>
			compare(`Runs started of Prospector workflow '${id}'`, runs.perWorkflow[id] ?? 0, length),
		),
	];
}
