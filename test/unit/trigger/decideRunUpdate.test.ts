import {
	hashSnapshot,
	decideRunUpdate,
	type RunSnapshot,
} from '../../../nodes/Prospector/trigger/decideRunUpdate';
import type { TriggerSettings } from '../../../nodes/Prospector/trigger/settings';
import { createWorkflowState, type RunState } from '../../../nodes/Prospector/trigger/state/triggerState';
import { MINUTE_MS } from '../helpers/triggerScenario';

/** All times below are minutes after the baseline. */
const BASELINE_MS = Date.parse('2026-01-01T00:00:00Z');
const toMs = (minutes: number) => BASELINE_MS + minutes * MINUTE_MS;
const NOW_MS = toMs(60);

/** Returns a snapshot such as `running 5 50`: the status, and when the run was created and updated. `-`: no time. */
function snapshotOf(text: string): RunSnapshot {
	const [status, ...times] = text.split(' ');
	const [createdAtMs, updatedAtMs] = times.map((time) => (time === '-' ? undefined : toMs(Number(time))));
	return { status, createdAtMs, updatedAtMs };
}

/**
 * Returns a stored run such as `running 5 50 55`: a snapshot as it was read, and when the run is checked next. `unread`: its
 * results were never read. `changed`: not since it has changed.
 */
function storedRunOf(text: string, isHash: boolean): RunState | undefined {
	if (text === 'none') return undefined;
	const snapshot = snapshotOf(text);
	const { status, createdAtMs, updatedAtMs } = snapshot;
	const due = text.split(' ')[3];
	const watch = due === '-' ? {} : { changedAtMs: updatedAtMs, nextCheckAtMs: toMs(Number(due)) };
	const lastText = isHash ? hashSnapshot(snapshot) : status;
	const statusOrHash = status === 'unread' ? undefined : status === 'changed' ? '' : lastText;
	return { createdAtMs: createdAtMs!, statusOrHash, ...watch };
}

/** Describes a decision, such as `emit, check at 65 min`, or `store, read all at 60.5 min`. */
function describeDecision(decision: ReturnType<typeof decideRunUpdate>, snapshot: RunSnapshot): string {
	if (decision === undefined) return 'nothing';
	const { run, mustEmit } = decision;
	const { nextCheckAtMs, statusOrHash, ignoreBeforeMs } = run;
	const isRead = statusOrHash === snapshot.status || statusOrHash === hashSnapshot(snapshot);
	const action = `${isRead ? 'check' : 'read'}${ignoreBeforeMs === 0 ? ' all' : ''}`;
	const minutes = nextCheckAtMs !== undefined && (nextCheckAtMs - BASELINE_MS) / MINUTE_MS;
	const next = minutes === false ? 'no check' : `${action} at ${minutes} min`;
	return `${mustEmit ? 'emit' : 'store'}, ${next}`;
}

// Each row: the event, the stored run, the run as it is now, and the decision after 60 minutes.
test.each([
	['newRun', 'none', 'running 5 50', 'emit, no check'],
	['newRun', 'none', 'running 0 0', 'emit, no check'],
	['newRun', 'none', 'running -0.00001 50', 'nothing'],
	['newRun', 'none', 'running - -', 'store, no check'],
	['newRun in a new Prospector workflow', 'none', 'running - -', 'emit, no check'],
	['newRun', 'running 5 5 -', 'completed 5 50', 'nothing'],
	['runStatusChanged', 'none', 'running 5 50', 'emit, check at 62.5 min'],
	['runStatusChanged', 'none', 'running 5 -', 'emit, check at 73.75 min'],
	['runStatusChanged', 'none', 'running -5 50', 'store, check at 0 min'],
	['runStatusChanged', 'running 5 50 61', 'running 5 50', 'nothing'],
	['runStatusChanged', 'running 5 50 59', 'running 5 50', 'store, check at 62.5 min'],
	['runStatusChanged', 'running 5 40 50', 'completed 5 55', 'emit, check at 65 min'],
	['runStatusChanged', 'running 5 40 50', 'completed 5 40', 'emit, check at 60 min'],
	['runStatusChanged', 'running 5 40 50', 'completed 5 90', 'emit, check at 60 min'],
	['runFailed', 'none', 'failed 5 50', 'emit, check at 70 min'],
	['runFailed', 'none', 'failed -5 50', 'store, check at 0 min'],
	['runFailed', 'running 5 40 50', 'failed 5 55', 'emit, check at 65 min'],
	['runFailed', 'failed 5 40 50', 'timed_out 5 55', 'store, check at 65 min'],
	['runFailed', 'failed 5 40 50', 'running 5 55', 'store, check at 61.25 min'],
	['runFailed', 'running 5 40 50', 'completed 5 55', 'store, check at 65 min'],
	['returnRun', 'running 5 40 50', 'partial 5 55', 'emit, check at 65 min'],
	['returnRun', 'completed 5 40 50', 'completed 5 55', 'store, check at 80 min'],
	['newResult', 'none', 'running 5 50', 'store, read at 60 min'],
	['newResult', 'none', 'completed -5 -2', 'store, check at 2 min'],
	['newResult', 'none', 'completed -5 50', 'store, read at 60 min'],
	['newResult', 'running 5 40 50', 'running 5 40', 'nothing'],
	['newResult', 'running 5 40 90', 'running 5 55', 'store, read at 60 min'],
	['newResult', 'unread 5 40 50', 'completed 5 55', 'nothing'],
	['newResult', 'changed 5 40 -', 'completed 5 55', 'store, read at 60 min'],
	['runFinished', 'none', 'completed 5 50', 'store, read all at 60 min'],
	['runFinished', 'none', 'completed 5 59.9', 'store, read all at 60.4 min'],
	['runFinished', 'none', 'running 5 50', 'store, check all at 62.5 min'],
	['runFinished', 'none', 'running -5 -2', 'store, check all at 0.5 min'],
	['runFinished', 'none', 'completed -5 -2', 'store, check at 2 min'],
	['runFinished', 'none', 'completed -5 50', 'store, read at 60 min'],
	['runFinished', 'running 5 40 50', 'completed 5 55', 'store, read at 60 min'],
	['runFinished', 'running 5 40 50', 'completed 5 40', 'store, read at 60.5 min'],
	['runFinished', 'running 5 40 90', 'running 5 55', 'store, check at 61.25 min'],
	['runFinished', 'changed 5 59 60.5', 'completed 5 60', 'nothing'],
	['runFinished', 'changed 5 59 60.5', 'running 5 60', 'store, check at 60 min'],
	['runFinished', 'completed 5 40 50', 'completed 5 40', 'nothing'],
])(
	'with the event %s, the stored run "%s" (status; minutes of creation, update, next check), now read as "%s", leads to the decision "%s"',
	(name, stored, now, expected) => {
		const [event, ...isCreatedAfterBaseline] = name.split(' ');
		const returnRun = event === 'returnRun';
		const returnsResults = ['newResult', 'runFinished'].includes(event);
		const settings = {
			...{ event: returnRun ? 'runFinished' : event, returnRun, runStatuses: [] as string[] },
			...{ returnsResults, returnsResultsTogether: event === 'runFinished' },
		} as TriggerSettings;
		const snapshot = snapshotOf(now);
		const storedRun = storedRunOf(stored, returnsResults);
		// The trigger may have forgotten runs that are newer than a stored one.
		const ignoreBeforeMs = storedRun ? NOW_MS : 0;
		const workflow = { ...createWorkflowState(BASELINE_MS, BASELINE_MS), ignoreBeforeMs };
		if (isCreatedAfterBaseline.length > 0) Object.assign(workflow, { isCreatedAfterBaseline: true });
		const decision = decideRunUpdate(settings, workflow, storedRun, snapshot, NOW_MS, NOW_MS);
		expect(describeDecision(decision, snapshot)).toBe(expected);
	},
);
