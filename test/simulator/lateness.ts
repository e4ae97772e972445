import type { IDataObject } from 'n8n-workflow';
import type { Entry, RunEntry } from './ledger';
import { MINUTE_MS } from './activeTrigger';
import { isLive, hasUsableId, lastStatusOf } from './ledger';
import {
	countGrowingPauses,
	findFirstPolls,
	hasExactTimes,
	isBlocked,
	type Violation,
	wantedStatuses,
} from './oracle';
import { DEFAULTS, pageSizeOf } from './settings';
import type { LastingFailure, World } from './world';

/** Within these numbers of polls, an item must be emitted: usually, and if another item or list causes trouble. */
const MAX_POLLS = 2;
const MAX_POLLS_WITH_TROUBLE = 5;
/** A list that fails is left alone for at most this time. */
const MAX_BACK_OFF_MS = 30 * MINUTE_MS;
/** After a poll that was prevented from reading everything, the trigger needs some more. */
const RECOVERY_POLLS = 8;

/** Finds items that were emitted late, although each poll had time to read everything and no request failed. */
export function findLateItems(world: World): Violation[] {
	const { settings, ledger, event } = world;
	const lateStreamed = findLateStreamed(world);
	if (lateStreamed.length > 0) return lateStreamed;
	if (!isCalm(world) || !canReadAll(world)) return [];
	const hasTrouble =
		world.lastingFailures.length > 0 ||
		settings.noResultsYet !== 'empty' ||
		ledger.runs.some(({ createdAtMs, addedAtMs }) => createdAtMs > addedAtMs) ||
		ledger.workflows.some(({ mayMissBeforeMs }) => mayMissBeforeMs > 0);
	// Intervals are at least a minute.
	const pollsPerMinute = Math.max(1, MINUTE_MS / settings.pollEveryMs);
	const usual = event === 'newRun' ? 1 : MAX_POLLS;
	const maxPolls = (hasTrouble ? MAX_POLLS_WITH_TROUBLE : usual) * pollsPerMinute;
	const statusOf = ({ status }: IDataObject) => (event === 'runStatusChanged' ? String(status) : '');
	const emittedAt = new Map(
		world.emitted.map(({ json, poll }) => [`${String(json.id)} ${statusOf(json)}`, poll]),
	);
	const violations: Violation[] = [];
	const runs = ledger.runs.filter((run) => {
		if (run.addedAtMs <= world.clearFromMs || run.isUncertain || isBlocked(world, run, 0)) return false;
		if (ledger.countRuns(run.key) > 1) return false;
		const wanted = wantedStatuses(world, run);
		return event === 'runFinished' ? wanted.at(-1) : wanted.every(Boolean);
	});
	for (const deadline of runs.flatMap((run) => deadlinesOf(run, world))) {
		const { name, key } = deadline;
		// An abandoned first poll emits nothing.
		const duePoll = Math.max(deadline.duePoll, settings.isFirstPollAbandoned ? 1 : 0);
		const poll = emittedAt.get(key) ?? 0;
		const isDisturbed = world.disturbedPolls.some(
			(index) => index >= duePoll - RECOVERY_POLLS * pollsPerMinute && index <= poll,
		);
		if (poll < duePoll + maxPolls || isDisturbed) continue;
		violations.push(toLate(name, duePoll, poll));
	}
	return violations;
}

const toLate = (name: string, duePoll: number, poll: number): Violation => ({
	kind: 'late',
	text: `${name} was visible before poll ${duePoll + 1}, but emitted by poll ${poll + 1}`,
});

/** What changes often is emitted at once, and the others do not starve, if there are more lists than requests. */
function findLateStreamed(world: World): Violation[] {
	const { settings, event, lastingFailures, disturbedPolls, counts, streamed } = world;
	const isCountable = (event === 'newRun' || event === 'runStatusChanged') && lastingFailures.length === 0;
	const fitsPages = settings.pages === 'full' && pageSizeOf(settings) >= 100;
	if (!isCountable || !fitsPages || !isCalm(world) || !hasExactTimes(world)) return [];
	if (world.lowestLimit < Infinity) return [];
	if (counts.has('Prospector workflow omitted') || counts.has('another workspace')) return [];
	const pollOf = findFirstPolls(world);
	return streamed.flatMap(({ run, duePoll, maxPolls }): Violation[] => {
		const poll = pollOf.get(run.key) ?? Infinity;
		const isDisturbed = disturbedPolls.some((at) => at >= duePoll - RECOVERY_POLLS && at <= poll);
		const { workflow } = run;
		const isClear = workflow.isChosen && workflow.mayMissBeforeMs === 0 && !workflow.isChoiceUnread;
		if (poll <= duePoll + maxPolls || isDisturbed || !isClear || ![run, workflow].every(isLive)) return [];
		if (run.addedAtMs <= world.clearFromMs || !wantedStatuses(world, run).every(Boolean)) return [];
		return [toLate(`run ${run.key}, beside others,`, duePoll, poll)];
	});
}

/**
 * Finds whether polls have tried a failing list too often or too rarely, while nothing else happened. It is left alone for a
 * quarter of the time it has been failing, at most half an hour, then tried once.
 */
export function findBadTries(
	world: World,
	{ operation, metAtMs, metInPoll, untilMs }: LastingFailure,
): Violation[] {
	const { trigger, time, settings } = world;
	if ((operation !== 'listRuns' && operation !== 'listWorkflows') || metAtMs.length === 0) return [];
	const violations: Violation[] = [];
	const add = (text: string) =>
		void violations.push({ kind: 'late', text: `the failing ${operation} ${text}` });
	const repeated = [...metInPoll.values()].filter((count) => count > 1).length;
	// A read that is cut off by the end of its poll counts as not tried.
	const endsInTime = settings.responseMs < 9000;
	if (repeated > 3 && endsInTime) add(`was repeated by ${repeated} polls`);
	const lastedMs = metAtMs[metAtMs.length - 1] - metAtMs[0];
	const maxTries = 10 + countGrowingPauses(lastedMs) + lastedMs / MAX_BACK_OFF_MS;
	if (metInPoll.size > maxTries) add(`was tried by ${metInPoll.size} polls`);
	if (!isCalm(world) || !canReadAll(world)) return violations;
	const endMs = Math.min(untilMs, time.nowMs);
	for (const [at, triedAtMs] of metAtMs.entries()) {
		const backOffEndMs = triedAtMs + MAX_BACK_OFF_MS + settings.pollEveryMs;
		const nextMs = metAtMs[at + 1] ?? endMs;
		const skipped = trigger.polls.filter(
			({ startedAtMs }) => startedAtMs > backOffEndMs && startedAtMs < nextMs,
		);
		if (skipped.length > 2) add(`was not tried by ${skipped.length} polls`);
	}
	return violations;
}

/** Whether nothing but the lists' lengths delays a read. */
function isCalm({ settings }: World): boolean {
	const isFast = settings.responseMs === 0 && settings.maxItems === DEFAULTS.maxItems;
	return isFast && settings.listOrder !== 'random' && settings.staleProbability === 0;
}

/** Whether each poll can read everything. */
function canReadAll(world: World): boolean {
	const { counts, settings, lowestLimit } = world;
	if (counts.has('rate limit reached')) return false;
	return requestsForAll(world) <= Math.min(settings.maxRequests, lowestLimit);
}

/** Returns the number of requests that read everything once; Infinity if a poll need not read each page. */
function requestsForAll({ settings, ledger, event }: World): number {
	const size = pageSizeOf(settings);
	const pagesOf = ({ length }: unknown[]) =>
		settings.pages === 'full' || length <= 1 ? Math.max(1, Math.ceil(length / size)) : Infinity;
	let sum = 1 + pagesOf(ledger.workflows);
	for (const { runs } of ledger.workflows) {
		if (pagesOf(runs) > 1 && event !== 'newRun' && settings.listOrder === 'newest') return Infinity;
		sum += 1 + pagesOf(runs);
	}
	if (event !== 'newResult' && event !== 'runFinished') return sum;
	for (const { results } of ledger.runs) {
		if (pagesOf(results) > 1) return Infinity;
		sum += 2;
	}
	return sum;
}

interface Deadline {
	name: string;
	key: string;
	/** Index of the first poll that can emit it. */
	duePoll: number;
}

/** Returns from when on the items of a run must be emitted; only those whose time is certain. */
function deadlinesOf(run: RunEntry, { event, trigger: { polls } }: World): Deadline[] {
	if (![run, run.workflow].every((entry) => isLive(entry) && hasUsableId(entry))) return [];
	const isOnTime = ({ visibleAtMs, addedAtMs, createdAtMs, isUncertain }: Entry) =>
		visibleAtMs === addedAtMs && createdAtMs >= addedAtMs && !isUncertain;
	if (event === 'newRun' && !run.isUncertain && run.createdAtMs >= run.addedAtMs) {
		const visible = polls.findIndex(({ startedAtMs }) => startedAtMs >= run.visibleAtMs);
		const duePoll = run.visibleAtMs === run.addedAtMs ? run.visiblePoll : visible;
		return duePoll < 0 ? [] : [{ name: `run ${run.key}`, key: `${run.key} `, duePoll }];
	}
	if (!isOnTime(run)) return [];
	if (event === 'runStatusChanged') {
		return run.statuses.slice(-1).map(({ text, poll }) => ({
			name: `"${text}" of run ${run.key}`,
			key: `${run.key} ${text}`,
			duePoll: poll,
		}));
	}
	if (event !== 'newResult' && event !== 'runFinished') return [];
	// A run that changes is read again.
	return run.results.filter(isOnTime).flatMap(({ key, addedAtMs }) => {
		const changes = run.statuses.filter(({ atMs }) => atMs >= addedAtMs);
		const change = event === 'newResult' ? changes[0] : changes.at(-1);
		// Without a change, it is read again after at most the time that has passed since the last one.
		const dueAtMs = 2 * addedAtMs - lastStatusOf(run).atMs;
		const checked = event === 'newResult' ? polls.findIndex(({ startedAtMs }) => startedAtMs > dueAtMs) : -1;
		const duePoll = change?.poll ?? checked;
		return duePoll < 0 ? [] : [{ name: `result ${key} of run ${run.key}`, key: `${key} `, duePoll }];
	});
}
