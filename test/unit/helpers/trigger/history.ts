import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ActiveTrigger, VirtualTime, type Scheduler } from './activeTrigger';
import {
	Service,
	type Cursors,
	type Order,
	type OutageKind,
	type ServiceOptions,
	type FakeResource,
} from './service';
import { violationsOf } from './violations';

export const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Polls without items at the end of a history. With the growing intervals between them, they take over a day. */
const IDLE_POLLS = 8;

/** A change of the service's data. `index` selects the resource, and `status` the new status, modulo their numbers. */
export type ServiceEvent =
	| { kind: 'addRun'; index: number }
	| { kind: 'addResults'; index: number; count: number }
	| { kind: 'setStatus'; index: number; status: number }
	| { kind: 'addWorkflow' }
	| { kind: 'deleteWorkflow'; index: number };

export type HistoryEvent =
	| ServiceEvent
	| { kind: 'wait'; milliseconds: number }
	| {
			kind: 'poll';
			mode: PollMode;
			/** Changes while the poll is running, each with the number of the request that it precedes. */
			changes: Array<{ request: number; event: ServiceEvent }>;
			outage?: Outage;
	  }
	| { kind: 'restart' }
	| { kind: 'crash' };

type PollMode = 'normal' | 'abandoned' | 'repeated';

/** An outage that begins during a poll. */
export interface Outage {
	/** Number of requests before the outage. */
	after: number;
	kind: OutageKind;
}

/** A service, a trigger, and what happens in them. */
export interface History {
	order: Order;
	cursors: Cursors;
	pageSize: number;
	maxItems: number;
	maxRequests: number;
	scheduler: Scheduler;
	clock: { hasDate: boolean; n8nAhead: number };
	/** IDs of the first workflows, runs and results. */
	ids?: string[];
	/** Milliseconds per response. With slow responses, a poll has no time for everything that is due. */
	responseMs: number;
	watch: 'all' | 'several' | 'one';
	/** The statuses of runs. */
	statuses: string[];
	/** Whether no two resources have the same creation time. */
	hasDistinctTimes: boolean;
	/** Runs of the first workflow. Only a long list shows its order. */
	runs: number;
	/** Events before the activation of the trigger. */
	eventsBefore: ServiceEvent[];
	events: HistoryEvent[];
}

const index = fc.nat(1000);
const serviceEvent: fc.Arbitrary<ServiceEvent> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('addRun' as const), index }) },
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('addResults' as const),
			index,
			count: fc.integer({ min: 1, max: 14 }),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({ kind: fc.constant('setStatus' as const), index, status: fc.nat(9) }),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('addWorkflow' as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteWorkflow' as const), index }) },
);
const outage: fc.Arbitrary<Outage> = fc.record({
	after: fc.nat(6),
	kind: fc.constantFrom('tooMany', 'unavailable', 'network', 'webPage', 'forbidden', 'notFound', 'endless'),
});
const poll: fc.Arbitrary<HistoryEvent> = fc.record({
	kind: fc.constant('poll' as const),
	mode: fc.constantFrom('normal', 'normal', 'normal', 'abandoned', 'repeated'),
	changes: fc.array(fc.record({ request: fc.nat(8), event: serviceEvent }), { maxLength: 3 }),
	outage: fc.option(outage, { nil: undefined, freq: 5 }),
});

/** Generates random histories. @param length of their events */
export const historiesOf = (length: fc.ArrayConstraints): fc.Arbitrary<History> =>
	fc.record({
		order: fc.constantFrom<Order>('newest', 'oldest', 'shuffled'),
		cursors: fc.constantFrom<Cursors>('keyset', 'offset'),
		pageSize: fc.constantFrom(1, 2, 3, 5, 20),
		maxItems: fc.constantFrom(1, 3, 1000),
		maxRequests: fc.constantFrom(5, 10, 30, 30, 1000),
		scheduler: fc.constantFrom<Scheduler>('classic', 'classic', 'durable', 'durableCursors'),
		clock: fc.constantFrom(
			{ hasDate: false, n8nAhead: 0 },
			{ hasDate: true, n8nAhead: 0 },
			{ hasDate: true, n8nAhead: 5 * MINUTE },
			{ hasDate: true, n8nAhead: -3 * HOUR },
		),
		ids: fc.option(fc.constant(['__proto__', 'constructor', 'toString', 'hasOwnProperty']), {
			nil: undefined,
			freq: 3,
		}),
		responseMs: fc.constantFrom(0, 0, 0, 2000, 9000),
		watch: fc.constantFrom('all', 'several'),
		statuses: fc.constantFrom(['queued', 'running', 'completed', 'failed'], ['neu', 'läuft', 'fertig']),
		hasDistinctTimes: fc.constantFrom(true, true, false),
		runs: fc.constantFrom(0, 13, 20, 40),
		eventsBefore: fc.array(
			serviceEvent.filter(({ kind }) => kind !== 'deleteWorkflow'),
			{ maxLength: 30 },
		),
		events: fc.array(
			fc.oneof(
				{ weight: 6, arbitrary: serviceEvent },
				{ weight: 6, arbitrary: poll },
				{ weight: 2, arbitrary: fc.constant<HistoryEvent>({ kind: 'restart' }) },
				{ weight: 1, arbitrary: fc.constant<HistoryEvent>({ kind: 'crash' }) },
				{
					weight: 3,
					arbitrary: fc.record({
						kind: fc.constant('wait' as const),
						milliseconds: fc.oneof(fc.constantFrom(0, 1, MINUTE), fc.nat(2 * HOUR)),
					}),
				},
			),
			length,
		),
	});

/** The outcome of a history. */
export interface HistoryResult {
	service: Service;
	emitted: IDataObject[];
	/** Resources that existed before the activation. */
	existed: Set<FakeResource>;
	/** The statuses of each run, from the activation or the run's start on. */
	statuses: Map<string, string[]>;
	/** IDs of the watched workflows. */
	watched: Set<string>;
	/** How often n8n's process has ended. */
	kills: number;
}

export interface Setting {
	startService(options: ServiceOptions): Service;
	onPoll?: ActiveTrigger['onPoll'];
}

const IN_MEMORY: Setting = { startService: (options) => new Service(options) };

/** Replays a history, and then polls until the trigger has had the time to read everything. */
export async function replay(history: History, event: string, setting = IN_MEMORY): Promise<HistoryResult> {
	const time = new VirtualTime();
	const { startService, onPoll } = setting;
	const { watch, maxItems, clock } = history;
	time.n8nAhead = clock.n8nAhead;
	const service = startService({ ...history, hasDate: clock.hasDate, now: () => time.now });
	const statuses = new Map<string, string[]>();
	let isActivated = true;
	const apply = (event: ServiceEvent) => applyEvent(service, history, event, statuses, time, isActivated);
	const first = [service.addWorkflow(), service.addWorkflow()];
	for (let run = 0; run < history.runs; run++) {
		time.now += 1000;
		service.addRun(first[0], history.statuses[2]);
	}
	isActivated = false;
	for (const earlier of history.eventsBefore) {
		apply(earlier);
		time.now += 1;
	}
	isActivated = true;
	const existing = [...service.workflows, ...service.runs, ...service.results];
	const existed = new Set(existing);
	for (const run of service.runs) statuses.set(run.id, [run.status]);
	// The Date header tells the service's time to the second.
	const uncertainty = clock.n8nAhead === 0 ? 1 : 2000;
	time.now += uncertainty;

	const parameters = {
		event,
		watch,
		workflowId: first[0].id,
		workflowIds: first.slice(0, watch === 'one' ? 1 : 2).map(({ id }) => id),
		options: { maxItems, maxRequests: 1000 },
	};
	const trigger = new ActiveTrigger(time, service, parameters, history.scheduler);
	if (onPoll) trigger.onPoll = onPoll;
	await trigger.activate();
	// The first poll reads the baseline of statuses, so it may send enough requests for all of them.
	parameters.options.maxRequests = history.maxRequests;
	time.now += uncertainty;
	const advance = (milliseconds: number) => void (time.now += milliseconds);
	const onRequest = () => advance(history.responseMs);
	service.onRequest = onRequest;
	const attempt = async (poll: () => Promise<unknown>) => {
		try {
			await poll();
		} catch {
			// n8n shows a failed execution, and polls again later.
		}
	};
	const restartAfterCrash = async () => {
		// Without a saved baseline, the trigger starts over.
		if (trigger.saved === '{}') return;
		trigger.die();
		await trigger.activate();
	};
	for (const next of history.events) {
		if (next.kind === 'wait') advance(next.milliseconds);
		else if (next.kind === 'restart') await attempt(trigger.activate);
		else if (next.kind === 'crash') await attempt(restartAfterCrash);
		else if (next.kind !== 'poll') apply(next);
		else {
			let requests = 0;
			service.onRequest = () => {
				onRequest();
				requests++;
				for (const { request, event: change } of next.changes) if (request === requests) apply(change);
				if (next.outage && requests > next.outage.after) service.startOutage(next.outage.kind, advance);
			};
			await attempt(pollFunction(trigger, next.mode));
			service.onRequest = onRequest;
			service.endOutage();
			advance(MINUTE);
		}
	}
	const watched = new Set(
		watch === 'all'
			? [...service.workflows.map(({ id }) => id), ...service.deleted]
			: first.slice(0, watch === 'one' ? 1 : 2).map(({ id }) => id),
	);
	const result = { service, emitted: trigger.emitted, existed, statuses, watched, kills: trigger.kills };
	// An item counts as lost if it is not emitted although the polls had time to read everything several times.
	const requestsPerPoll = history.responseMs > 0 ? 4 : Math.min(history.maxRequests, 30);
	const longestList = Math.max(
		0,
		...service.runs.map(({ id }) => service.results.filter(({ parentId }) => parentId === id).length),
	);
	const maxIdlePolls =
		IDLE_POLLS +
		Math.ceil((8 * service.runs.length) / requestsPerPoll) +
		Math.ceil((4 * longestList) / history.pageSize / (requestsPerPoll - 3));
	const isNothingLost = () => violationsOf(result, event).lost.length === 0;
	let completePolls = 0;
	for (let idle = 0, pause = MINUTE; idle < maxIdlePolls && completePolls < IDLE_POLLS; idle++) {
		const { length } = trigger.emitted;
		await attempt(trigger.tick);
		if (trigger.emitted.length > length) idle = 0;
		completePolls = idle > 0 && isNothingLost() ? completePolls + 1 : 0;
		advance(pause);
		pause = Math.min(pause * 3, 12 * HOUR);
	}
	return result;
}

/** Only the durable scheduler abandons and repeats polls. */
function pollFunction({ scheduler, tick, abandon, repeat }: ActiveTrigger, mode: PollMode) {
	if (scheduler === 'classic' || mode === 'normal') return tick;
	return mode === 'abandoned' ? abandon : repeat;
}

/** Milliseconds without a change after which a finished run gets no more results. */
const MAX_RESULT_DELAY = 20 * HOUR;
const FINISHED = ['completed', 'failed'];

function applyEvent(
	service: Service,
	{ statuses, hasDistinctTimes }: History,
	event: ServiceEvent,
	statusesByRun: Map<string, string[]>,
	time: VirtualTime,
	isActivated: boolean,
): void {
	const tick = () => void (time.now += hasDistinctTimes ? 1 : 0);
	const select = (resources: FakeResource[], at: number): FakeResource | undefined =>
		resources[at % resources.length];
	switch (event.kind) {
		case 'addWorkflow':
			service.addWorkflow();
			return;
		case 'addRun': {
			const workflow = select(service.workflows, event.index);
			if (workflow) statusesByRun.set(service.addRun(workflow, statuses[0]).id, [statuses[0]]);
			tick();
			return;
		}
		case 'addResults': {
			const run = select(service.runs, event.index);
			if (!run) return;
			// A baseline contains only the results of the newest runs, as the documentation says.
			const newest = service.runs.filter(({ parentId }) => parentId === run.parentId).slice(-10);
			if (!isActivated && !newest.includes(run)) return;
			const results = service.results.filter(({ parentId }) => parentId === run.id);
			const lastChange = Math.max(run.updated, ...results.map(({ created }) => created));
			if (FINISHED.includes(run.status) && time.now - lastChange > MAX_RESULT_DELAY) return;
			for (let count = 0; count < event.count; count++) {
				service.addResult(run);
				tick();
			}
			return;
		}
		case 'setStatus': {
			const run = select(service.runs, event.index);
			const status = statuses[event.status % statuses.length];
			if (!run || run.status === status) return;
			service.setStatus(run, status);
			statusesByRun.get(run.id)?.push(status);
			return;
		}
		case 'deleteWorkflow': {
			const workflow = select(service.workflows, event.index);
			if (workflow && service.workflows.length > 1) service.deleteWorkflow(workflow);
		}
	}
}
