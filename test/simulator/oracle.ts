import type { IDataObject } from 'n8n-workflow';
import { DAY_MS, HOUR_MS, MINUTE_MS, type PollRecord } from './activeTrigger';
import type { Entry, ResultEntry, RunEntry, StatusChange, WorkflowEntry } from './ledger';
import { isLive, hasUsableId, lastStatusOf } from './ledger';
import { readBounds } from './invariants';
import { firstClockAheadMs, type HistorySettings, isTimeless, pageSizeOf } from './settings';
import { type LastingFailure, SETTLE_MS, type World } from './world';

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
type ViolationKind =
	'lost' | 'repeated' | 'wrong' | 'late' | 'falseReport' | 'silent' | 'overBudget' | 'state' | 'crashed';

export interface Violation {
	kind: ViolationKind;
	/** One sentence. */
	text: string;
}

/** Compares everything that was emitted, sent and reported with everything that happened. */
export function findViolations(world: World): Violation[] {
	return [
		...findItemViolations(world),
		...world.earlierViolations,
		...findReportViolations(world),
		...findPollViolations(world),
	];
}

/** Compares the emitted items with the entries of the ledger. */
export function findItemViolations(world: World): Violation[] {
	const { event, trigger } = world;
	const { runs, results } = world.ledger;
	world.bounds = readBounds(trigger.lastState);
	if (event === 'newRun') return compareItems(world, runs);
	if (event === 'newResult') return compareItems(world, results);
	if (event === 'runFinished') return [...compareItems(world, results), ...findSplitRuns(world)];
	const emittedById = new Map<unknown, IDataObject[]>();
	for (const { json } of world.emitted) emittedById.set(json.id, [...(emittedById.get(json.id) ?? []), json]);
	return runs.flatMap((run) => compareStatuses(world, run, emittedById.get(run.id) ?? []));
}

/** Returns whether the event concerns a run, for each status that the run has had. */
export const wantedStatuses = ({ runStatuses, event }: World, run: RunEntry): boolean[] =>
	run.statuses.map(({ text, outcome }) => {
		if (event === 'newRun') return true;
		return runStatuses.length > 0
			? runStatuses.includes(text)
			: !['runFailed', 'runFinished', 'returnedRun'].includes(event) || outcome === outcomeOf(event);
	});

const outcomeOf = (event: string) => (event === 'runFailed' ? 'failed' : 'finished');

const runOf = (entry: RunEntry | ResultEntry): RunEntry => ('run' in entry ? entry.run : entry);

/** Whether an entry counts as existing at the activation. */
function isExisting(world: World, entry: RunEntry | ResultEntry): boolean {
	const { settings, activatedAtMs, includesExisting } = world;
	const timeOf = ({ visibleAtMs, createdAtMs }: Entry) => (isTimeless(settings) ? visibleAtMs : createdAtMs);
	// All results of a new run are new, and so is everything in a new Prospector workflow.
	return !includesExisting && parentsOf(entry).every((one) => timeOf(one) < activatedAtMs);
}

/** Returns an entry with its run and its Prospector workflow. */
const parentsOf = (entry: RunEntry | ResultEntry): Entry[] =>
	'run' in entry ? [entry, entry.run, entry.run.workflow] : [entry, entry.workflow];

/** Whether a wrong clock lets an existing entry count as new. */
const isUnclearlyOld = ({ unclearMs, activatedAtMs }: World, entry: RunEntry | ResultEntry): boolean =>
	unclearMs > 0 && parentsOf(entry).some(({ createdAtMs }) => createdAtMs >= activatedAtMs - unclearMs);

/** Whether a run changed while the trigger was starting over. */
const isUnclearStart = ({ activatedAtMs, clearFromMs }: World, { statuses, addedAtMs }: RunEntry): boolean =>
	[addedAtMs, ...statuses.map(({ atMs }) => atMs)].some((ms) => ms >= activatedAtMs && ms <= clearFromMs);

/** Whether a failure that lasts keeps the trigger from reading an entry. */
export function isBlocked(
	{ lastingFailures, time, settings }: World,
	entry: RunEntry | ResultEntry,
	atMs = time.nowMs,
): boolean {
	const run = runOf(entry);
	// While their list fails, runs are read one by one. If there are many, those that were added then can take longer.
	const areMany = run.workflow.runs.length > 2 * settings.maxRequests;
	return lastingFailures.some(({ untilMs, operation, poll, entry: failed }) => {
		if (untilMs <= (areMany ? Math.min(atMs, entry.addedAtMs) : atMs)) return false;
		return operation === 'listWorkflows'
			? run.workflow.visiblePoll >= poll - 3
			: failed?.key === run.key || failed?.key === run.workflow.key;
	});
}

const isWatched = ({ isChosen, mayMissBeforeMs, isChoiceUnread }: WorkflowEntry): boolean =>
	isChosen || mayMissBeforeMs > 0 || isChoiceUnread;

/** Whether an entry is as old as what the trigger has forgotten to save space. */
function isForgotten({ bounds }: World, entry: RunEntry | ResultEntry): boolean {
	const { key, workflow, createdAtMs } = runOf(entry);
	const isOldRun = createdAtMs < (bounds.get(workflow.key) ?? 0);
	return isOldRun || ('run' in entry && entry.createdAtMs < (bounds.get(`${workflow.key} ${key}`) ?? 0));
}

/** Whether lists end with an empty page after a number of items. */
const endsEarly = ({ cursorRejection, cursorMaxItems }: HistorySettings): boolean =>
	cursorRejection === 'emptyPage' && cursorMaxItems !== null;

/** Whether a first read can miss existing items, because pages do not fit together or the list seems to end. */
const canMissPages = (settings: HistorySettings): boolean =>
	settings.listOrder === 'random' || settings.staleProbability > 0 || endsEarly(settings);

/** Whether a list always has one page. */
const fitsPage = (settings: HistorySettings, { length }: unknown[]): boolean =>
	length <= (settings.pages === 'full' ? pageSizeOf(settings) : 1);

/** Number of items after which a list seems to end. After 30 s of reading, its end counts as a dead cursor. */
function visibleItems(settings: HistorySettings): number {
	const { cursorMaxItems, responseMs } = settings;
	const readMs = (responseMs * (cursorMaxItems ?? 0)) / pageSizeOf(settings);
	return endsEarly(settings) && readMs <= 30_000 ? cursorMaxItems! : Infinity;
}

/**
 * Whether an entry is older than what a clock, which was ahead at the activation, had shown, and no poll came before that,
 * or n8n has not saved what that poll had noticed. If n8n's clock was ahead, this poll makes a new baseline.
 */
function isHiddenByClock({ settings, trigger: { polls }, counts }: World, { createdAtMs }: Entry): boolean {
	const wrongUntilMs = polls[0].startedAtMs + firstClockAheadMs(settings);
	const isInTime = ({ startedAtMs, requests }: PollRecord) => startedAtMs < wrongUntilMs && requests > 0;
	const noticing = polls.slice(1).find(isInTime);
	if (noticing === undefined || counts.has('restart') || counts.has('crash'))
		return createdAtMs < wrongUntilMs;
	return !settings.dateHeader && createdAtMs < Math.min(noticing.startedAtMs, wrongUntilMs);
}

/** Whether the trigger must find an entry, of which it may know no earlier state. */
function mustFind(world: World, entry: RunEntry | ResultEntry, sinceMs: number): boolean {
	const { settings, ledger, clearFromMs, includesExisting } = world;
	const run = runOf(entry);
	const { workflow } = run;
	if (![entry, run, workflow].every(isLive)) return false;
	if (!workflow.isChosen || workflow.isChoiceUnread || sinceMs <= workflow.mayMissBeforeMs) return false;
	// Backdated to before the choice of its Prospector workflow, or to the activation, it can count as existing.
	const startMs = clearFromMs + SETTLE_MS;
	const isOfNew = parentsOf(entry).some(({ createdAtMs }) => createdAtMs > startMs);
	const isBackdated = entry.createdAtMs < entry.addedAtMs && !isOfNew;
	if (entry.createdAtMs <= Math.max(workflow.mayMissBeforeMs, isBackdated ? startMs : 0)) return false;
	if ((sinceMs <= clearFromMs && !includesExisting) || isUnclearStart(world, run)) return false;
	if (entry.isUncertain || run.isUncertain || isBlocked(world, entry)) return false;
	if (isForgotten(world, entry) || isHiddenByClock(world, entry)) return false;
	const lists = [ledger.workflows, workflow.runs, ...('run' in entry ? [run.results] : [])];
	if (lists.some(({ length }) => length > visibleItems(settings))) return false;
	// Without a `Date` header, new items seem to be dated ahead if n8n's clock is behind. They existed if the list of an
	// existing run, or of a Prospector workflow that has come back, is read for the first time.
	const startedOverMs = Math.max(world.activatedAtMs, clearFromMs);
	const isOfExistingRun = 'run' in entry && Math.min(run.addedAtMs, run.createdAtMs) <= startedOverMs;
	const hasComeBack = workflow.mayMissBeforeMs > 0;
	const isUnclear = isOfExistingRun || hasComeBack;
	if (world.counts.has("n8n's clock jumped without Date header") && isUnclear) return false;
	// The documentation says that items of a list without any order can be missed.
	return settings.listOrder !== 'random' || lists.every((list) => fitsPage(settings, list));
}

/** How often an item may and must be emitted. */
function rangeOf(world: World, entry: RunEntry | ResultEntry): [min: number, max: number] {
	const { settings, activatedAtMs, event } = world;
	const run = runOf(entry);
	const isResult = 'run' in entry;
	const isShared = isResult && settings.ids === 'sameRunId';
	// An uncertain item may be emitted for both of its places.
	if (entry.isUncertain || run.isUncertain) return [0, 2];
	const wanted = wantedStatuses(world, run);
	const isPossible = [entry, run, run.workflow].every(hasUsableId) && (isShared || isWatched(run.workflow));
	// Without times, a Prospector workflow that has come back looks like a new one.
	const workflows = isShared ? world.ledger.workflows : [run.workflow];
	const hasComeBack = workflows.some(({ mayMissBeforeMs }) => mayMissBeforeMs > 0);
	if (isPossible && isTimeless(settings) && hasComeBack) return [0, Infinity];
	if (!isPossible || !wanted.includes(true)) return [0, 0];
	// A run that is unfinished when its Prospector workflow comes back returns all its results.
	const isReopened = event === 'runFinished' && hasComeBack && run.statuses.length > 1;
	const isKnown = event !== 'runFinished' || (hadFinished(world, run) && !isReopened);
	// An existing item looks new if the first poll missed it, because two pages did not fit together. If pages of the list
	// of Prospector workflows did not fit, the trigger can take it for another workspace.
	const hasAnyOrder = settings.listOrder === 'random' && !fitsPage(settings, world.ledger.workflows);
	const isMissed = hasAnyOrder || (isTimeless(settings) && canMissPages(settings));
	if (isKnown && isExisting(world, entry)) return [0, isUnclearlyOld(world, entry) || isMissed ? 1 : 0];
	// Without credible times, the first read of a list can't tell which items are new.
	const hasTime = !isTimeless(settings) && entry.createdAtMs <= entry.addedAtMs;
	const isRead = !run.workflow.isReturnUnread && run.addedAtMs > run.workflow.unclearBeforeMs;
	const isUnclear = !hasTime && (Math.min(run.addedAtMs, run.createdAtMs) < activatedAtMs || !isRead);
	const isOptional = isResult && (entry.isTooLate || world.ledger.lastRun(run) !== run || !wanted.at(-1));
	const isRequired = !isUnclear && !isOptional && mustFind(world, entry, entry.addedAtMs);
	// A result may be emitted for each of two runs with one ID. An item that is dated ahead may repeat once it was forgotten.
	const isChangedLate = run.statuses.some(({ atMs }) => atMs > entry.addedAtMs + DAY_MS);
	const isResultForgotten = isResult && (isChangedLate || settings.stateBytes < 990_000);
	const canBeForgotten = isResultForgotten || run.workflow.mayMissBeforeMs > entry.addedAtMs;
	// An item that was created before a choice may repeat if a cached header dates the choice back.
	const isDatedBack = settings.dateHeaderStepMs > 0 && run.workflow.mayMissBeforeMs > entry.addedAtMs;
	const isRepeated = (entry.createdAtMs > entry.addedAtMs && canBeForgotten) || isDatedBack;
	const max = workflows.some(({ wasForgotten }) => wasForgotten) ? Infinity : 1;
	return [isRequired ? 1 : 0, isShared || isRepeated || isReopened ? Math.max(max, 2) : max];
}

/** Whether a run had finished at the activation, so that its results are not new. */
function hadFinished(world: World, run: RunEntry): boolean {
	const known = run.statuses.filter(({ atMs }) => atMs < world.activatedAtMs).length;
	return isExisting(world, run) && wantedStatuses(world, run)[Math.max(known - 1, 0)];
}

/** Run Finished returns the results of a run together that are visible within this time, measured by two clocks. */
const TOGETHER_MS = 30_000 - 2000;

/** Returns the index of the first poll that has emitted an item, by its ID. */
export const findFirstPolls = ({ emitted }: World): Map<string, number> =>
	new Map(emitted.map(({ json, poll }) => [String(json.id), poll] as const).reverse());

/** Run Finished must emit the results of a run only after the run has finished, and together. */
function findSplitRuns(world: World): Violation[] {
	const { trigger, ledger, settings, changedPolls, clearFromMs } = world;
	// Of two runs with the same ID, the emitted items don't tell which one is meant.
	if (settings.ids === 'sameRunId') return [];
	const violations: Violation[] = [];
	const pollOf = findFirstPolls(world);
	for (const run of ledger.runs.filter(({ isUncertain }) => !isUncertain)) {
		const wanted = wantedStatuses(world, run);
		const results = run.results.filter((result) => hasUsableId(result) && !result.isUncertain);
		const firstPoll = Math.min(...results.map(({ key }) => pollOf.get(key) ?? Infinity));
		const isAnyOrder = settings.listOrder === 'random' || settings.staleProbability > 0;
		const endsBefore = run.results.length > visibleItems(settings);
		const isUnclear = changedPolls.has(firstPoll) || isAnyOrder || endsBefore;
		const areAllNew =
			run.workflow.mayMissBeforeMs === 0 && run.addedAtMs > clearFromMs && !hadFinished(world, run);
		for (const result of results) {
			const { key, visibleAtMs } = result;
			const poll = pollOf.get(key) ?? Infinity;
			// A change during a poll that is repeated at the same time counts for the next one.
			const isFinishedAt = ({ poll: since }: StatusChange, at: number) =>
				wanted[at] && since <= poll + 2 && (run.statuses[at + 1]?.poll ?? Infinity) > poll;
			if (poll < Infinity && !run.statuses.some(isFinishedAt))
				violations.push({ kind: 'wrong', text: `${key} was emitted before run ${run.key} had finished` });
			const { atMs: finishedAtMs } = lastStatusOf(run);
			const firstMs = trigger.polls[firstPoll]?.startedAtMs ?? Infinity;
			const isInTime =
				hasExactTimes(world) && finishedAtMs < firstMs && visibleAtMs <= finishedAtMs + TOGETHER_MS;
			const isSplit = firstPoll < poll && (visibleAtMs < firstMs || isInTime);
			if (isSplit && isLive(result) && areAllNew && !isUnclear)
				violations.push({ kind: 'late', text: `${key} was emitted after other results of run ${run.key}` });
		}
	}
	return violations;
}

/** Whether no clock was wrong after the first poll. */
const areClocksRight = ({ settings, counts, clockJumps }: World): boolean =>
	settings.dateHeaderStepMs === 0 &&
	settings.n8nAheadMs === 0 &&
	clockJumps === 0 &&
	!counts.has('one wrong Date header');

/** Whether the trigger can know when a run has changed. */
export const hasExactTimes = (world: World): boolean =>
	!isTimeless(world.settings) &&
	!world.settings.timeFormat.startsWith('no') &&
	world.settings.firstDateAheadMs === 0 &&
	areClocksRight(world);

/** Returns how often each value occurs. */
function countEach<Value>(values: Value[]): Map<Value, number> {
	const counts = new Map<Value, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}

/** Each new item must be emitted once. */
function compareItems(world: World, entries: Array<RunEntry | ResultEntry>): Violation[] {
	const ranges = new Map<string, [number, number]>();
	const byId = new Map<string, Array<RunEntry | ResultEntry>>();
	for (const entry of entries) {
		if (!hasUsableId(entry)) continue;
		const [min, max] = rangeOf(world, entry);
		const [minBefore, maxBefore] = ranges.get(entry.key) ?? [0, 0];
		ranges.set(entry.key, [minBefore + min, maxBefore + max]);
		byId.set(entry.key, [...(byId.get(entry.key) ?? []), entry]);
	}
	const counts = countEach(world.emitted.map(({ json }) => String(json.id)));
	const violations: Violation[] = [];
	const reports = reportsOf(world);
	// The trigger leaves out items without a usable time if it can't tell whether they are new.
	const areLeftOut = reports.some((text) => text.includes("'created_at'"));
	const isLeftOut = ({ createdAtMs, addedAtMs }: Entry) =>
		areLeftOut && (isTimeless(world.settings) || createdAtMs > addedAtMs);
	for (const [id, count] of counts) {
		const [, max] = ranges.get(id) ?? [0, 0];
		if (max === 0) violations.push({ kind: 'wrong', text: `${id} was emitted, but is not new` });
		else if (count > max) violations.push({ kind: 'repeated', text: `${id} was emitted ${count} times` });
	}
	const isReported = (entry: RunEntry | ResultEntry) =>
		isLeftOut(entry) || (reports.length > 0 && isNamed(world, entry));
	for (const [id, [min]] of ranges) {
		const isMissing = (counts.get(id) ?? 0) < min;
		if (isMissing && !byId.get(id)!.some(isReported))
			violations.push({ kind: 'lost', text: `${id} was never emitted` });
	}
	return violations;
}

/**
 * Whether n8n's log names the list of an item as unreadable, or says that something was forgotten. A failed execution may
 * name only the first of several.
 */
function isNamed({ trigger }: World, entry: RunEntry | ResultEntry): boolean {
	const run = runOf(entry);
	const losses = trigger.log.filter((line) => !/catches up|tries again/.test(line));
	// The list of Prospector workflows contains all runs.
	const names = [run.key, run.workflow.key, 'list of Prospector workflows', 'no room'];
	return losses.some((line) => names.some((name) => line.includes(name)));
}

/** The emitted statuses of a run must be a chain up to the current one, or its failures without repetition. */
function compareStatuses(world: World, run: RunEntry, emitted: IDataObject[]): Violation[] {
	const { ledger, event } = world;
	const about = (kind: ViolationKind, text: string): Violation[] => [
		{ kind, text: `run ${run.key}: ${text}` },
	];
	// A run in two lists has two states.
	if (ledger.countRuns(run.key) > 1) return [];
	if (isUnclearStart(world, run) || isUnclearlyOld(world, run)) return [];
	if (!hasUsableId(run) || !hasUsableId(run.workflow) || !isWatched(run.workflow)) {
		return emitted.length > 0 ? about('wrong', 'it was emitted, but is not watched') : [];
	}
	// A run that is dated ahead existed if the first read of its list has found it.
	const isFoundFirst = run.createdAtMs > run.addedAtMs && run.addedAtMs < world.activatedAtMs;
	// Without a usable time, an existing run looks new after its Prospector workflow came back, or after pages were missed.
	const isUndecidable = run.workflow.mayMissBeforeMs > 0 || canMissPages(world.settings);
	if ((isTimeless(world.settings) || isFoundFirst) && isUndecidable) return [];
	const wasExisting = isExisting(world, run) || (isFoundFirst && !world.includesExisting);
	const texts = run.statuses.map(({ text }) => text);
	const wanted = wantedStatuses(world, run);
	// The first status of a run that counts as existing is the one that the trigger read first.
	const { listOrder, staleProbability } = world.settings;
	// One that a wrong clock hides may count as existing, too.
	const isFirstKnown = wasExisting
		? run.visibleAtMs < world.activatedAtMs && listOrder !== 'random' && staleProbability === 0
		: !isHiddenByClock(world, run);
	const isChainKnown = isFirstKnown && run.workflow.mayMissBeforeMs === 0;
	const isRequired = mustFind(world, run, lastStatusOf(run).atMs) && !isNamed(world, run);
	if (event === 'runFailed' || event === 'returnedRun') {
		const times = wanted.filter((is, at) => is && !(at > 0 ? wanted[at - 1] : wasExisting)).length;
		if (emitted.length > times && !run.workflow.wasForgotten)
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
	const fullPage = Math.min(pageSizeOf(settings), settings.defaultPageSize);
	// Other pages are about half as long.
	const maxLength = 10 * settings.maxRequests * (settings.pages === 'full' ? fullPage : fullPage / 3);
	const isUnusual =
		[...ledger.workflows.map(({ runs }) => runs), ...ledger.runs.map(({ results }) => results)].some(
			({ length }) => length >= maxLength,
		) ||
		settings.ids === 'unusable' ||
		isTimeless(settings) ||
		settings.listOrder === 'random' ||
		settings.responseMs > 0 ||
		settings.stateBytes < 990_000;
	const isJustified = world.failedRequests > 0 || world.clockJumps > 0 || isUnusual;
	for (const text of reportsOf(world)) {
		const isFalse = text.includes('was not found') ? world.notFoundRequests === 0 : !isJustified;
		if (isFalse) report('falseReport', `nothing justifies the failed execution "${text}"`);
	}
	const isLogged = (pattern: RegExp) => trigger.log.some((line) => pattern.test(line));
	const wrongUntilMs = trigger.polls[0].startedAtMs + firstClockAheadMs(settings);
	const isBeforeBaseline = trigger.emitted.some(({ poll }) => trigger.polls[poll].startedAtMs < wrongUntilMs);
	if (isBeforeBaseline && startCountOf(world) === 0 && !settings.includeExisting && !isLogged(/clock/))
		report('silent', 'no log line tells that a clock was ahead');
	if (firstClockAheadMs(settings) === 0 && areClocksRight(world) && isLogged(/clock was ahead/))
		report('falseReport', 'no clock was ahead');
	for (const pattern of world.requiredLines)
		if (!isLogged(pattern)) report('silent', `no log line contains ${String(pattern)}`);
	const unusable = ledger.runs.find(
		(run) =>
			!hasUsableId(run) &&
			hasUsableId(run.workflow) &&
			settings.cursorMaxItems === null &&
			settings.cursorTtlMs === null &&
			mustFind(world, run, run.addedAtMs),
	);
	if (unusable && !isLogged(/\bIDs?\b/))
		report('silent', `no log line tells that the ID ${JSON.stringify(unusable.id)} can't be used`);
	return [...violations, ...world.lastingFailures.flatMap((failure) => findUnreported(world, failure))];
}

/** A failure that needs a person must be reported within two polls, another one when it has lasted for an hour. */
function findUnreported(
	{ trigger, settings, counts, restartedAtMs }: World,
	failed: LastingFailure,
): Violation[] {
	const { operation, status, metAtMs, entry } = failed;
	// The list shows the run, too, so a request for the run itself is rare.
	if (operation === 'getRun') return [];
	if (operation === 'listWorkflows' && counts.has('watch changed')) return [];
	// A long list waits until the requests for it are repaid.
	const isLong = entry && 'runs' in entry && entry.runs.length > settings.maxRequests * pageSizeOf(settings);
	// n8n's restart can forget since when it fails.
	const firstMs = metAtMs.find((ms) => ms >= restartedAtMs) ?? Infinity;
	const isReport = ({ errors, failure }: PollRecord) => errors.length > 0 || failure !== undefined;
	const first = trigger.polls.filter(({ startedAtMs }) => startedAtMs <= firstMs).length - 1;
	const polls = trigger.polls.slice(first);
	const reported = polls.findIndex(isReport);
	// Reports are hourly.
	const isAfterReport = trigger.polls.some(
		(poll, at) => at < first && isReport(poll) && poll.startedAtMs > firstMs - HOUR_MS,
	);
	const needsPerson = [401, 403, 404].includes(status) && !isAfterReport && !isLong;
	const text = `the failure of ${operation} with ${status} is not reported`;
	if (needsPerson && polls.length > 2 && (reported < 0 || reported > 2)) return [{ kind: 'silent', text }];
	const times = polls.map(({ startedAtMs }) => startedAtMs);
	const end = times.findIndex((ms, at) => at > 0 && ms - times[at - 1] > 6 * MINUTE_MS);
	const lastMs = end < 0 ? times[times.length - 1] : times[end - 1];
	// With responses of 9 s, a poll may not come to what fails.
	const isSlow = settings.responseMs >= 9000;
	const mustReport =
		!isSlow && lastMs >= firstMs + 90 * MINUTE_MS && metAtMs.some((ms) => ms >= firstMs + HOUR_MS);
	const isLate = reported < 0 || times[reported] > firstMs + 90 * MINUTE_MS;
	return mustReport && isLate ? [{ kind: 'silent', text: `${text} within 90 min` }] : [];
}

/** Returns how often the trigger has started over. */
const startCountOf = ({ counts }: World): number =>
	['event changed', 'Base URL changed', 'another workspace'].reduce(
		(sum, name) => sum + (counts.get(name) ?? 0),
		0,
	);

/** Number of pauses that each take a quarter of the time that has passed before, from 10 s on. */
export const countGrowingPauses = (ms: number): number => Math.log1p(ms / 10_000) / Math.log(1.25);

function findPollViolations(world: World): Violation[] {
	const { trigger, settings } = world;
	const violations: Violation[] = [];
	const itemCounts = countEach(trigger.emitted.map(({ poll }) => poll));
	const returnsRunsTogether = world.event === 'runFinished' || world.counts.has('event changed');
	for (const [index, poll] of trigger.polls.entries()) {
		const { requests, maxRequests, stateBytes, failure } = poll;
		const about = (kind: ViolationKind, text: string) =>
			void violations.push({ kind, text: `poll ${index + 1}: ${text}` });
		// A read that has begun ends in the same poll, and up to ten names of Prospector workflows are beyond the budget.
		if (requests > maxRequests * 10 + 10) about('overBudget', `it sent ${requests} requests`);
		const items = itemCounts.get(index) ?? 0;
		const page = Math.max(settings.pageSize, settings.defaultPageSize);
		if (items >= settings.maxItems + page && !returnsRunsTogether)
			about('overBudget', `it emitted ${items} items`);
		const maxBytes = settings.stateBytes + 500 + 200 * world.ledger.workflows.length;
		if (stateBytes > maxBytes) about('state', `its state has ${stateBytes} bytes`);
		const { name } = (failure ?? { name: 'NodeApiError' }) as Error;
		if (!['NodeApiError', 'NodeOperationError'].includes(name))
			about('crashed', `it threw ${String(failure)}`);
	}
	const restarts = 1 + trigger.activations + (world.counts.get('crash') ?? 0);
	for (const { key, deletedAtMs, readsWhenGone = 0 } of world.ledger.workflows) {
		if (deletedAtMs === undefined) continue;
		const goneMs = world.time.nowMs - deletedAtMs;
		// A chosen one fails, so it is tried at least every half an hour.
		const tries = settings.watch === 'all' && !world.counts.has('watch changed') ? 0 : (2 * goneMs) / HOUR_MS;
		const maxReads = restarts * (14 + countGrowingPauses(goneMs)) + tries;
		const text = `${key} was read ${readsWhenGone} times after its deletion`;
		if (readsWhenGone > maxReads) violations.push({ kind: 'overBudget', text });
	}
	// The last polls may not have repaid theirs, and an activation, or starting over, can forget what is owed.
	const starts = startCountOf(world) + trigger.activations;
	const { maxRequests } = settings;
	const later = trigger.polls.slice(1).filter((poll) => poll.maxRequests === maxRequests);
	const sent = later.reduce((sum, { requests }) => sum + requests, 0);
	if (later.length >= 20 && sent > maxRequests * (1.1 * later.length + 12 * starts)) {
		violations.push({ kind: 'overBudget', text: `${later.length} polls sent ${sent} requests` });
	}
	return violations;
}
