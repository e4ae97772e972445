import type { HistoryResult } from './history';
import type { FakeResource } from './service';

/** IDs of the runs and results of a history that a trigger got wrong. */
export interface Violations {
	/** New, but not emitted. */
	lost: string[];
	/** Emitted twice. */
	repeated: string[];
	/** Emitted, but not new. */
	wrong: string[];
}

/** Compares the emitted items with the events of a history. */
export function violationsOf(result: HistoryResult, event: string): Violations {
	const { runs, results } = result.service;
	if (event === 'newRun') return violationsOfItems(result, runs, ({ parentId }) => parentId);
	if (event === 'runFailed') return violationsOfFailures(result);
	if (event === 'runStatusChanged') return violationsOfChanges(result);
	const workflowOf = new Map(runs.map((run) => [run.id, run.parentId]));
	return violationsOfItems(result, results, ({ parentId }) => workflowOf.get(parentId)!);
}

const noViolations = (): Violations => ({ lost: [], repeated: [], wrong: [] });

/**
 * Whether a trigger must emit what belongs to a workflow. It may emit what belongs to a deleted one, if it had read that
 * before.
 */
const mustEmit = ({ service, watched }: HistoryResult, workflowId: string) =>
	watched.has(workflowId) && !service.deleted.has(workflowId);

/** Each new run or result must be emitted once. */
function violationsOfItems(
	result: HistoryResult,
	resources: FakeResource[],
	workflowOf: (resource: FakeResource) => string,
): Violations {
	const { existed, emitted } = result;
	const ids = emitted.map(({ id }) => String(id));
	const added = resources.filter((resource) => !existed.has(resource));
	const addedIds = new Set(added.map(({ id }) => id));
	const emittedIds = new Set(ids);
	return {
		lost: added
			.filter((resource) => mustEmit(result, workflowOf(resource)) && !emittedIds.has(resource.id))
			.map(({ id }) => id),
		repeated: ids.filter((id, index) => ids.indexOf(id) < index),
		wrong: ids.filter((id) => !addedIds.has(id)),
	};
}

/** The emitted statuses of each run must be an unbroken chain up to the current one. */
function violationsOfChanges(result: HistoryResult): Violations {
	const violations = noViolations();
	for (const run of result.service.runs) {
		const history = result.statuses.get(run.id)!;
		const isExisting = result.existed.has(run);
		let before = isExisting ? history[0] : null;
		let position = isExisting ? 0 : -1;
		for (const { previous_status: previous, status } of result.emitted.filter(({ id }) => id === run.id)) {
			position = history.indexOf(status as string, position + 1);
			if (previous !== before || status === before) violations.repeated.push(run.id);
			else if (position < 0) violations.wrong.push(run.id);
			before = status as string;
		}
		if (mustEmit(result, run.parentId) && before !== run.status) violations.lost.push(run.id);
	}
	return violations;
}

/** A run must be emitted at most as often as it failed, and at least once if it has failed in the end. */
function violationsOfFailures(result: HistoryResult): Violations {
	const violations = noViolations();
	for (const run of result.service.runs) {
		const history = result.statuses.get(run.id)!;
		const isExisting = result.existed.has(run);
		const times = history.filter(
			(status, index) => status === 'failed' && (index > 0 ? history[index - 1] !== status : !isExisting),
		).length;
		const changes = result.emitted.filter(({ id }) => id === run.id);
		if (changes.length > times) violations.repeated.push(run.id);
		if (changes.some(({ status }) => status !== 'failed')) violations.wrong.push(run.id);
		// The trigger may have seen a run that had failed at the beginning in no other status.
		const mustBeEmitted = run.status === 'failed' && !(isExisting && history[0] === 'failed');
		if (mustBeEmitted && changes.length === 0 && mustEmit(result, run.parentId)) violations.lost.push(run.id);
	}
	return violations;
}
