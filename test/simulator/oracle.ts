import { DAY_MS, MINUTE_MS } from './activeTrigger';
import type { Entry, ResultEntry, RunEntry, StatusChange, WorkflowEntry } from './ledger';
import { isLive, hasUsableId, lastStatusOf } from './ledger';
import { isTimeless, pageSizeOf } from './settings';
import type { World } from './world';

/**
 * - `lost`: new, but not emitted by polls that had time to read everything
 * - `repeated`, `wrong`: emitted too often, or although it was not new
 * - `late`: emitted some polls after the first one that could read it
 * - `falseReport`: a failed execution although the service did nothing that justifies it
 * - `silent`: something that must be reported was not
 * - `overBudget`: too many requests
 * - `state`: the stored state is too large
 * - `crashed`: a poll threw an exception that n8n can't show
 */
export type ViolationKind =
	'lost' | 'repeated' | 'wrong' | 'late' | 'falseReport' | 'silent' | 'overBudget' | 'state' | 'crashed';

export interface Violation {
	kind: ViolationKind;
	/** One sentence. */
	text: string;
}

const MAX_STATE_BYTES = 1_000_000;

/** Compares everything that was emitted, sent and reported with everything that happened. */
export function findViolations(world: World, event: string): Violation[] {
	return [
		...findItemViolations(world, event),
		...findReportViolations(world),
		...findPollViolations(world, event),
	];
}

/** Compares the emitted items with the entries of the ledger. */
export function findItemViolations(world: World, event: string): Violation[] {
	const { runs, results } = world.ledger;
	if (event === 'newRun') return compareItems(world, runs, event);
	if (event === 'newResult') return compareItems(world, results, event);
	if (event === 'runFinished') return [...compareItems(world, results, event), ...findSplitRuns(world)];
	return runs.flatMap((run) => compareStatuses(world, run, event));
}

/** Returns whether the event concerns a run, for each status that the run has had. */
export const wantedStatuses = ({ runStatuses }: World, run: RunEntry, event: string): boolean[] =>
	run.statuses.map(({ text, outcome }) => {
		if (event === 'newRun') return true;
		return runStatuses.length > 0
			? runStatuses.includes(text)
			: !['runFailed', 'runFinished', 'returnedRun'].includes(event) || outcome === outcomeOf(event);
	});

const outcomeOf = (event: string) => (event === 'runFailed' ? 'failed' : 'finished');

const runOf = (entry: RunEntry | ResultEntry): RunEntry => ('run' in entry ? entry.run : entry);

/** Whether an entry counts as existing at the activation. */
function isExisting({ settings, activatedAtMs }: World, entry: Entry): boolean {
	if (settings.includeExisting) return false;
	return (isTimeless(settings) ? entry.addedAtMs : entry.createdAtMs) < activatedAtMs;
}

const isWatched = ({ isChosen, mayMissBeforeMs, isChoiceUnread }: WorkflowEntry): boolean =>
	isChosen || mayMissBeforeMs > 0 || isChoiceUnread;

/** Whether the trigger must find an entry, of which it may know no earlier state. */
function mustFind(world: World, entry: RunEntry | ResultEntry, sinceMs: number): boolean {
	const { settings, ledger } = world;
	const run = runOf(entry);
	const { workflow } = run;
	if (![entry, run, workflow].every(isLive)) return false;
	if (!workflow.isChosen || workflow.isChoiceUnread || sinceMs <= workflow.mayMissBeforeMs) return false;
	// Backdated to before the choice of its Prospector workflow, it counts as existing.
	if (entry.createdAtMs <= workflow.mayMissBeforeMs) return false;
	if (settings.isSecondRefused && workflow === ledger.workflows[1]) return false;
	const lists = [ledger.workflows, workflow.runs, ...('run' in entry ? [run.results] : [])];
	// The documentation says that items of a list without any order can be missed.
	return settings.listOrder !== 'random' || lists.every(({ length }) => length <= pageSizeOf(settings));
}

/** How often an item may and must be emitted. */
function rangeOf(world: World, entry: RunEntry | ResultEntry, event: string): [min: number, max: number] {
	const { settings, activatedAtMs } = world;
	const run = runOf(entry);
	const isResult = 'run' in entry;
	const isShared = isResult && settings.ids === 'sameRunId';
	const wanted = wantedStatuses(world, run, event);
	const isPossible = [entry, run, run.workflow].every(hasUsableId) && (isShared || isWatched(run.workflow));
	// Without times, a Prospector workflow that has come back can't be told from a new one.
	const workflows = isShared ? world.ledger.workflows : [run.workflow];
	const hasComeBack = workflows.some(({ mayMissBeforeMs }) => mayMissBeforeMs > 0);
	if (isPossible && isTimeless(settings) && hasComeBack) return [0, Infinity];
	if (!isPossible || !wanted.includes(true)) return [0, 0];
	// Nor can an existing item that the first poll missed, because the order has changed between two pages.
	// A run that is unfinished when its Prospector workflow comes back returns all its results.
	const isReopened = event === 'runFinished' && hasComeBack && run.statuses.length > 1;
	const isKnown = event !== 'runFinished' || (hadFinished(world, run) && !isReopened);
	if (isKnown && isExisting(world, entry))
		return [0, isTimeless(settings) && settings.listOrder === 'random' ? 1 : 0];
	// Without credible times, the first read of a list can't tell which items are new.
	const hasTime = !isTimeless(settings) && entry.createdAtMs <= entry.addedAtMs;
	const isRead = !run.workflow.isReturnUnread && run.addedAtMs >= run.workflow.unclearBeforeMs;
	const isUnclear = !hasTime && (Math.min(run.addedAtMs, run.createdAtMs) < activatedAtMs || !isRead);
	const isOptional = isResult && (entry.isTooLate || world.ledger.lastRun(run) !== run || !wanted.at(-1));
	const isRequired = !isUnclear && !isOptional && mustFind(world, entry, entry.addedAtMs);
	// A result may be emitted for each of two runs with one ID, or again if its date is ahead and it was forgotten.
	const isChangedLate = run.statuses.some(({ atMs }) => atMs > entry.addedAtMs + DAY_MS);
	const canBeForgotten = isChangedLate || run.workflow.mayMissBeforeMs > entry.addedAtMs;
	const isRepeated = isResult && entry.createdAtMs > entry.addedAtMs && canBeForgotten;
	return [isRequired ? 1 : 0, isShared || isRepeated || isReopened ? 2 : 1];
}

/** Whether a run had finished at the activation, so that its results are not new. */
function hadFinished(world: World, run: RunEntry): boolean {
	const known = run.statuses.filter(({ atMs }) => atMs < world.activatedAtMs).length;
	return isExisting(world, run) && wantedStatuses(world, run, 'runFinished')[Math.max(known - 1, 0)];
}

/** Run Finished must emit the results of a run only after the run has finished, and those that are visible together. */
function findSplitRuns(world: World): Violation[] {
	const { trigger, ledger, settings, changedPolls } = world;
	// Of two runs with the same ID, the emitted items don't tell which one is meant.
	if (settings.ids === 'sameRunId') return [];
	const violations: Violation[] = [];
	// The first poll that has emitted an item counts.
	const pollOf = new Map(trigger.emitted.map(({ json, poll }) => [String(json.id), poll] as const).reverse());
	for (const run of ledger.runs) {
		const wanted = wantedStatuses(world, run, 'runFinished');
		const results = run.results.filter(hasUsableId);
		const firstPoll = Math.min(...results.map(({ key }) => pollOf.get(key) ?? Infinity));
		const isUnclear = changedPolls.has(firstPoll) || settings.listOrder === 'random';
		const areAllNew = run.workflow.mayMissBeforeMs === 0 && !hadFinished(world, run);
		for (const result of results) {
			const { key, visibleAtMs } = result;
			const poll = pollOf.get(key) ?? Infinity;
			const isFinishedAt = ({ poll: since }: StatusChange, at: number) =>
				wanted[at] && since <= poll + 1 && (run.statuses[at + 1]?.poll ?? Infinity) > poll;
			if (poll < Infinity && !run.statuses.some(isFinishedAt))
				violations.push({ kind: 'wrong', text: `${key} was emitted before run ${run.key} had finished` });
			const isSplit = firstPoll < poll && visibleAtMs < trigger.polls[firstPoll].startedAtMs;
			if (isSplit && isLive(result) && areAllNew && !isUnclear)
				violations.push({ kind: 'late', text: `${key} was emitted after other results of run ${run.key}` });
		}
	}
	return violations;
}

/** Each new item must be emitted once. */
function compareItems(world: World, entries: Array<RunEntry | ResultEntry>, event: string): Violation[] {
	const ranges = new Map<string, [number, number]>();
	const byId = new Map<string, RunEntry | ResultEntry>();
	for (const entry of entries) {
		if (!hasUsableId(entry)) continue;
		const [min, max] = rangeOf(world, entry, event);
		const [minBefore, maxBefore] = ranges.get(entry.key) ?? [0, 0];
		ranges.set(entry.key, [minBefore + min, maxBefore + max]);
		byId.set(entry.key, entry);
	}
	const counts = new Map<string, number>();
	for (const id of world.trigger.ids) counts.set(id, (counts.get(id) ?? 0) + 1);
	const violations: Violation[] = [];
	const reports = reportsOf(world);
	// The trigger leaves out items without a time if it can't tell whether they are new.
	const areLeftOut = isTimeless(world.settings) && reports.some((text) => text.includes("'created_at'"));
	for (const [id, count] of counts) {
		const [, max] = ranges.get(id) ?? [0, 0];
		if (max === 0) violations.push({ kind: 'wrong', text: `${id} was emitted, but is not new` });
		else if (count > max) violations.push({ kind: 'repeated', text: `${id} was emitted ${count} times` });
	}
	for (const [id, [min]] of ranges) {
		const isLost = (counts.get(id) ?? 0) < min;
		if (isLost && !areLeftOut && !(reports.length > 0 && isNamed(world, byId.get(id)!)))
			violations.push({ kind: 'lost', text: `${id} was never emitted` });
	}
	return violations;
}

/** Whether n8n's log names the list of an item as unreadable. A failed execution may name only the first of several. */
function isNamed({ trigger }: World, entry: RunEntry | ResultEntry): boolean {
	const run = runOf(entry);
	const losses = trigger.log.filter((line) => !/catches up|tries again/.test(line));
	return losses.some((line) => [run.key, run.workflow.key].some((id) => line.includes(id)));
}

/** The emitted statuses of a run must be a chain up to the current one, or its failures without repetition. */
function compareStatuses(world: World, run: RunEntry, event: string): Violation[] {
	const { trigger, ledger } = world;
	const emitted = trigger.emitted.filter(({ json }) => json.id === run.id).map(({ json }) => json);
	const about = (kind: ViolationKind, text: string): Violation[] => [
		{ kind, text: `run ${run.key}: ${text}` },
	];
	// One run in two lists has two states.
	if (ledger.runs.some((other) => other !== run && other.key === run.key)) return [];
	if (!hasUsableId(run) || !hasUsableId(run.workflow) || !isWatched(run.workflow)) {
		return emitted.length > 0 ? about('wrong', 'it was emitted, but is not watched') : [];
	}
	// As above.
	const isUndecidable = run.workflow.mayMissBeforeMs > 0 || world.settings.listOrder === 'random';
	if (isTimeless(world.settings) && isUndecidable) return [];
	const wasExisting = isExisting(world, run);
	const texts = run.statuses.map(({ text }) => text);
	const wanted = wantedStatuses(world, run, event);
	// The first status of a run that counts as existing is the one that the trigger read first.
	const isFirstKnown =
		!wasExisting || (run.addedAtMs < world.activatedAtMs && world.settings.listOrder !== 'random');
	const isChainKnown = isFirstKnown && run.workflow.mayMissBeforeMs === 0;
	const isRequired = mustFind(world, run, lastStatusOf(run).atMs) && !isNamed(world, run);
	if (event === 'runFailed' || event === 'returnedRun') {
		const times = wanted.filter((is, at) => is && !(at > 0 ? wanted[at - 1] : wasExisting)).length;
		if (emitted.length > times)
			return about('repeated', `it was emitted ${emitted.length} times, but should be ${times} times`);
		const isMissing = isRequired && isChainKnown && wanted.at(-1) && !(wasExisting && wanted[0]);
		return isMissing && emitted.length === 0 ? about('lost', 'it ended, but was never emitted') : [];
	}
	let before = wasExisting ? texts[0] : null;
	let position = wasExisting ? 0 : -1;
	for (const { previous_status: previous, status } of emitted) {
		const text = typeof status === 'string' ? status.trim() : '';
		// The previous status may be one that is not wanted, so it was not emitted.
		const isPrevious = (one: string | null, at: number) =>
			one === previous && (at === 0 || !wanted[position + at]);
		const isNext = (at: number) =>
			!isChainKnown || (at > position && [before, ...texts.slice(position + 1, at)].some(isPrevious));
		const next = texts.findIndex((other, at) => other === text && wanted[at] && isNext(at));
		if (previous === text || next < 0) {
			return about(
				'repeated',
				`"${text}" was emitted after "${before}", with the previous status "${String(previous)}"`,
			);
		}
		position = next;
		before = text;
	}
	const current = lastStatusOf(run).text;
	return isRequired && isChainKnown && wanted.at(-1) && before !== current
		? about('lost', `its status "${current}" was never emitted`)
		: [];
}

/** Returns the texts of all failed executions. */
const reportsOf = ({ trigger }: World): string[] =>
	trigger.failedExecutions.map(({ message, description }) => `${message}. ${description ?? ''}`);

function findReportViolations(world: World): Violation[] {
	const { settings, trigger, ledger } = world;
	const violations: Violation[] = [];
	const report = (kind: ViolationKind, text: string) => void violations.push({ kind, text });
	const isUnusual = settings.ids === 'unusable' || isTimeless(settings) || settings.listOrder === 'random';
	const isJustified = world.failedRequests > 0 || world.clockJumps > 0 || isUnusual;
	for (const text of reportsOf(world)) {
		const isFalse = text.includes('was not found') ? world.notFoundRequests === 0 : !isJustified;
		if (isFalse) report('falseReport', `nothing justifies the failed execution "${text}"`);
	}
	const isLogged = (pattern: RegExp) => trigger.log.some((line) => pattern.test(line));
	const hasJumped = world.clockJumps > 0 && world.time.n8nAheadMs !== settings.n8nAheadMs;
	const { n8nAheadMs } = world.time;
	const difference = `${Math.abs(n8nAheadMs) / MINUTE_MS} minutes ${n8nAheadMs > 0 ? 'behind' : 'ahead of'} n8n's`;
	if (hasJumped && Math.abs(n8nAheadMs) < DAY_MS && !isLogged(new RegExp(`clock is now ${difference}$`)))
		report('silent', `no log line tells that the service's clock is ${difference}`);
	const unusable = ledger.runs.find(
		(run) => !hasUsableId(run) && hasUsableId(run.workflow) && mustFind(world, run, run.addedAtMs),
	);
	if (unusable && !isLogged(/\bIDs?\b/))
		report('silent', `no log line tells that the ID ${JSON.stringify(unusable.id)} can't be used`);
	return violations;
}

function findPollViolations({ trigger, settings }: World, event: string): Violation[] {
	const violations: Violation[] = [];
	for (const [index, poll] of trigger.polls.entries()) {
		const { requests, maxRequests, rejectedCursors, stateBytes, failure } = poll;
		const about = (kind: ViolationKind, text: string) =>
			void violations.push({ kind, text: `poll ${index + 1}: ${text}` });
		// All results of a run are read in one poll, and up to ten names of Prospector workflows beyond the budget.
		const factor = rejectedCursors > 0 || event === 'runFinished' ? 10 : 1;
		if (requests > maxRequests * factor + 10) about('overBudget', `it sent ${requests} requests`);
		if (stateBytes > MAX_STATE_BYTES) about('state', `its state has ${stateBytes} bytes`);
		const { name } = (failure ?? { name: 'NodeApiError' }) as Error;
		if (!['NodeApiError', 'NodeOperationError'].includes(name))
			about('crashed', `it threw ${String(failure)}`);
	}
	// The first poll may send more, and the last ones may not have repaid what a rejected cursor cost.
	const later = trigger.polls.slice(1);
	const sent = later.reduce((sum, { requests }) => sum + requests, 0);
	const { maxRequests } = settings;
	if (later.length >= 20 && sent > maxRequests * (1.1 * later.length + 10)) {
		violations.push({ kind: 'overBudget', text: `${later.length} polls sent ${sent} requests` });
	}
	return violations;
}
