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
/** Polls at the end of a history that bring nothing. With the pauses between them, they take more than a day. */
const IDLE_POLLS = 8;

/** One thing that happens in the service, or to it. Numbers choose among what there is. */
export type ServiceEvent =
	| { kind: 'run'; which: number }
	| { kind: 'results'; which: number; count: number }
	| { kind: 'status'; which: number; word: number }
	| { kind: 'workflow' }
	| { kind: 'delete'; which: number };

/** One thing that happens in a history. */
export type Event =
	| ServiceEvent
	| { kind: 'pass'; milliseconds: number }
	| {
			kind: 'poll';
			how: 'normal' | 'abandoned' | 'repeated';
			meanwhile: Array<{ at: number; what: ServiceEvent }>;
			outage?: Outage;
	  }
	| { kind: 'restart' }
	| { kind: 'death' };

export interface Outage {
	/** Requests of the poll that still work. */
	after: number;
	how: OutageKind;
}

export interface History {
	order: Order;
	cursors: Cursors;
	pageSize: number;
	maxItems: number;
	maxRequests: number;
	scheduler: Scheduler;
	clock: { hasDate: boolean; n8nAhead: number };
	/** Ids of the first workflows, runs and results. */
	ids?: string[];
	/** Milliseconds that an answer takes: a poll may not have the time for all that is due. */
	slow: number;
	scope: 'all' | 'several' | 'one';
	words: string[];
	/** Whether every resource has a time of its own. */
	spaced: boolean;
	/** Runs of the first workflow, so that its list is long enough to have an order. */
	runs: number;
	before: ServiceEvent[];
	events: Event[];
}

const which = fc.nat(1000);
const happening: fc.Arbitrary<ServiceEvent> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('run' as const), which }) },
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('results' as const),
			which,
			count: fc.integer({ min: 1, max: 14 }),
		}),
	},
	{ weight: 5, arbitrary: fc.record({ kind: fc.constant('status' as const), which, word: fc.nat(9) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('workflow' as const) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which }) },
);
const outage: fc.Arbitrary<Outage> = fc.record({
	after: fc.nat(6),
	how: fc.constantFrom('tooMany', 'unavailable', 'network', 'webPage', 'forbidden', 'notFound', 'endless'),
});
const poll: fc.Arbitrary<Event> = fc.record({
	kind: fc.constant('poll' as const),
	how: fc.constantFrom('normal', 'normal', 'normal', 'abandoned', 'repeated'),
	meanwhile: fc.array(fc.record({ at: fc.nat(8), what: happening }), { maxLength: 3 }),
	outage: fc.option(outage, { nil: undefined, freq: 5 }),
});

/** A service of any kind, and what happens in it while a trigger watches. */
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
		slow: fc.constantFrom(0, 0, 0, 2000, 9000),
		scope: fc.constantFrom('all', 'several'),
		words: fc.constantFrom(['queued', 'running', 'completed', 'failed'], ['neu', 'läuft', 'fertig']),
		spaced: fc.constantFrom(true, true, false),
		runs: fc.constantFrom(0, 13, 20, 40),
		before: fc.array(
			happening.filter(({ kind }) => kind !== 'delete'),
			{ maxLength: 30 },
		),
		events: fc.array(
			fc.oneof(
				{ weight: 6, arbitrary: happening },
				{ weight: 6, arbitrary: poll },
				{ weight: 2, arbitrary: fc.constant<Event>({ kind: 'restart' }) },
				{ weight: 1, arbitrary: fc.constant<Event>({ kind: 'death' }) },
				{
					weight: 3,
					arbitrary: fc.record({
						kind: fc.constant('pass' as const),
						milliseconds: fc.oneof(fc.constantFrom(0, 1, MINUTE), fc.nat(2 * HOUR)),
					}),
				},
			),
			length,
		),
	});

/** What is told of a history when it is over. */
export interface HistoryResult {
	service: Service;
	emitted: IDataObject[];
	/** What existed before the trigger did. */
	existed: Set<FakeResource>;
	/** Statuses that each run has had since, the first of them when the trigger was set up or the run was started. */
	statuses: Map<string, string[]>;
	/** Workflows that the trigger watched. */
	watched: Set<string>;
	/** How often n8n's process has ended. */
	kills: number;
}

export interface Setting {
	startService(options: ServiceOptions): Service;
	onPoll?: ActiveTrigger['onPoll'];
}

const IN_MEMORY: Setting = { startService: (options) => new Service(options) };

/** Plays a history, and then lets the trigger poll until it has had the time to find everything. */
export async function replay(history: History, event: string, setting = IN_MEMORY): Promise<HistoryResult> {
	const time = new VirtualTime();
	const { startService, onPoll } = setting;
	const { scope, maxItems, clock } = history;
	time.n8nAhead = clock.n8nAhead;
	const service = startService({ ...history, hasDate: clock.hasDate, now: () => time.now });
	const statuses = new Map<string, string[]>();
	let isBefore = false;
	const happen = (what: ServiceEvent) => applyEvent(service, history, what, statuses, time, isBefore);
	const first = [service.addWorkflow(), service.addWorkflow()];
	for (let run = 0; run < history.runs; run++) {
		time.now += 1000;
		service.addRun(first[0], history.words[2]);
	}
	isBefore = true;
	for (const what of history.before) {
		happen(what);
		time.now += 1;
	}
	isBefore = false;
	const existing = [...service.workflows, ...service.runs, ...service.results];
	const existed = new Set(existing);
	for (const run of service.runs) statuses.set(run.id, [run.status]);
	// The Date header tells the service's time to the second.
	const uncertainty = clock.n8nAhead === 0 ? 1 : 2000;
	time.now += uncertainty;

	const parameters = {
		event,
		watch: scope,
		workflowId: first[0].id,
		workflowIds: first.map(({ id }) => id),
		options: { maxItems, maxRequests: 1000 },
	};
	const trigger = new ActiveTrigger(time, service, parameters, history.scheduler);
	if (onPoll) trigger.onPoll = onPoll;
	await trigger.activate();
	// The baseline of statuses is what the first poll reads, so that one may read everything.
	parameters.options.maxRequests = history.maxRequests;
	time.now += uncertainty;
	const takeTime = () => void (time.now += history.slow);
	service.onRequest = takeTime;
	const attempt = async (poll: () => Promise<unknown>) => {
		try {
			await poll();
		} catch {
			// n8n makes a failed execution of it, and goes on polling.
		}
	};
	const restartAfterDeath = async () => {
		// Without a saved baseline, the trigger starts over.
		if (trigger.saved === '{}') return;
		trigger.die();
		await trigger.activate();
	};
	for (const what of history.events) {
		if (what.kind === 'pass') time.now += what.milliseconds;
		else if (what.kind === 'restart') await attempt(trigger.activate);
		else if (what.kind === 'death') await attempt(restartAfterDeath);
		else if (what.kind !== 'poll') happen(what);
		else {
			injectOutage(service, what, happen, takeTime, (milliseconds) => void (time.now += milliseconds));
			await attempt(pollAs(trigger, what.how));
			service.onRequest = takeTime;
			service.endOutage();
			time.now += MINUTE;
		}
	}
	const watched = new Set(
		scope === 'all'
			? [...service.workflows.map(({ id }) => id), ...service.deleted]
			: first.slice(0, scope === 'one' ? 1 : 2).map(({ id }) => id),
	);
	const result = { service, emitted: trigger.emitted, existed, statuses, watched, kills: trigger.kills };
	// A lost event is one that does not come although there was the time to read everything several times.
	const requestsPerPoll = history.slow > 0 ? 4 : Math.min(history.maxRequests, 30);
	const longestList = Math.max(
		0,
		...service.runs.map(({ id }) => service.results.filter(({ of }) => of === id).length),
	);
	const enough =
		IDLE_POLLS +
		Math.ceil((8 * service.runs.length) / requestsPerPoll) +
		Math.ceil((4 * longestList) / history.pageSize / (requestsPerPoll - 3));
	const nothingIsLost = () => violationsOf(result, event).lost.length === 0;
	let complete = 0;
	for (let idle = 0, pause = MINUTE; idle < enough && complete < IDLE_POLLS; idle++) {
		const { length } = trigger.emitted;
		await attempt(trigger.tick);
		if (trigger.emitted.length > length) idle = 0;
		complete = idle > 0 && nothingIsLost() ? complete + 1 : 0;
		time.now += pause;
		pause = Math.min(pause * 3, 12 * HOUR);
	}
	return result;
}

/** Only the durable scheduler abandons and repeats polls. */
function pollAs(
	{ scheduler, tick, abandon, repeat }: ActiveTrigger,
	how: 'normal' | 'abandoned' | 'repeated',
) {
	if (scheduler === 'classic' || how === 'normal') return tick;
	return how === 'abandoned' ? abandon : repeat;
}

function injectOutage(
	service: Service,
	{ meanwhile, outage: trouble }: Extract<Event, { kind: 'poll' }>,
	happen: (what: ServiceEvent) => void,
	takeTime: () => void,
	letPass: (milliseconds: number) => void,
): void {
	let requests = 0;
	service.onRequest = () => {
		takeTime();
		requests++;
		for (const { at, what } of meanwhile) if (at === requests) happen(what);
		if (trouble && requests > trouble.after) service.startOutage(trouble.how, letPass);
	};
}

/** Milliseconds: a finished run brings results for so long after anything else of it has changed. */
const LATE = 20 * HOUR;
const FINISHED = ['completed', 'failed'];

function applyEvent(
	service: Service,
	{ words, spaced }: History,
	what: ServiceEvent,
	statuses: Map<string, string[]>,
	time: VirtualTime,
	isBefore: boolean,
): void {
	const pass = () => void (time.now += spaced ? 1 : 0);
	const pick = (things: FakeResource[], index: number): FakeResource | undefined =>
		things[index % things.length];
	switch (what.kind) {
		case 'workflow':
			service.addWorkflow();
			return;
		case 'run': {
			const workflow = pick(service.workflows, what.which);
			if (workflow) statuses.set(service.addRun(workflow, words[0]).id, [words[0]]);
			pass();
			return;
		}
		case 'results': {
			const run = pick(service.runs, what.which);
			const last =
				run && Math.max(run.updated, ...service.results.map((one) => (one.of === run.id ? one.created : 0)));
			// What of a trigger's own beginning it cannot know is in its documentation.
			const newest = service.runs.filter((one) => one.of === run?.of).slice(-10);
			if (isBefore && run && !newest.includes(run)) return;
			if (!run || (FINISHED.includes(run.status) && time.now - (last ?? 0) > LATE)) return;
			for (let count = 0; count < what.count; count++) {
				service.addResult(run);
				pass();
			}
			return;
		}
		case 'status': {
			const run = pick(service.runs, what.which);
			const status = words[what.word % words.length];
			if (!run || run.status === status) return;
			service.setStatus(run, status);
			statuses.get(run.id)?.push(status);
			return;
		}
		case 'delete': {
			const workflow = pick(service.workflows, what.which);
			if (workflow && service.workflows.length > 1) service.deleteWorkflow(workflow);
		}
	}
}
