/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/require-node-api-error -- not published */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { createSimulator, type Simulator } from '../../sandbox/simulator';
import { ActiveTrigger, DAY_MS, HOUR_MS, type PollRecord, VirtualTime } from './activeTrigger';
import type { Behaviour, BehaviourCounts } from './behaviours';
import { isLive, hasUsableId, Ledger, type RunEntry, lastStatusOf, type WorkflowEntry } from './ledger';
import { observeResponse } from './observe';
import { type HistorySettings, idOfItem, STATUSES } from './settings';
import type { Step } from './steps';

/** Between the activation and the changes around it if times are known to the second only, as from a `Date` header. */
const SETTLE_MS = 5000;
/** After this time without a change, the trigger may read the results of a run after the end of the history, or never. */
const WATCH_FINISHED_MS = 20 * HOUR_MS;
const WATCH_UNFINISHED_MS = 4 * DAY_MS;

/** When an item is created and visible, relative to the time it is added. */
export interface Timing {
	createdInMs?: number;
	visibleInMs?: number;
}

/** The service, n8n with one active trigger, and a record of everything that happened. */
export class World {
	readonly time = new VirtualTime();
	readonly ledger = new Ledger();
	readonly counts: BehaviourCounts = new Map();
	/** What happened, for the reader of a history. */
	readonly lines: string[] = [];
	/** The steps that had an effect. */
	readonly steps: Step[] = [];
	readonly simulator: Simulator;
	/** The node's option *Run Statuses*, as runs show them; empty if it is not set. */
	readonly runStatuses: string[];
	readonly trigger: ActiveTrigger;
	/** When the trigger was activated. Milliseconds, on the service's clock. */
	activatedAtMs = Infinity;
	/** Number of failed requests that can justify a failed execution, and of those with 404. */
	failedRequests = 0;
	notFoundRequests = 0;
	/** Indexes of the polls that may have been prevented from reading everything. */
	disturbedPolls: number[] = [];
	/** Indexes of the polls during which the service changed. */
	readonly changedPolls = new Set<number>();
	/** Called before each request of a poll, with its number from 1. */
	beforeRequest: (request: number) => void = () => {};
	/** Fault that all requests meet. */
	outage?: string;
	/** Clock changes of which n8n's log must tell. */
	clockJumps = 0;

	constructor(readonly settings: HistorySettings) {
		const { listOrder, cursorKind, cursorTtlMs, cursorRejection, defaultPageSize, ignorePageSize } = settings;
		const { timeFormat, dateHeader, noResultsYet, deletedRuns, lastCursor, statuses, pageSize } = settings;
		// Set together with Page Size: a setting of its own would change the histories of older seeds.
		this.runStatuses = pageSize > 0 ? STATUSES[statuses].slice(1, 3).map(({ text }) => text) : [];
		this.simulator = createSimulator({
			clock: () => this.time.nowMs,
			advance: this.time.advance,
			settings: {
				...{ listOrder, cursorKind, cursorTtlMs, cursorRejection, defaultPageSize, ignorePageSize },
				...{ timeFormat, dateHeader, noResultsYet, deletedRuns, lastCursor },
				...{ maxPageSize: 1000, limit: 1_000_000, journalSize: 1 },
			},
		});
		const parameters = {
			simplify: false,
			options: { maxRequests: 1000 } as IDataObject & { maxRequests: number },
		};
		this.trigger = new ActiveTrigger(this.time, this.send, parameters, settings.scheduler);
		process.env.TZ = settings.timeZone;
	}

	/** Adds the first data and activates the trigger. @throws what the first poll throws */
	async start(event: string): Promise<void> {
		const { settings, time } = this;
		for (let count = 0; count < settings.workflows; count++) this.addWorkflow();
		for (let count = 0; count < settings.runs; count++) {
			time.advance(1000);
			const run = this.addRun(0, event === 'runFinished' ? count : 0, {})!;
			// Of these, those of unfinished runs are new.
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
		const isExact = settings.n8nAheadMs === 0 && settings.timeFormat !== 'noMilliseconds';
		time.advance(isExact ? 1 : SETTLE_MS);
		this.activatedAtMs = time.nowMs;
		await this.trigger.activate();
		// The first poll reads all statuses, so it may send more requests.
		options.maxRequests = maxRequests;
		if (settings.isSecondRefused) this.refuseSecond();
		if (!isExact) time.advance(SETTLE_MS);
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

	addWorkflow(): WorkflowEntry {
		const { ledger, settings, simulator } = this;
		const id = idOfItem(settings.ids, 'workflow', ledger.workflows.length);
		const [key] = simulator.control.seed({ workflows: [{ id }] }).workflows;
		const workflow: WorkflowEntry = {
			...this.newEntry(id, key, {}),
			runs: [],
			mayMissBeforeMs: 0,
			isChosen: settings.watch === 'all',
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
		const wanted = idOfItem(settings.ids, 'run', ledger.runs.length);
		const id = workflow.runs.some((run) => run.id === wanted) ? undefined : wanted;
		const { shown, text, outcome } = this.statusAt(settings.ids === 'sameRunId' ? 0 : status);
		const times = this.timesOf(timing);
		const seed = { workflowId: workflow.key, id, status: shown, results: 0, ...times };
		const [key] = simulator.control.seed({ runs: [seed] }).runs;
		const entry = this.newEntry(id, key, timing);
		const atMs = Math.min(entry.createdAtMs, entry.addedAtMs);
		const statuses = [{ text, outcome, atMs, poll: this.polls }];
		const run: RunEntry = { ...entry, workflow, statuses, results: [], changedAtMs: atMs };
		ledger.addRun(run);
		if (settings.hasDistinctTimes) this.time.advance(1);
		return run;
	}

	addResults(run: RunEntry, count: number, timing: Timing = {}): void {
		const { ledger, settings, simulator, time } = this;
		const watchMs = lastStatusOf(run).outcome ? WATCH_FINISHED_MS : WATCH_UNFINISHED_MS;
		const isBackdated = (timing.createdInMs ?? 0) < 0;
		const isTooLate = time.nowMs - (isBackdated ? run.addedAtMs : run.changedAtMs) > watchMs;
		for (let added = 0; added < count; added++) {
			const id = idOfItem(settings.ids, 'result', ledger.results.length);
			const seed = { runId: run.key, id, ...this.timesOf(timing) };
			const [key] = simulator.control.seed({ results: [seed] }).results;
			const result = { ...this.newEntry(id, key, timing), run, isTooLate };
			run.results.push(result);
			ledger.results.push(result);
			if (settings.hasDistinctTimes) time.advance(1);
		}
		if (!isTooLate) run.changedAtMs = time.nowMs;
	}

	/** Sets a run's status. @returns the status as text; undefined if the run has it already */
	setStatus(run: RunEntry, status: number): string | undefined {
		const { shown, text, outcome } = this.statusAt(status);
		const last = lastStatusOf(run);
		// Two runs with one ID keep their common status.
		if (last.text === text || this.settings.ids === 'sameRunId') return undefined;
		if (last.outcome && this.time.nowMs - last.atMs > DAY_MS) this.count('run reopened after days');
		this.simulator.control.setRunStatus(run.key, shown);
		run.changedAtMs = this.time.nowMs;
		run.statuses.push({ text, outcome, atMs: run.changedAtMs, poll: this.polls });
		return JSON.stringify(shown);
	}

	/** Chooses the Prospector workflows to watch. @param indexes of the ledger */
	choose(indexes: number[]): void {
		const { ledger, settings, trigger } = this;
		if (settings.watch === 'all') return;
		const chosen = indexes.map((index) => ledger.workflows[index]);
		const ids = chosen.map(({ key }) => key);
		Object.assign(trigger.parameters, { workflowId: ids[0], workflowIds: ids });
		for (const workflow of ledger.workflows) {
			const isChosen = chosen.includes(workflow);
			if (isChosen !== workflow.isChosen) workflow.isChoiceUnread = true;
			workflow.isChosen = isChosen;
		}
	}

	/** Marks what a new choice, a return, or n8n's restart allows the trigger to miss, until a poll without failures. */
	readonly settleChoices = (isClean: boolean): void => {
		const { nowMs } = this.time;
		for (const workflow of this.ledger.workflows) {
			if (workflow.isChoiceUnread) workflow.mayMissBeforeMs = nowMs;
			if (workflow.isChoiceUnread || workflow.isReturnUnread) workflow.unclearBeforeMs = nowMs;
			if (isClean) Object.assign(workflow, { isChoiceUnread: false, isReturnUnread: false });
		}
	};

	refuseSecond(): void {
		const path = `/workflows/${encodeURIComponent(this.ledger.workflows[1].key)}/runs`;
		const match = { path };
		this.simulator.control.addFault({ id: 'refused', kind: 'status', status: 429, times: 0, match });
	}

	private readonly send = async (options: IHttpRequestOptions, poll: PollRecord): Promise<unknown> => {
		if (this.activatedAtMs < poll.startedAtMs) {
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
		return {
			id: id === undefined ? key : id,
			key,
			addedAtMs: nowMs,
			createdAtMs: nowMs + createdInMs,
			visibleAtMs: nowMs + visibleInMs,
			visiblePoll: this.polls,
		};
	}
}
