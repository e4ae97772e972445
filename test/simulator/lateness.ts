import type { IDataObject } from 'n8n-workflow';
import type { Entry, RunEntry } from './ledger';
import { MINUTE_MS } from './activeTrigger';
import { isLive, hasUsableId } from './ledger';
import { isBlocked, type Violation, wantedStatuses } from './oracle';
import { DEFAULTS, pageSizeOf } from './settings';
import type { World } from './world';

/** Within these numbers of polls, an item must be emitted: usually, and if another item or list causes trouble. */
const MAX_POLLS = 2;
const MAX_POLLS_WITH_TROUBLE = 5;
/** After a poll that was prevented from reading everything, the trigger needs some more. */
const RECOVERY_POLLS = 8;

/** Finds items that were emitted late, although each poll had time to read everything and no request failed. */
export function findLateItems(world: World): Violation[] {
	const { settings, ledger, event } = world;
	if (!isCalm(world) || requestsForAll(world) > settings.maxRequests) return [];
	const hasTrouble =
		world.lastingFailures.length > 0 ||
		settings.noResultsYet !== 'empty' ||
		ledger.runs.some(({ createdAtMs, addedAtMs }) => createdAtMs > addedAtMs) ||
		ledger.workflows.some(({ mayMissBeforeMs }) => mayMissBeforeMs > 0);
	// Intervals are at least a minute.
	const pollsPerMinute = Math.max(1, MINUTE_MS / settings.pollEveryMs);
	const maxPolls = (hasTrouble ? MAX_POLLS_WITH_TROUBLE : MAX_POLLS) * pollsPerMinute;
	const statusOf = ({ status }: IDataObject) => (event === 'runStatusChanged' ? String(status) : '');
	const emittedAt = new Map(
		world.emitted.map(({ json, poll }) => [`${String(json.id)} ${statusOf(json)}`, poll]),
	);
	const violations: Violation[] = [];
	const runs = ledger.runs.filter((run) => {
		if (run.addedAtMs <= world.clearFromMs || run.isUncertain || isBlocked(world, run, 0)) return false;
		const wanted = wantedStatuses(world, run);
		return event === 'runFinished' ? wanted.at(-1) : wanted.every(Boolean);
	});
	for (const { name, key, duePoll } of runs.flatMap((run) => deadlinesOf(run, event))) {
		const poll = emittedAt.get(key) ?? 0;
		const isDisturbed = world.disturbedPolls.some(
			(index) => index >= duePoll - RECOVERY_POLLS * pollsPerMinute && index <= poll,
		);
		if (poll < duePoll + maxPolls || isDisturbed) continue;
		violations.push({
			kind: 'late',
			text: `${name} was visible before poll ${duePoll + 1}, but emitted by poll ${poll + 1}`,
		});
	}
	return violations;
}

/** Whether nothing but the lists' lengths delays a read. */
function isCalm({ settings, simulator }: World): boolean {
	const isFast = settings.responseMs === 0 && settings.maxItems === DEFAULTS.maxItems;
	return (
		isFast &&
		settings.listOrder !== 'random' &&
		settings.staleProbability === 0 &&
		simulator.control.state().settings.limit >= 1_000_000
	);
}

/** Returns the number of requests that read everything once; Infinity if a poll need not read each page. */
function requestsForAll({ settings, ledger, event }: World): number {
	const size = pageSizeOf(settings);
	const pagesOf = ({ length }: unknown[]) =>
		settings.pages === 'full' || length <= 1 ? Math.max(1, Math.ceil(length / size)) : Infinity;
	let sum = 1 + pagesOf(ledger.workflows);
	for (const { runs } of ledger.workflows) {
		if (pagesOf(runs) > 1 && (event !== 'newRun' || settings.listOrder !== 'newest')) return Infinity;
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
function deadlinesOf(run: RunEntry, event: string): Deadline[] {
	if (![run, run.workflow].every((entry) => isLive(entry) && hasUsableId(entry))) return [];
	const isOnTime = ({ visibleAtMs, addedAtMs, createdAtMs, isUncertain }: Entry) =>
		visibleAtMs === addedAtMs && createdAtMs >= addedAtMs && !isUncertain;
	if (!isOnTime(run)) return [];
	if (event === 'newRun') return [{ name: `run ${run.key}`, key: `${run.key} `, duePoll: run.visiblePoll }];
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
		return change ? [{ name: `result ${key} of run ${run.key}`, key: `${key} `, duePoll: change.poll }] : [];
	});
}
