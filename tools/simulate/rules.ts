import type { HistorySettings, TriggerEvent } from '../../test/simulator/settings';

/** A rule of the trigger, as `npm run simulate -- --without-rules` removes it. */
export interface Rule {
	/** The rule in words. */
	name: string;
	/** A path below nodes/Prospector. */
	file: string;
	/** A text that occurs in the file once. */
	find: string;
	/** What the file has instead of it without the rule. */
	replace: string;
	/** The only event that it concerns, and settings without which it rarely matters. */
	event?: TriggerEvent;
	settings?: Partial<HistorySettings>;
}

type RuleInFile = [
	name: string,
	find: string,
	replace: string,
	event?: TriggerEvent,
	settings?: Partial<HistorySettings>,
];

const rulesOf = (file: string, ...rules: RuleInFile[]): Rule[] =>
	rules.map(([name, find, replace, event, settings]) => ({ name, file, find, replace, event, settings }));

/** Nothing but the lists' lengths and failures delays a read. */
const CALM: Partial<HistorySettings> = {
	...{ dateHeader: true, dateHeaderStepMs: 0, n8nAheadMs: 0, firstDateAheadMs: 0, timeFormat: 'utc' },
	...{ responseMs: 0, pages: 'full', staleProbability: 0, listOrder: 'newest', pageSize: 0, maxItems: 1000 },
	cursorMaxItems: null,
};
const MANY_WORKFLOWS = { ...CALM, workflows: 60, maxRequests: 10, watch: 'all' } as const;

/** In the order of the rules in docs/decisions/0002-trigger-by-polling.md. */
export const RULES: readonly Rule[] = [
	...rulesOf(
		'trigger/decideRun.ts',
		[
			'new: without a usable time, what the first read of a list finds existed at the baseline',
			'return fullReadAtMs === 0 && baselineMs > 0 ? 0 : foundAtMs;',
			'return foundAtMs;',
		],
		[
			'new: all results of a run created since the baseline',
			'areAllResultsNew || runCreatedAtMs >= baselineMs ? 0 : baselineMs',
			'areAllResultsNew ? 0 : baselineMs',
			'newResult',
		],
		[
			'new: all results of a run that had not finished when it was found',
			'areAllResultsNew || runCreatedAtMs',
			'runCreatedAtMs',
			'runFinished',
		],
		[
			'new: a run without a usable time is stored if it existed',
			'if (storedRun || (isExisting && isTimed)) return undefined;',
			'if (storedRun || isExisting) return undefined;',
		],
		['known: a result that was emitted', "if (results?.createdAtMsByHash.has(idHash)) return 'known';", ''],
		[
			'known: a run that was created before a forgotten one',
			'if (storedRun === undefined && createdAtMs < ignoreBeforeMs) return undefined;',
			'',
		],
		[
			'known: a result that was created before a forgotten one',
			'if (atMs >= Math.max(sinceMs, ignoreBeforeMs))',
			'if (atMs >= sinceMs)',
			'newResult',
		],
		[
			'watching: what a list shows has changed since its last read',
			'const shownMs = Math.max(clock.toN8nTime(Math.max(createdAtMs, updatedAtMs)), listState.triedAtMs);',
			'const shownMs = clock.toN8nTime(Math.max(createdAtMs, updatedAtMs));',
			'newResult',
			{ ...CALM, timeFormat: 'missing', maxRequests: 1000 },
		],
		[
			'watching: a run is read at growing intervals',
			'if (unchangedMs >= (isFinished ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS)) return stopWatching(run);',
			'return stopWatching(run);',
		],
		[
			'watching: a run that was not found is watched again once',
			'return run.isRewatched ? nextRun :',
			'return true ? nextRun :',
			'newResult',
			{ ...CALM, noResultsYet: '404' },
		],
		[
			'watching: Run Finished waits for the results',
			'const RESULTS_DELAY_MS = 30_000;',
			'const RESULTS_DELAY_MS = 0;',
			'runFinished',
			{ ...CALM, pollEveryMs: 10_000 },
		],
		[
			'forgetting: a run without a time is reported if something was forgotten',
			"if (storedRun === undefined && !isTimed && ignoreBeforeMs > 0) return 'untimed';",
			'',
			'newRun',
			{ stateBytes: 3000, timeFormat: 'missing', runs: 40 },
		],
		[
			'forgetting: a result without a time is reported if something was forgotten',
			"if (ignoreBeforeMs > 0 && !clock.isUsable(createdAtMs, sinceMs)) return 'untimed';",
			'',
			'newResult',
			{ stateBytes: 3000, timeFormat: 'missing' },
		],
	),
	...rulesOf(
		'trigger/clock.ts',
		[
			'new: a time far in the future is not usable',
			'createdAtMs <= this.foundAtMs(baselineMs) + MAX_CLOCK_SKEW_MS',
			'true',
			'newRun',
			{ watch: 'several' },
		],
		[
			'clocks: a baseline later than both clocks is moved back',
			'if (!canCompare ||',
			'if (true ||',
			undefined,
			{ dateHeader: true, dateHeaderStepMs: 0, firstDateAheadMs: 21_600_000, firstDatesAhead: 'all' },
		],
		[
			"clocks: the nearest `Date` is the service's clock",
			'if (Math.abs(offsetMs) < Math.abs(this.offsetMs ?? Infinity)) this.offsetMs = offsetMs;',
			'this.offsetMs ??= offsetMs;',
			'newRun',
			{
				dateHeader: true,
				dateHeaderStepMs: 0,
				firstDateAheadMs: 21_600_000,
				firstDatesAhead: 'one',
			},
		],
	),
	...rulesOf('utils.ts', [
		'new: a text with digits is no time',
		'if (date === undefined && !RFC_9110.test(timestamp)) return undefined;',
		'',
		undefined,
		{ timeFormat: 'digits' },
	]),
	...rulesOf(
		'trigger/list.ts',
		[
			'reading: down to ten minutes below the newest known item',
			'const MAX_VISIBILITY_DELAY_MS = 10 * MINUTE_MS;',
			'const MAX_VISIBILITY_DELAY_MS = 0;',
			'newRun',
			{ ...CALM, defaultPageSize: 1, runs: 20, workflows: 2, maxRequests: 1000 },
		],
		[
			'reading: to the end once a day',
			'const FULL_READ_INTERVAL_MS = DAY_MS;',
			'const FULL_READ_INTERVAL_MS = Infinity;',
			'newRun',
			{ ...CALM, defaultPageSize: 1, runs: 20, workflows: 2, maxRequests: 1000, pollEveryMs: 300_000 },
		],
		[
			'reading: to the end unless the order is proven',
			'	isNewestFirst && timestampCount >= MIN_TIMESTAMPS_TO_PROVE_ORDER;',
			'	isNewestFirst || timestampCount > 0;',
			'newRun',
			{ ...CALM, listOrder: 'shuffled', defaultPageSize: 1, runs: 20, workflows: 2, maxRequests: 1000 },
		],
		[
			"reading: the newest known time is not after the service's now",
			'Math.min(listState.newestCreatedAtMs, clock.serviceNow())',
			'listState.newestCreatedAtMs',
			'newRun',
		],
		[
			'reading: a time in the future is not the newest',
			'if (createdAtMs <= nowMs) this.newestMs',
			'this.newestMs',
		],
		[
			'reading: a read that breaks off is repeated once',
			"if (pass.ending === 'brokenOff') {",
			'if (false as boolean) {',
			'newRun',
			{ cursorKind: 'itemId', defaultPageSize: 2, runs: 13, responseMs: 0 },
		],
		[
			'reading: an empty page after 30 s can be a dead cursor',
			"mayBeDead ? 'brokenOff' : 'full'",
			"'full'",
			'newRun',
			{
				...{ cursorMaxItems: 6, cursorRejection: 'emptyPage', responseMs: 9000, workflows: 2, runs: 13 },
				...{ listOrder: 'oldest', defaultPageSize: 1, pageSize: 0, maxRequests: 30, timeFormat: 'utc' },
			},
		],
		[
			'reading: with up to ten times the requests',
			'return await budget.withExtraRequests(async () => {',
			'return await (async (task) => await task())(async () => {',
			'newResult',
			{ defaultPageSize: 2, maxRequests: 5, runs: 40 },
		],
		[
			'reading: a long list waits until the requests are repaid',
			'hasTooFewRequests(ending, budget) || (isFinished',
			'(isFinished',
			'newRun',
			{ ...CALM, listOrder: 'shuffled', defaultPageSize: 1, maxRequests: 5, runs: 40 },
		],
	),
	...rulesOf('trigger/budget.ts', [
		'reading: extra requests are repaid',
		'Math.max(Math.ceil(maxRequests / 2), maxRequests - overdraft)',
		'maxRequests',
		'newResult',
		{ defaultPageSize: 2, maxRequests: 5, runs: 40 },
	]),
	...rulesOf(
		'trigger/pollReader.ts',
		[
			'reading: what two polls cannot read is reported',
			'if (isUnreadable) this.addLoss(',
			'if (false) this.addLoss(',
			undefined,
			{ cursorMaxItems: 6, defaultPageSize: 2, runs: 20 },
		],
		[
			'reading: a poll ends with enough items',
			'hasEnoughItems = (): boolean => this.itemCount >= this.settings.maxItems;',
			'hasEnoughItems = (): boolean => false;',
			'newRun',
			{ maxItems: 1, defaultPageSize: 2, includeExisting: true, runs: 40 },
		],
		[
			'failing: what has failed is tried once',
			'failingSinceMs === undefined ? undefined : 0',
			'undefined as number | undefined',
			'newRun',
			CALM,
		],
		[
			'failing: a lasting refusal is reported',
			'this.clock.now() - failure.sinceMs >= HOUR_MS',
			'false',
			'newRun',
			{ ...CALM, pollEveryMs: 60_000 },
		],
	),
	...rulesOf(
		'trigger/taskQueue.ts',
		[
			'failing: what has failed is left alone for a while',
			'Math.min(Math.max(triedAtMs - failingSinceMs, 0) / 4, HOUR_MS / 2)',
			'0',
			'newRun',
			CALM,
		],
		[
			'failing: it is left alone for at most half an hour',
			', HOUR_MS / 2)',
			', Infinity)',
			'newRun',
			{ ...CALM, pollEveryMs: 300_000, workflows: 2, maxRequests: 30, defaultPageSize: 1000 },
		],
		[
			'reading: every second list is the one that was unread for longest',
			'this.takenListCount++ % 2 === 1',
			'false',
			'newRun',
			MANY_WORKFLOWS,
		],
		[
			'reading: the kinds of tasks alternate',
			'this.nextKind = (kind + 1) % tasksByKind.length;',
			'this.nextKind = 0;',
			'newResult',
			{ ...CALM, workflows: 60, maxRequests: 30 },
		],
		['reading: what has changed lately is urgent', 'b.urgency - a.urgency', '0', 'newRun', MANY_WORKFLOWS],
		[
			"watching: a change in the future was seen before n8n's clock was set back",
			'changedAtMs > nowMs ? 0 : nextCheckAtMs',
			'nextCheckAtMs',
		],
		[
			"watching: a list that was tried in the future is due, since n8n's clock was set back",
			'ms > nowMs ? 0 : ms',
			'Math.min(ms, nowMs)',
			'newRun',
			MANY_WORKFLOWS,
		],
		['watching: an absent Prospector workflow is read less and less often', 'absentForMs / 4', '0'],
	),
	...rulesOf(
		'trigger/poll.ts',
		[
			'failing: a poll ends after three failures',
			'const MAX_FAILURES = 3;',
			'const MAX_FAILURES = Infinity;',
		],
		[
			'watching: the results of a finished run are emitted together',
			'if (settings.returnsResultsTogether && read.isFinished)',
			'if (settings.returnsResultsTogether)',
			'runFinished',
		],
	),
	...rulesOf(
		'trigger/reports.ts',
		[
			'failing: a lasting failure is reported',
			'!canResolveItself(error) || Math.abs(nowMs - sinceMs) >= HOUR_MS',
			'!canResolveItself(error)',
			'newRun',
			{ ...CALM, pollEveryMs: 60_000 },
		],
		['failing: what needs a person is reported at once', '!canResolveItself(error) ||', ''],
	),
	...rulesOf(
		'trigger/watchedWorkflows.ts',
		['another workspace: the trigger starts over', 'workflows.size > 0 && isAnyOld &&', 'false &&'],
		[
			'another workspace: only if the whole list contains nothing known',
			"if (read.ending === 'known' && isOtherWorkspace(state, found))",
			'if (false)',
			'newRun',
			{ ...CALM, workflows: 13, defaultPageSize: 1, maxRequests: 1000, watch: 'all' },
		],
		[
			'watching: what a restored Prospector workflow contained is not new',
			'hasComeBack ? { serviceMs: listedAtMs, n8nMs: listedAtMs } : ownBaseline',
			'ownBaseline',
		],
		[
			'new: everything in a Prospector workflow that was created since the baseline',
			'isNew ? BASELINE_OF_ALL : undefined',
			'undefined',
		],
		[
			'watching: the list of Prospector workflows waits for lists that were unread for longer',
			'return isFirst && dueTimeOf',
			'return dueTimeOf',
		],
		[
			"watching: the last full read of the list of Prospector workflows can't have been in the future",
			'discovery.listedAtMs = Math.min(discovery.listedAtMs, clock.serviceNow());',
			'',
		],
	),
	...rulesOf(
		'trigger/forget.ts',
		[
			'forgetting: the state is bounded',
			'let excessBytes = storedBytes - maxBytes;',
			'let excessBytes = 0 * (storedBytes - maxBytes);',
			'newResult',
			{ stateBytes: 3000 },
		],
		[
			'forgetting: oldest first',
			'a.sortByMs - b.sortByMs',
			'b.sortByMs - a.sortByMs',
			'newResult',
			{ stateBytes: 3000 },
		],
		[
			'forgetting: what is forgotten counts as known',
			'Math.max(boundMs, atMs + 1)',
			'boundMs',
			'newResult',
			{ stateBytes: 3000 },
		],
		[
			'forgetting: what can be missed is reported',
			'if (rank > 0) forgottenCount++;',
			'',
			'newResult',
			{ stateBytes: 3000 },
		],
	),
	...rulesOf(
		'trigger/triggerMemory.ts',
		[
			'once: a poll continues from what n8n has not saved yet',
			'this.unsavedState?.baseText === storedState ? this.unsavedState?.stateText : storedState',
			'storedState',
		],
		['once: polls do not overlap', 'if (isBeingSaved || isRunning) return undefined;', ''],
	),
];
