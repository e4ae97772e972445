/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { setImmediate } from 'node:timers/promises';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { DEFAULT_SETTINGS } from '../../sandbox/settings';
import { createSimulator, type Simulator } from '../../sandbox/simulator';
import type { OperationName } from '../../sandbox/types';
import { ActiveTrigger, DAY_MS, HOUR_MS, MINUTE_MS, type PollRecord, VirtualTime } from './activeTrigger';
import type { Behaviour, BehaviourCounts } from './behaviours';
import { hasUsableId, isLive, lastStatusOf, Ledger } from './ledger';
import type { Entry, ResultEntry, RunEntry, WorkflowEntry } from './ledger';
import { observeResponse } from './observe';
import {
	firstClockAheadMs,
	type HistorySettings,
	idOfItem,
	isTimeless,
	type Status,
	STATUSES,
} from './settings';
import type { Step } from './steps';
import type { Violation } from './oracle';

/** Between the activation and the changes around it if times are known to the second only, as from a `Date` header. */
export const SETTLE_MS = 5000;
/** After this time without a change, the trigger may read the results of a run after the end of the history, or never. */
const WATCH_FINISHED_MS = 20 * HOUR_MS;
const WATCH_UNFINISHED_MS = 4 * DAY_MS;

/** How far a replica is behind, and how far the times at the start of a poll can differ from its clock. */
const REPLICA_LAG_MS = 3 * MINUTE_MS;
const CLOCK_TOLERANCE_MS = 11 * MINUTE_MS;

/** ID of the fault rule. */
export const LASTING = 'lasting';

/** One operation on one Prospector workflow or run that always fails, or `listWorkflows`. */
export interface LastingFailure {
	operation: OperationName;
	status: number;
	entry?: WorkflowEntry | RunEntry;
	/** Number of polls before it. */
	poll: number;
	untilMs: number;
	/** When polls met it, and how often by the index of the poll. */
	metAtMs: number[];
	metInPoll: Map<number, number>;
}

type BegunFailure = Omit<LastingFailure, 'poll' | 'metAtMs' | 'metInPoll'>;

/** When an item is created and visible, relative to the time it is added. */
export interface Timing {
	createdInMs?: number;
	visibleInMs?: number;
}

/** The service, n8n with one active trigger, and a record of everything that happened. */
export class World {
	readonly time = new VirtualTime();
	ledger = new Ledger();
	readonly counts: BehaviourCounts = new Map();
	/** ID of the first item of each list, by path. */
	readonly firstIds = new Map<string, unknown>();
	/** What happened, for the reader of a history. */
	readonly lines: string[] = [];
	/** The steps that had an effect. */
	readonly steps: Step[] = [];
	simulator: Simulator;
	/** The node's option *Run Statuses*, as runs show them; empty if it is not set. */
	readonly runStatuses: string[];
	readonly trigger: ActiveTrigger;
	/** What the trigger watches and emits. */
	event = '';
	watch: HistorySettings['watch'];
	includesExisting: boolean;
	/** When the trigger was activated, or last started over. Milliseconds, on the service's clock. */
	activatedAtMs = Infinity;
	/** What was added before may be missed, because the trigger was starting over. */
	clearFromMs = 0;
	/** When n8n restarted last. */
	restartedAtMs = 0;
	/** The latest time that n8n's clock or a `Date` header has shown by the end of a poll. */
	latestShownMs = 0;
	/** Whether no poll without failures has followed since the trigger must start over. */
	isStartingOver = false;
	/** Static data and number of emitted items when the trigger last started over. */
	startedOverWith = { saved: '{}', emitted: 0 };
	/** What was created in this time before the activation may count as new, because of a wrong clock. */
	unclearMs = 0;
	/** Violations that were found before the end. */
	readonly earlierViolations: Violation[] = [];
	/** Patterns of lines that n8n's log must contain. */
	readonly requiredLines: RegExp[] = [];
	readonly lastingFailures: LastingFailure[] = [];
	/** Chosen Prospector workflows that were not found. */
	readonly missing = new Set<WorkflowEntry>();
	/** Whether a poll reads everything for the first time: it may send more requests, which take no time. */
	private isFirstPoll = false;
	/** Whether the first poll waits for ever. */
	private isAbandoned = false;
	/** When the list of Prospector workflows is complete again. */
	hiddenUntilMs = Infinity;
	/** Number of failed requests that can justify a failed execution, and of those with 404. */
	failedRequests = 0;
	notFoundRequests = 0;
	/** Indexes of the polls that may have been prevented from reading everything. */
	disturbedPolls: number[] = [];
	/** Indexes of the polls during which the service changed. */
	readonly changedPolls = new Set<number>();
	/** Runs that were added beside others, and how many polls after `duePoll` they must be emitted. */
	readonly streamed: Array<{ run: RunEntry; duePoll: number; maxPolls: number }> = [];
	/** Before these times, the trigger may have forgotten runs and results. */
	bounds: Map<string, number> = new Map();
	/** Called before each request of a poll, with its number from 1. */
	beforeRequest: (request: number) => void = () => {};
	/** The lowest limit so far, in requests per minute. */
	lowestLimit = Infinity;
	/** Fault that all requests meet. */
	outage?: string;
	/** How often n8n's clock was set. */
	clockJumps = 0;

	constructor(readonly settings: HistorySettings) {
		const { statuses, pageSize } = settings;
		// Set together with Page Size: a setting of its own would change the histories of older seeds.
		this.runStatuses = pageSize > 0 ? STATUSES[statuses].slice(1, 3).map(({ text }) => text) : [];
		this.watch = settings.watch;
		this.includesExisting = settings.includeExisting;
		this.simulator = this.createSimulator();
		const parameters = {
			simplify: false,
			options: { maxRequests: 1000 } as IDataObject & { maxRequests: number },
		};
		this.trigger = new ActiveTrigger(this.time, this.send, parameters, settings.scheduler);
		this.time.dependencies.maxStateBytes = settings.stateBytes;
		process.env.TZ = settings.timeZone;
	}

	/** Adds the first data and activates the trigger. @throws what the first poll throws */
	async start(event: string): Promise<void> {
		const { settings, time } = this;
		this.event = event;
		for (let count = 0; count < settings.workflows; count++) {
			this.addWorkflow();
			if (settings.hasDistinctTimes) time.advance(1);
		}
		for (let count = 0; count < settings.runs; count++) {
			time.advance(1000);
			const run = this.addRun(0, event === 'runFinished' ? count : 0, {})!;
			// The results of unfinished runs are new.
			if (event === 'runFinished') this.addResults(run, 2, {});
		}
		const { watch, maxItems, includeExisting, pageSize, maxRequests } = settings;
		const optional = pageSize > 0 && { pageSize, runStatuses: this.runStatuses.join().toUpperCase() };
		const returnRun = event === 'returnedRun';
		const options = { maxItems, includeExisting, returnRun, maxRequests: 1000, ...optional };
		Object.assign(this.trigger.parameters, { event: returnRun ? 'runFinished' : event, watch, options });
		if (optional) this.lines.push(`Run Statuses: ${optional.runStatuses}`);
		this.choose(watch === 'one' ? [0] : [0, 1]);
		for (const workflow of this.ledger.workflows) workflow.isChoiceUnread = false;
		time.n8nAheadMs = settings.n8nAheadMs;
		const { n8nAheadMs, timeFormat, firstDateAheadMs } = settings;
		const isExact = n8nAheadMs === 0 && !timeFormat.startsWith('no');
		time.advance(isExact ? 1 : this.settleMs());
		this.activatedAtMs = time.nowMs;
		this.unclearMs = Math.max(-firstClockAheadMs(settings), this.clockToleranceMs());
		this.simulator.control.patchSettings({ dateHeaderOffsetMs: firstDateAheadMs });
		if (!settings.dateHeader) time.n8nAheadMs = firstClockAheadMs(settings);
		this.isFirstPoll = true;
		if (settings.isFirstPollAbandoned) await this.abandonFirstPoll();
		await this.trigger.activate();
		this.isFirstPoll = false;
		time.n8nAheadMs = n8nAheadMs;
		this.simulator.control.patchSettings({ dateHeaderOffsetMs: 0 });
		if (firstDateAheadMs !== 0) this.disturbedPolls.push(0, 1);
		options.maxRequests = maxRequests;
		if (!isExact) time.advance(this.settleMs());
	}

	/** Plays a first poll that never gets a list of runs. What is added after it is new, although nothing is stored. */
	private async abandonFirstPoll(): Promise<void> {
		this.trigger.startAbandoned();
		while (!this.isAbandoned) await setImmediate();
		this.count('abandoned first poll');
		this.time.advance(MINUTE_MS + this.settleMs());
		// A run without a time counts as existing when its list is read for the first time.
		if (!isTimeless(this.settings)) this.addRun(0, 0);
		this.time.advance(1);
	}

	/** Uses another workspace at the same address, which contains old data. */
	moveToOtherWorkspace(): void {
		this.simulator = this.createSimulator();
		this.ledger = new Ledger();
		this.workspace++;
		const old = { createdInMs: -90 * DAY_MS, visibleInMs: -90 * DAY_MS };
		for (let count = 0; count < 2; count++) this.addWorkflow(old);
		for (let count = 0; count < 4; count++) {
			const run = this.addRun(count, count, old)!;
			this.addResults(run, 2, old);
			run.changedAtMs = run.createdAtMs;
		}
	}

	/** Plays polls without failures until the trigger has started over. @param pattern of the log line that says it */
	async startOver(playPoll: () => Promise<string>, pattern?: RegExp): Promise<string> {
		this.time.advance(this.settleMs());
		const { trigger, ledger, time } = this;
		this.activatedAtMs = time.nowMs;
		this.unclearMs = this.clockToleranceMs();
		this.isStartingOver = true;
		this.missing.clear();
		for (const failure of this.lastingFailures) failure.untilMs = Math.min(failure.untilMs, time.nowMs);
		this.hiddenUntilMs = Math.min(this.hiddenUntilMs, time.nowMs);
		this.simulator.control.patchSettings({ limit: 1_000_000 });
		this.startedOverWith = { saved: trigger.saved, emitted: trigger.emitted.length };
		for (const run of ledger.runs) run.statuses.splice(0, run.statuses.length - 1);
		for (const workflow of ledger.workflows) {
			Object.assign(workflow, { mayMissBeforeMs: 0, unclearBeforeMs: 0 });
			Object.assign(workflow, { isChoiceUnread: false, isReturnUnread: false });
		}
		const { options } = trigger.parameters;
		const { maxRequests } = options;
		options.maxRequests = 1000;
		this.isFirstPoll = true;
		const logLength = trigger.log.length;
		let text = await playPoll();
		const hasNoticed = () => trigger.log.slice(logLength).some((line) => pattern?.test(line));
		for (let polls = 1; pattern && !hasNoticed() && polls < 60; polls++) {
			this.isStartingOver = true;
			text = await playPoll();
		}
		this.isFirstPoll = false;
		options.maxRequests = maxRequests;
		return text;
	}

	/** Whether a baseline of now is right: without a `Date` header, n8n's clock counts, as the documentation says. */
	hasRightClock = (): boolean => this.settings.dateHeader || this.time.n8nAheadMs === 0;

	/** What was emitted since the trigger last started over. */
	get emitted(): ActiveTrigger['emitted'] {
		return this.trigger.emitted.slice(this.startedOverWith.emitted);
	}

	/** Changes n8n's clock. Without a `Date` header, the trigger has no other. */
	jump(hours: number): void {
		this.time.n8nAheadMs += hours * HOUR_MS;
		const { dateHeader, n8nAheadMs } = this.settings;
		const backMs = n8nAheadMs - this.time.n8nAheadMs;
		if (!dateHeader && backMs > 0) this.unclearMs = Math.max(this.unclearMs, backMs + CLOCK_TOLERANCE_MS);
	}

	/** Makes an operation fail until `untilMs`. */
	fail(begun: BegunFailure): LastingFailure {
		const { operation, status, entry } = begun;
		const key = entry && encodeURIComponent(entry.key);
		const path = { listRuns: `/workflows/${key}/runs`, listResults: `/runs/${key}/results` };
		const match = { operation, path: new Map(Object.entries(path)).get(operation) ?? key };
		this.simulator.control.addFault({ id: LASTING, kind: 'status', status, times: 0, match });
		return this.addFailure(begun);
	}

	/** Records a failure that begins now. */
	addFailure(begun: BegunFailure): LastingFailure {
		const failure = { ...begun, poll: this.polls, metAtMs: [], metInPoll: new Map<number, number>() };
		this.lastingFailures.push(failure);
		return failure;
	}

	/** Ends what lasts until now. */
	endLasting(): void {
		const { control } = this.simulator;
		const isLeft = !this.lasting && control.faults().some(({ id }) => id === LASTING);
		if (isLeft) control.clearFaults(LASTING);
		if (this.hiddenUntilMs > this.time.nowMs) return;
		control.patchSettings({ hiddenWorkflows: [] });
		this.hiddenUntilMs = Infinity;
	}

	/** The failure that lasts at present. */
	get lasting(): LastingFailure | undefined {
		return this.lastingFailures.find(({ untilMs }) => untilMs > this.time.nowMs);
	}

	private workspace = 0;

	/** How far back an item can seem to be new: a cached header is old, and a replica shows items without times late. */
	private clockToleranceMs(): number {
		const { dateHeaderStepMs, staleProbability } = this.settings;
		return Math.max(dateHeaderStepMs, staleProbability > 0 && isTimeless(this.settings) ? REPLICA_LAG_MS : 0);
	}

	private settleMs = (): number => SETTLE_MS + (this.settings.timeFormat === 'noSeconds' ? MINUTE_MS : 0);

	private createSimulator(): Simulator {
		const ofService = Object.entries(this.settings).filter(([name]) => name in DEFAULT_SETTINGS);
		return createSimulator({
			clock: () => this.time.nowMs,
			advance: this.time.advance,
			settings: {
				...Object.fromEntries(ofService),
				...{ replicaLagMs: REPLICA_LAG_MS, maxPageSize: 1000, limit: 1_000_000, journalSize: 1 },
			},
		});
	}

	count = (name: Behaviour): void => void this.counts.set(name, (this.counts.get(name) ?? 0) + 1);

	/** Number of polls so far. */
	get polls(): number {
		return this.trigger.polls.length;
	}

	/** Returns a live Prospector workflow, selected modulo their number; undefined if there is none. */
	liveWorkflow(index: number): WorkflowEntry | undefined {
		const live = this.ledger.workflows.filter((workflow) => isLive(workflow) && hasUsableId(workflow));
		return live[index % live.length];
	}

	/** Returns a live run, selected modulo their number from the newest on; undefined if there is none. */
	liveRun(index: number): RunEntry | undefined {
		const { ledger } = this;
		const live = ledger.runs.filter(
			(run) => isLive(run) && isLive(run.workflow) && ledger.lastRun(run) === run,
		);
		return live[live.length - 1 - (index % live.length)];
	}

	addWorkflow(timing: Timing = {}): WorkflowEntry {
		const { ledger, simulator } = this;
		const id = this.newId('workflow', ledger.workflows.length);
		const [key] = simulator.control.seed({ workflows: [{ id, ...this.timesOf(timing) }] }).workflows;
		const workflow: WorkflowEntry = {
			...this.newEntry(id, key, timing),
			runs: [],
			mayMissBeforeMs: 0,
			wasForgotten: false,
			isChosen: this.watch === 'all',
			isChoiceUnread: false,
			isReturnUnread: false,
			unclearBeforeMs: 0,
		};
		ledger.workflows.push(workflow);
		return workflow;
	}

	/** Adds a run to a live Prospector workflow. @returns undefined if there is none */
	addRun(workflowIndex: number, status: number, timing: Timing = {}): RunEntry | undefined {
		const { ledger, settings, simulator } = this;
		const workflow = this.liveWorkflow(workflowIndex);
		if (!workflow) return undefined;
		const wanted = this.newId('run', ledger.runs.length);
		const id = workflow.runs.some((run) => run.id === wanted) ? undefined : wanted;
		const first = this.statusAt(settings.ids === 'sameRunId' ? 0 : status);
		const times = this.timesOf(timing);
		const seed = { workflowId: workflow.key, id, status: first.shown, results: 0, ...times };
		const [key] = simulator.control.seed({ runs: [seed] }).runs;
		const entry = this.newEntry(id, key, timing);
		const run = this.recordRun(entry, workflow, first, Math.min(entry.createdAtMs, entry.addedAtMs));
		if (settings.hasDistinctTimes) this.time.advance(1);
		return run;
	}

	/** @param changedAtMs when it has got its status */
	private recordRun(entry: Entry, workflow: WorkflowEntry, status: Status, changedAtMs: number): RunEntry {
		const statuses = [{ ...status, atMs: changedAtMs, poll: this.polls }];
		const run = { ...entry, workflow, statuses, results: [], changedAtMs };
		this.ledger.addRun(run);
		return run;
	}

	addResults(run: RunEntry, count: number, timing: Timing = {}): void {
		const { ledger, settings, simulator, time } = this;
		const watchMs = lastStatusOf(run).outcome ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS;
		const isBackdated = (timing.createdInMs ?? 0) < 0;
		const changedAtMs = Math.min(run.changedAtMs, isBackdated ? run.addedAtMs : Infinity);
		const isTooLate = time.nowMs - changedAtMs > watchMs;
		for (let added = 0; added < count; added++) {
			const id = this.newId('result', ledger.results.length);
			const seed = { runId: run.key, id, ...this.timesOf(timing) };
			const [key] = simulator.control.seed({ results: [seed] }).results;
			ledger.addResult({ ...this.newEntry(id, key, timing), run, isTooLate });
			if (settings.hasDistinctTimes) time.advance(1);
		}
		if (!isTooLate) run.changedAtMs = time.nowMs;
	}

	/**
	 * Deletes a result or a run, and adds it again with the same ID.
	 *
	 * @param parent where it is added
	 * @param createdAtMs when it seems to be created
	 */
	replace(entry: ResultEntry | RunEntry, parent: RunEntry | WorkflowEntry, createdAtMs: number): void {
		const { ledger, simulator, time } = this;
		const { control } = simulator;
		const timing = { createdInMs: createdAtMs - time.nowMs };
		const appearance = { id: entry.key, ...this.timesOf(timing) };
		const copy = { ...this.newEntry(entry.key, entry.key, timing), isUncertain: true };
		Object.assign(entry, { deletedAtMs: time.nowMs, isUncertain: true });
		if ('run' in entry) {
			const run = parent as RunEntry;
			control.deleteResult(entry.key);
			control.seed({ results: [{ runId: run.key, ...appearance }] });
			return ledger.addResult({ ...copy, run, isTooLate: entry.isTooLate });
		}
		const workflow = parent as WorkflowEntry;
		const last = lastStatusOf(entry);
		control.deleteRun(entry.key);
		control.seed({ runs: [{ workflowId: workflow.key, status: last.shown, results: 0, ...appearance }] });
		const run = this.recordRun(copy, workflow, last, time.nowMs);
		if (workflow === entry.workflow) return;
		for (const result of entry.results.filter(isLive)) {
			const createdAt = new Date(result.createdAtMs).toISOString();
			control.seed({ results: [{ runId: run.key, id: result.key, createdAt }] });
			ledger.addResult({ ...result, id: result.key, run, addedAtMs: time.nowMs, isUncertain: true });
			Object.assign(result, { deletedAtMs: time.nowMs, isUncertain: true });
		}
	}

	/** Sets a run's status. @returns the status as text; undefined if the run has it already */
	setStatus(run: RunEntry, status: number): string | undefined {
		const next = this.statusAt(status);
		const last = lastStatusOf(run);
		// Two runs with one ID keep their common status.
		if (last.text === next.text || this.settings.ids === 'sameRunId') return undefined;
		if (last.outcome && this.time.nowMs - last.atMs > DAY_MS) this.count('run reopened after days');
		this.simulator.control.setRunStatus(run.key, next.shown);
		run.changedAtMs = this.time.nowMs;
		run.statuses.push({ ...next, atMs: run.changedAtMs, poll: this.polls });
		return JSON.stringify(next.shown);
	}

	/** Chooses the Prospector workflows to watch. @param indexes of the ledger */
	choose(indexes: number[]): void {
		const { ledger, watch, trigger } = this;
		trigger.parameters.watch = watch;
		const chosen = indexes.map((index) => ledger.workflows[index]);
		const ids = chosen.map(({ key }) => key);
		Object.assign(trigger.parameters, { workflowId: ids[0], workflowIds: ids });
		for (const workflow of ledger.workflows) {
			const isChosen = watch === 'all' || chosen.includes(workflow);
			// A Prospector workflow that was added since the last poll, or was not listed, is new to the trigger, too.
			const isNew = isChosen && !trigger.lastState?.workflows.has(workflow.key);
			workflow.isChoiceUnread ||= isChosen !== workflow.isChosen || isNew;
			workflow.isChosen = isChosen;
		}
	}

	/** Marks what a new choice, a return, or n8n's restart allows the trigger to miss, until a poll without failures. */
	readonly settleChoices = (isClean: boolean): void => {
		const { nowMs: serviceMs, n8nAheadMs } = this.time;
		const nowMs = this.hasRightClock() ? serviceMs : serviceMs + Math.max(0, n8nAheadMs);
		if (this.isStartingOver) this.clearFromMs = nowMs;
		if (isClean) this.isStartingOver = false;
		for (const workflow of this.ledger.workflows) {
			if (workflow.isChoiceUnread) workflow.mayMissBeforeMs = nowMs;
			if (workflow.isChoiceUnread || workflow.isReturnUnread) workflow.unclearBeforeMs = nowMs;
			if (isClean) Object.assign(workflow, { isChoiceUnread: false, isReturnUnread: false });
		}
	};

	private readonly send = async (options: IHttpRequestOptions, poll: PollRecord): Promise<unknown> => {
		const { nowMs, n8nAheadMs } = this.time;
		this.latestShownMs = Math.max(this.latestShownMs, nowMs, nowMs + n8nAheadMs);
		const isSecond = this.polls === 1 && poll.requests === 2;
		if (this.polls === 1 && this.settings.isFirstPollAbandoned && options.url.endsWith('/runs')) {
			this.isAbandoned = true;
			await new Promise(() => {});
		}
		if (isSecond && firstClockAheadMs(this.settings) === 0)
			this.simulator.control.patchSettings({ dateHeaderOffsetMs: 0 });
		if (!this.isFirstPoll) {
			this.time.advance(this.settings.responseMs);
			this.beforeRequest(poll.requests);
		}
		try {
			const response = await this.simulator.request(options as never);
			observeResponse(this, options, response, poll);
			return response;
		} catch (failure) {
			this.failedRequests++;
			throw failure;
		}
	};

	private newId(item: 'workflow' | 'run' | 'result', index: number): unknown {
		if (this.workspace > 0) return `${item}_${this.workspace}_${index}`;
		return idOfItem(this.settings.ids, item, index);
	}

	private statusAt(index: number) {
		const statuses = STATUSES[this.settings.statuses];
		return statuses[index % statuses.length];
	}

	private timesOf({ createdInMs = 0, visibleInMs = 0 }: Timing) {
		const toIso = (ms: number) => new Date(this.time.nowMs + ms).toISOString();
		return { createdAt: toIso(createdInMs), visibleAt: toIso(visibleInMs) };
	}

	private newEntry(id: unknown, key: string, { createdInMs = 0, visibleInMs = 0 }: Timing) {
		const { nowMs } = this.time;
		const createdAtMs = nowMs + createdInMs;
		return {
			id: id === undefined ? key : id,
			key,
			addedAtMs: nowMs,
			createdAtMs:
				this.settings.timeFormat === 'noSeconds' ? createdAtMs - (createdAtMs % MINUTE_MS) : createdAtMs,
			visibleAtMs: nowMs + visibleInMs,
			visiblePoll: this.polls,
		};
	}
}
