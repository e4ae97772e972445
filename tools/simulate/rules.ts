import type { HistorySettings, TriggerEvent } from '../../test/simulator/settings';

/** A rule of the trigger, as `npm run simulate -- --without-rules` removes it. */
export interface Rule {
	/** The rule in words, after the name of the rule in docs/decisions/0002-trigger-by-polling.md. */
	name: string;
	/** A text that occurs in the trigger's sources once. */
	find: string;
	/** What the sources have instead of it without the rule. */
	replace: string;
	/** Where the rule matters: the only event that it concerns, and settings without which it rarely does. */
	event?: TriggerEvent;
	settings: Partial<HistorySettings>;
}

/**
 * Returns a function that returns rules which matter under these conditions.
 *
 * Its parameter has the names of the rules, each with a text of the sources in which [-what is removed-] and
 * {+what is added+} are marked as by `git diff --word-diff`.
 */
const rulesIf =
	({ event, ...settings }: Partial<HistorySettings> & Pick<Rule, 'event'>) =>
	(changes: Record<string, string>): Rule[] =>
		Object.entries(changes).map(([name, change]) => {
			const find = change.replace(/\{\+.*?\+\}/gs, '').replace(/\[-(.*?)-\]/gs, '$1');
			const replace = change.replace(/\[-.*?-\]/gs, '').replace(/\{\+(.*?)\+\}/gs, '$1');
			return { name, find, replace, event, settings };
		});

/** Nothing but the lists' lengths and failures delays a read. */
const CALM: Partial<HistorySettings> = {
	...{ dateHeader: true, dateHeaderStepMs: 0, n8nAheadMs: 0, firstDateAheadMs: 0, timeFormat: 'utc' },
	...{ responseMs: 0, pages: 'full', staleProbability: 0, listOrder: 'newest', pageSize: 0, maxItems: 1000 },
	cursorMaxItems: null,
};
const MANY_WORKFLOWS = { ...CALM, workflows: 60, maxRequests: 10, watch: 'all' } as const;
const SMALL_PAGES = { defaultPageSize: 1, runs: 20, workflows: 2, maxRequests: 1000 };

export const RULES: readonly Rule[] = [
	...rulesIf({})({
		'new: without a usable time, what the first read of a list finds existed at the baseline':
			'return [-isFirstRead && baselineMs > 0 ? 0 : -]foundAtMs;',
		'new: a run without a usable time is stored if it existed':
			'return mustEmit [-|| createdAtMs === 0 -]? { run',
		'known: a result that was emitted': 'if ([-results.createdAtMsByHash.has(idHash) || -]newResults',
		'known: what was created before something that was forgotten':
			"return [-atMs < ignoreBeforeMs ? 'forgotten' : -]atMs;",
		'watching: a run is read at growing intervals':
			'const isWatchOver = [-nowMs - lastChangeMs >= (hasEnded ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS)-]{+true+};',
		'reading: a time in the future is not the newest':
			'[-if (createdAtMs <= pollClock.serviceNow()) -]newestMs =',
		"watching: a check that is too far away was planned before n8n's clock was set back":
			'[-nextCheckAtMs > latestPlannedMs ? 0 : -]nextCheckAtMs',
		'watching: an absent Prospector workflow is read less and less often': '[-absentForMs / 4-]{+0+}',
		'failing: a poll ends after three failures': 'const MAX_FAILURES = [-3-]{+Infinity+};',
		'failing: what needs a person is reported at once': '([-!canResolveItself(error) || -]isAnyLasting)',
		'another workspace: the trigger starts over': '[-workflows.size > 0 && isAnyOld-]{+false+} &&',
		'watching: the list of Prospector workflows waits for lists that were unread for longer':
			'return [-isFirst && -]dueAtMs <= nowMs',
		'once: a poll continues from what n8n has not saved yet':
			'[-unsavedState?.validWhileStored === storedText ? unsavedState?.continueWith : -]storedText',
		'once: polls do not overlap': 'if ([-isRunning || isBeingSaved-]{+false+}) {',
		'once: what n8n has not saved is emitted again':
			'continueWith: [-hasItems ? stateTextBefore : -]stateText,',
	}),
	...rulesIf({ event: 'newRun', ...CALM, scheduler: 'durable', isFirstPollAbandoned: true })({
		'new: an abandoned first poll has made the baseline':
			'[-memory.unsavedState = { validWhileStored: storedText, continueWith: stateTextBefore };-]',
	}),
	...rulesIf({ event: 'newResult' })({
		'new: all results of a run created since the baseline':
			'areAllResultsNew [-|| createdAtMs >= baselineMs -]? 0 : baselineMs',
	}),
	...rulesIf({ event: 'newRun' })({
		'watching: a chosen Prospector workflow is not absent':
			'if (chosenIds.has(id)) [-workflow.absentSinceMs = undefined-]{+void 0+};',
	}),
	...rulesIf({ event: 'runFinished' })({
		'watching: a run that changes constantly is not postponed': '[-if (isReadPlanned) return undefined;-]',
		'new: all results of a run that had not finished when it was found':
			'[-areAllResultsNew || -]createdAtMs >= baselineMs ? 0',
		'watching: the results of a finished run are emitted together':
			'if (settings.returnsResultsTogether[- && read.isFinished-])',
	}),
	...rulesIf({ event: 'newRun', ...CALM, timeFormat: 'missing', watch: 'all' })({
		'new: everything in a Prospector workflow that was created since the baseline':
			'createWorkflowState([-isNew ? BASELINE_OF_ALL : -]undefined)',
	}),
	...rulesIf({ event: 'newResult', ...CALM, timeFormat: 'missing', maxRequests: 1000 })({
		'watching: what a list shows has changed since its last read':
			'Math.min([-Math.max(-]shownMs[-, workflow.listState.triedAtMs)-], nowMs)',
	}),
	...rulesIf({ event: 'newResult', ...CALM, noResultsYet: '404' })({
		'failing: results that do not exist yet are no failure':
			'const isNotReady = [-hasStatus(read.failure, ...NOT_READY_STATUSES)-]{+false as boolean+};',
		'watching: a run that was not found is watched again once':
			'(!isMissing || [-run.wasWatchExtended-]{+true+})) return',
	}),
	...rulesIf({ event: 'runFinished', ...CALM, pollEveryMs: 10_000 })({
		'watching: Run Finished waits for the results': 'const RESULTS_DELAY_MS = [-30_000-]{+0+};',
	}),
	...rulesIf({ event: 'newRun', stateBytes: 3000, timeFormat: 'missing', runs: 40 })({
		'forgetting: what has no time is reported if something was forgotten':
			"[-if (ignoreBeforeMs > 0) return 'untimed';-]",
	}),
	...rulesIf({ event: 'newRun', watch: 'several' })({
		'new: a time far in the future is not usable': '[-createdAtMs <= foundAtMs + MAX_CLOCK_SKEW_MS-]{+true+}',
	}),
	...rulesIf({ dateHeader: true, dateHeaderStepMs: 0, firstDateAheadMs: 21_600_000, firstDatesAhead: 'all' })(
		{ 'clocks: a baseline later than both clocks is moved back': 'if ([-!isClockKnown-]{+true+} ||' },
	),
	...rulesIf({ event: 'newRun', dateHeader: false, firstDateAheadMs: 21_600_000, firstDatesAhead: 'all' })({
		"clocks: without a `Date` header, n8n's clock moves a baseline back":
			'this.offsetMs !== undefined[- || (this.hadResponse && wasMadeWithoutDate)-];',
	}),
	...rulesIf({
		...{ event: 'newRun', dateHeader: true, dateHeaderStepMs: 0 },
		firstDateAheadMs: 21_600_000,
		firstDatesAhead: 'one',
	})({
		"clocks: the nearest `Date` is the service's clock":
			'[-if (Math.abs(offsetMs) < Math.abs(this.offsetMs ?? Infinity)) this.offsetMs -]{+this.offsetMs ??+}= offsetMs;',
	}),
	...rulesIf({ timeFormat: 'digits' })({
		'new: a text with digits is no time':
			'[-if (date === undefined && !RFC_9110.test(timestamp)) return undefined;-]',
	}),
	...rulesIf({ event: 'newRun', ...CALM, ...SMALL_PAGES })({
		'reading: down to ten minutes below the newest known item':
			'const MAX_VISIBILITY_DELAY_MS = [-10 * MINUTE_MS-]{+0+};',
	}),
	...rulesIf({ event: 'newRun', ...CALM, ...SMALL_PAGES, pollEveryMs: 300_000 })({
		'reading: to the end once a day': 'const FULL_READ_INTERVAL_MS = [-DAY_MS-]{+Infinity+};',
	}),
	...rulesIf({ event: 'newRun', ...CALM, ...SMALL_PAGES, listOrder: 'shuffled' })({
		'reading: to the end unless the order is proven':
			'isInOrder [-&& timestampCount >= MIN_TIMESTAMPS_TO_PROVE_ORDER-]{+|| timestampCount > 0+};',
	}),
	...rulesIf({ event: 'newRun' })({
		"reading: the newest known time is not after the service's now":
			'[-Math.min(listState.newestCreatedAtMs, pollClock.serviceNow())-]{+listState.newestCreatedAtMs+}',
	}),
	...rulesIf({ event: 'newRun', cursorKind: 'itemId', defaultPageSize: 2, runs: 13, responseMs: 0 })({
		'reading: an interrupted read is repeated once':
			"if ([-pass.ending === 'interrupted'-]{+false as boolean+}) {",
	}),
	...rulesIf({
		...{ event: 'newRun', cursorMaxItems: 6, cursorRejection: 'emptyPage', responseMs: 9000, pageSize: 0 },
		...{
			workflows: 2,
			runs: 13,
			listOrder: 'oldest',
			defaultPageSize: 1,
			maxRequests: 30,
			timeFormat: 'utc',
		},
	})({
		'reading: an empty page after 30 s can be a dead cursor':
			"[-mayCursorBeDead(data) ? 'interrupted' : -]'full'",
	}),
	...rulesIf({
		...CALM,
		event: 'newRun',
		cursorMaxItems: 6,
		cursorRejection: 'noCursor',
		listOrder: 'oldest',
		runs: 13,
		watch: 'one',
	})({
		'reading: a list without a cursor may continue': 'if (!hasMore{+ || data.length === 0+})',
	}),
	...rulesIf({ event: 'newResult', defaultPageSize: 2, maxRequests: 5, runs: 40 })({
		'reading: with up to ten times the requests': 'const EXTRA_REQUESTS_FACTOR = [-10-]{+1+};',
		'reading: extra requests are repaid':
			'[-Math.max(Math.ceil(maxRequests / 2), maxRequests - this.overdraft)-]{+maxRequests+}',
	}),
	...rulesIf({
		event: 'newRun',
		...CALM,
		listOrder: 'shuffled',
		defaultPageSize: 1,
		maxRequests: 5,
		runs: 40,
	})({
		'reading: a long list waits until the requests are repaid':
			'isLong: [-isTooLong(ending, budget) || -]undefined,',
	}),
	...rulesIf({ cursorMaxItems: 6, defaultPageSize: 2, runs: 20 })({
		'reading: what two polls cannot read is reported': 'if ([-isUnreadable-]{+false+}) poll.addLoss(',
	}),
	...rulesIf({ event: 'newRun', maxItems: 1, defaultPageSize: 2, includeExisting: true, runs: 40 })({
		'reading: a poll ends with enough items':
			'hasEnoughItems = (): boolean => [-this.newItems.length >= this.settings.maxItems-]{+false+};',
	}),
	...rulesIf({ event: 'newRun', ...CALM })({
		'failing: what has failed is tried once': 'hasOneAttempt: [-failingSinceMs !== undefined-]{+false+} }',
		'failing: what has failed is left alone for a while':
			'[-Math.min(Math.max(triedAtMs - failingSinceMs, 0) / 4, HOUR_MS / 2)-]{+0+}',
	}),
	...rulesIf({ event: 'newRun', ...CALM, pollEveryMs: 60_000 })({
		'failing: a lasting failure is reported': '(!canResolveItself(error)[- || isAnyLasting-])',
	}),
	...rulesIf({
		event: 'newRun',
		...CALM,
		pollEveryMs: 300_000,
		workflows: 2,
		maxRequests: 30,
		defaultPageSize: 1000,
	})({ 'failing: it is left alone for at most half an hour': ', [-HOUR_MS / 2-]{+Infinity+})' }),
	...rulesIf({ event: 'newRun', ...MANY_WORKFLOWS })({
		'reading: every second list is the one that was unread for longest':
			'[-takenListCount++ % 2 === 1-]{+false+}',
		'reading: what has changed lately is urgent': '[-b.urgency - a.urgency-]{+0+}',
		"watching: a list that was tried in the future is due, since n8n's clock was set back":
			'[-triedAtMs > nowMs ? 0 : triedAtMs-]{+Math.min(triedAtMs, nowMs)+}',
	}),
	...rulesIf({ event: 'newResult', ...CALM, workflows: 60, maxRequests: 30 })({
		'reading: the kinds of tasks alternate': 'nextGroup = [-(group + 1) % groups.length-]{+0+};',
	}),
	...rulesIf({
		event: 'newRun',
		...CALM,
		workflows: 13,
		defaultPageSize: 1,
		maxRequests: 1000,
		watch: 'all',
	})({
		'another workspace: only if the whole list contains nothing known':
			"if ([-ending === 'known' && isOtherWorkspace(state, found)-]{+false+})",
		'another workspace: a part of its list adds nothing': 'isWholeList || [-!seemsOther-]{+true+}',
	}),
	...rulesIf({ event: 'newResult', stateBytes: 3000 })({
		'forgetting: the state is bounded':
			'let excessBytes = [-storedBytes - maxBytes-]{+0 * (storedBytes - maxBytes)+};',
		'forgetting: oldest first': 'a.rank - b.rank || [-a.sortByMs - b-]{+b.sortByMs - a+}.sortByMs',
		'forgetting: what is forgotten counts as known': '[-Math.max(boundMs, atMs + 1)-]{+boundMs+}',
		'forgetting: what can be missed is reported': '[-if (rank > 0) forgottenCount++;-]',
	}),
];
