import type { HistoryResult } from './history';
import type { FakeResource } from './service';

/** What a trigger has done wrong in a history, as IDs of runs and results. */
export interface Violations {
	/** New, and not emitted. */
	lost: string[];
	/** Emitted twice. */
	repeated: string[];
	/** Emitted, and not new. */
	wrong: string[];
}

/** Compares what was emitted with what has happened. */
export function violationsOf(told: HistoryResult, event: string): Violations {
	const { runs, results } = told.service;
	if (event === 'newRun') return ofItems(told, runs, (run) => run.of);
	if (event === 'runFailed') return ofFailedRuns(told);
	if (event === 'runStatusChanged') return ofStatusChanges(told);
	const workflowOf = new Map(runs.map((run) => [run.id, run.of]));
	return ofItems(told, results, (result) => workflowOf.get(result.of)!);
}

const noViolations = (): Violations => ({ lost: [], repeated: [], wrong: [] });

/** Whether anybody can find what belongs to this workflow. Of a deleted one, what was found before may be emitted. */
const canBeFound = ({ service, watched }: HistoryResult, workflowId: string) =>
	watched.has(workflowId) && !service.deleted.has(workflowId);

/** Each new run or result is emitted once. */
function ofItems(
	told: HistoryResult,
	things: FakeResource[],
	workflowOf: (thing: FakeResource) => string,
): Violations {
	const { existed, emitted } = told;
	const ids = emitted.map(({ id }) => String(id));
	const added = things.filter((thing) => !existed.has(thing));
	const addedIds = new Set(added.map(({ id }) => id));
	const emittedIds = new Set(ids);
	return {
		lost: added
			.filter((thing) => canBeFound(told, workflowOf(thing)) && !emittedIds.has(thing.id))
			.map(({ id }) => id),
		repeated: ids.filter((id, index) => ids.indexOf(id) < index),
		wrong: ids.filter((id) => !addedIds.has(id)),
	};
}

/** The emitted statuses of each run are an unbroken chain up to the present one. */
function ofStatusChanges(told: HistoryResult): Violations {
	const violations = noViolations();
	for (const run of told.service.runs) {
		const history = told.statuses.get(run.id)!;
		const isExisting = told.existed.has(run);
		let before = isExisting ? history[0] : null;
		let position = isExisting ? 0 : -1;
		for (const { previous_status: previous, status } of told.emitted.filter(({ id }) => id === run.id)) {
			position = history.indexOf(status as string, position + 1);
			if (previous !== before || status === before) violations.repeated.push(run.id);
			else if (position < 0) violations.wrong.push(run.id);
			before = status as string;
		}
		if (canBeFound(told, run.of) && before !== run.status) violations.lost.push(run.id);
	}
	return violations;
}

/** A run is emitted at most as often as it has failed, and at least once if it has failed in the end. */
function ofFailedRuns(told: HistoryResult): Violations {
	const violations = noViolations();
	for (const run of told.service.runs) {
		const history = told.statuses.get(run.id)!;
		const isExisting = told.existed.has(run);
		const times = history.filter(
			(status, index) => status === 'failed' && (index > 0 ? history[index - 1] !== status : !isExisting),
		).length;
		const changes = told.emitted.filter(({ id }) => id === run.id);
		if (changes.length > times) violations.repeated.push(run.id);
		if (changes.some(({ status }) => status !== 'failed')) violations.wrong.push(run.id);
		// If it had failed at the beginning, the trigger may not have seen it in another status.
		const mustBeEmitted = run.status === 'failed' && !(isExisting && history[0] === 'failed');
		if (mustBeEmitted && changes.length === 0 && canBeFound(told, run.of)) violations.lost.push(run.id);
	}
	return violations;
}
