import type { JournalEntry, RunsSummary } from '../../sandbox/types';
import type { Evidence, Produced } from './evidence';
import type { Operation } from './plan';
import { targetOf } from './target';

/** What the service itself knows at the end. */
export interface Truth {
	/** Of every request there was. */
	journal: JournalEntry[];
	runs: RunsSummary;
	workflowsCreated: number;
}

const quoted = (value: unknown) => JSON.stringify(value) ?? 'nothing';

const named = ({ id, kind, target }: Operation) => `Operation ${id} (${kind} '${target}')`;

/**
 * Compares what was meant with what the service did and what the executions gave: each operation exactly once.
 *
 * @returns what does not agree, in words; nothing where all is well
 */
export function checkOnce(operations: Operation[], evidence: Evidence, truth: Truth): string[] {
	const committed = grouped(
		truth.journal.filter((entry) => entry.committed),
		(entry) => String(entry.idempotencyKey),
	);
	const runs = new Map(truth.runs.runs.map((run) => [run.id, run]));
	return [
		...checkShared(operations, evidence),
		...operations.flatMap((operation) => {
			const produced = evidence.produced.get(operation.id) ?? [];
			if (produced.length === 0) return [`${named(operation)} came out of no execution`];
			if (produced.length > 1) {
				return [`${named(operation)} came out as different things: ${produced.map(quoted).join(' and ')}`];
			}
			const run = operation.kind === 'run' ? runs.get(String(produced[0].id)) : undefined;
			return [
				...checkCommitted(operation, produced[0], committed.get(String(produced[0].key)) ?? []),
				...(operation.kind === 'run' && run?.idempotencyKey !== produced[0].key
					? [
							`${named(operation)} gave run ${quoted(produced[0].id)}, which the service does not have for its key`,
						]
					: []),
			];
		}),
		...checkStrays(evidence, truth),
	];
}

function checkCommitted(
	operation: Operation,
	{ key, requestId }: Produced,
	entries: JournalEntry[],
): string[] {
	const what = named(operation);
	if (typeof key !== 'string') return [`${what} was sent without an idempotency key`];
	if (entries.length !== 1) return [`${what} was done ${entries.length} times under its key '${key}'`];
	const [entry] = entries;
	return [
		...(entry.operation === `${operation.kind}Workflow` && targetOf(entry) === operation.target
			? []
			: [`${what} has the key '${key}', under which ${entry.method} ${entry.path} was done`]),
		...(entry.requestId === requestId
			? []
			: [`${what} came out with request ${quoted(requestId)}, but ${quoted(entry.requestId)} did it`]),
	];
}

/** What the service did must have come out of some operation. */
function checkStrays({ produced }: Evidence, { journal }: Truth): string[] {
	const keys = new Set([...produced.values()].flat().map(({ key }) => key));
	return journal
		.filter((entry) => entry.committed && !keys.has(entry.idempotencyKey))
		.map((entry) => {
			const key = entry.idempotencyKey === null ? 'no key' : `the key '${entry.idempotencyKey}'`;
			return `Request ${entry.sequence} changed '${targetOf(entry)}' with ${key}, and that came out of no execution`;
		});
}

/** No two operations may have one outcome. */
function checkShared(operations: Operation[], { produced }: Evidence): string[] {
	return (['id', 'key'] as const).flatMap((field) => {
		const owners = grouped(
			operations.flatMap((operation) =>
				(produced.get(operation.id) ?? []).map((one) => ({ operation, value: quoted(one[field]) })),
			),
			({ value }) => value,
		);
		return [...owners].flatMap(([value, list]) => {
			const different = [...new Set(list.map(({ operation }) => named(operation)))];
			return different.length > 1 ? [`${different.join(' and ')} came out with one ${field}, ${value}`] : [];
		});
	});
}

/** Compares how much was meant with how much the service did. */
export function checkTotals(operations: Operation[], { journal, runs, workflowsCreated }: Truth): string[] {
	const meant = (kind: Operation['kind']) => operations.filter((operation) => operation.kind === kind);
	const committed = journal.filter((entry) => entry.committed).length;
	const perWorkflow = Object.entries(counted(meant('run').map(({ target }) => target)));
	const differs = (what: string, is: number, should: number) =>
		is === should ? [] : [`${what}: ${is}, and ${should} were meant`];
	return [
		...differs('Changes that the service made', committed, operations.length),
		...differs('Prospector workflows created', workflowsCreated, meant('create').length),
		...differs('Runs started', runs.started, meant('run').length),
		...perWorkflow.flatMap(([id, should]) =>
			differs(`Runs started of Prospector workflow '${id}'`, runs.perWorkflow[id] ?? 0, should),
		),
	];
}

function grouped<T>(list: T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

const counted = (list: string[]): Record<string, number> =>
	Object.fromEntries([...grouped(list, (one) => one)].map(([one, all]) => [one, all.length]));
