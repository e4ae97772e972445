import fc from 'fast-check';
import { CHOICES, type ListOrder, type SandboxSettings, type TimeFormat } from '../../sandbox/settings';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Scheduler } from './activeTrigger';

/** `returnedRun`: Run Finished with the option *Return Run*. */
export const EVENTS = [
	'newRun',
	'newResult',
	'runStatusChanged',
	'runFailed',
	'runFinished',
	'returnedRun',
] as const;
export type TriggerEvent = (typeof EVENTS)[number];

type IdKind = 'usual' | 'odd' | 'unusable' | 'sameRunId';
type StatusKind = 'usual' | 'odd' | 'unknown';

/** A setting has mostly its usual value, to which it shrinks. @param others each as likely as the others */
const mostly = <T>(usual: T, others: T[], weight = 3) => ({
	usual,
	others,
	arbitrary: fc.oneof(
		{ withCrossShrink: true },
		{ weight, arbitrary: fc.constant(usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	),
});

/** Settings of the service, n8n and the trigger in one history. */
const SETTINGS = {
	listOrder: mostly<ListOrder>('newest', ['oldest', 'shuffled', 'oldest', 'shuffled', 'random'], 1),
	cursorKind: mostly<SandboxSettings['cursorKind']>('position', ['offset', 'itemId', 'itemId'], 1),
	cursorTtlMs: mostly<number | null>(null, [45_000, 5 * MINUTE_MS], 2),
	cursorMaxItems: mostly<number | null>(null, [6, 30], 9),
	cursorRejection: {
		usual: 400 as SandboxSettings['cursorRejection'],
		others: CHOICES.cursorRejection.slice(1),
		arbitrary: fc.constantFrom(...CHOICES.cursorRejection),
	},
	pages: mostly<SandboxSettings['pages']>('full', ['varying', 'overlapping', 'emptyBetween'], 2),
	/** Share of responses that a replica sends which is behind. */
	staleProbability: mostly(0, [0.3], 9),
	defaultPageSize: mostly(20, [1, 2, 3, 5, 1000], 1),
	ignorePageSize: mostly(false, [true]),
	timeFormat: mostly<TimeFormat>(
		'utc',
		CHOICES.timeFormat.filter((format) => format !== 'utc'),
		1,
	),
	dateHeader: mostly(true, [false]),
	dateHeaderStepMs: mostly(0, [10 * MINUTE_MS], 9),
	/** Milliseconds by which the first poll's clock is ahead: all or one of its `Date` headers or, without them, n8n's. */
	firstDateAheadMs: mostly(0, [6 * HOUR_MS, -6 * HOUR_MS], 9),
	firstDatesAhead: mostly<'all' | 'one'>('all', ['one'], 1),
	noResultsYet: mostly<SandboxSettings['noResultsYet']>('empty', ['404', '409'], 1),
	deletedRuns: mostly<SandboxSettings['deletedRuns']>('byId', ['listed', 'gone'], 1),
	lastCursor: mostly<SandboxSettings['lastCursor']>('null', ['empty', 'absent']),
	/** Which IDs and statuses the service has. */
	ids: mostly<IdKind>('usual', ['odd', 'unusable', 'sameRunId']),
	statuses: mostly<StatusKind>('usual', ['odd', 'unknown'], 2),
	/** Whether no two items have the same creation time. */
	hasDistinctTimes: mostly(true, [false]),
	/** Number of Prospector workflows, and of runs of the first one, before the activation. */
	workflows: mostly(2, [3, 3, 3, 60, 320], 8),
	runs: mostly(0, [13, 20, 40, 60, 200], 1),
	/** Room for the trigger's state. With little, it forgets something in most histories. */
	stateBytes: mostly(990_000, [3_000, 8_000], 5),
	/** Milliseconds until each response. */
	responseMs: mostly(0, [2000, 9000]),
	n8nAheadMs: mostly(0, [5 * MINUTE_MS, -3 * HOUR_MS]),
	timeZone: mostly('UTC', ['Asia/Tokyo', 'America/Los_Angeles'], 2),
	/** Milliseconds from the end of a poll to the next one. */
	pollEveryMs: mostly(MINUTE_MS, [10_000, 5 * MINUTE_MS, HOUR_MS, DAY_MS], 4),
	scheduler: mostly<Scheduler>('classic', ['durable', 'durableCursors'], 1),
	/** Whether n8n abandons the first poll, as only the durable scheduler does. */
	isFirstPollAbandoned: mostly(false, [true]),
	watch: mostly<'all' | 'several' | 'one'>('all', ['several', 'one']),
	includeExisting: mostly(false, [true], 9),
	maxItems: mostly(1000, [1, 3]),
	maxRequests: mostly(30, [5, 10, 1000], 1),
	/** The node's option *Page Size*; 0 if it is not set. */
	pageSize: mostly(0, [7]),
};

export type HistorySettings = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['usual'] };

const mapSettings = (valueOf: (setting: { usual: unknown; arbitrary: unknown }) => unknown) =>
	Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, valueOf(setting)]));

export const DEFAULTS = mapSettings(({ usual }) => usual) as HistorySettings;

const independentSettings = fc.record(
	mapSettings(({ arbitrary }) => arbitrary) as {
		[Name in keyof HistorySettings]: fc.Arbitrary<HistorySettings[Name]>;
	},
);

/** Generates settings that a user can expect to work together. @param fixed settings that all have */
export const historySettings = (fixed: Partial<HistorySettings>): fc.Arbitrary<HistorySettings> =>
	independentSettings.map((settings) => adapt({ ...settings, ...fixed }));

function adapt(settings: HistorySettings): HistorySettings {
	const { dateHeader, workflows, firstDateAheadMs } = settings;
	return {
		...settings,
		// Without a `Date` header, n8n's clock counts, as the documentation says.
		n8nAheadMs: dateHeader && firstDateAheadMs === 0 ? settings.n8nAheadMs : 0,
		dateHeaderStepMs: dateHeader ? settings.dateHeaderStepMs : 0,
		isFirstPollAbandoned:
			settings.isFirstPollAbandoned && settings.scheduler !== 'classic' && firstDateAheadMs === 0,
		// With little room, the trigger forgets items that are younger than a wrong clock.
		stateBytes:
			dateHeader && settings.dateHeaderStepMs === 0 && firstDateAheadMs === 0 ? settings.stateBytes : 990_000,
		// The first poll reads each list once.
		...(workflows >= 60 && {
			runs: 0,
			cursorMaxItems: null,
			stateBytes: 990_000,
			maxRequests: Math.max(settings.maxRequests, workflows / 10, 10),
			defaultPageSize: 100,
		}),
	};
}

/** Milliseconds by which the clock of the first poll is ahead. A single wrong `Date` header changes nothing. */
export const firstClockAheadMs = ({ firstDatesAhead, firstDateAheadMs }: HistorySettings): number =>
	firstDatesAhead === 'all' ? firstDateAheadMs : 0;

export const pageSizeOf = ({ ignorePageSize, pageSize, defaultPageSize }: HistorySettings): number =>
	ignorePageSize || pageSize === 0 ? defaultPageSize : pageSize;

/** Times that the package can't read. */
export const isTimeless = ({ timeFormat }: HistorySettings): boolean =>
	['missing', 'null', 'number', 'nonsense', 'digits'].includes(timeFormat);

/** Returns the settings that differ from the defaults. */
export function unusualSettings(settings: HistorySettings): Partial<HistorySettings> {
	const defaults = new Map<string, unknown>(Object.entries(DEFAULTS));
	return Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== defaults.get(name)));
}

const toText = ([name, value]: [string, unknown]): string => `${name}: ${String(value)}`;

/** Each unusual value of each setting, such as `pages: varying`. */
export const UNUSUAL_VALUES = new Set(
	Object.entries(SETTINGS).flatMap(([name, { others }]) => others.map((value) => toText([name, value]))),
);

/** Returns which of them a history has. */
export const unusualValuesOf = (settings: HistorySettings): string[] =>
	Object.entries(unusualSettings(settings))
		.map(toText)
		.filter((text) => UNUSUAL_VALUES.has(text));

export interface Status {
	shown: unknown;
	/** As the trigger reports it. */
	text: string;
	outcome?: 'finished' | 'failed';
}

const toStatus = (shown: unknown, outcome?: Status['outcome']): Status => ({
	shown,
	text: typeof shown === 'string' ? shown.trim() : '',
	outcome,
});

/** The statuses of runs. The first is that of a new run. */
export const STATUSES: Record<StatusKind, Status[]> = {
	usual: [
		toStatus('queued'),
		toStatus('running'),
		toStatus('completed', 'finished'),
		toStatus('failed', 'failed'),
	],
	odd: [
		toStatus(' Running '),
		toStatus('COMPLETED', 'finished'),
		toStatus('timedOut', 'failed'),
		toStatus({ name: 'completed' }),
		toStatus(null),
		toStatus(7),
	],
	unknown: [toStatus('neu'), toStatus('läuft'), toStatus('fertig')],
};

const ODD_IDS = ['__proto__', 'constructor', 'Ab_1', 'aB_1', 'ÄÖ ü', 'a b', 'a/b', '%2F', 'toString'];
const UNUSABLE_IDS = ['', null, 7, { a: 1 }];

/** Returns the ID of the n-th item of its kind, counted from 0; undefined if the service chooses it. */
export function idOfItem(kind: IdKind, item: 'workflow' | 'run' | 'result', index: number): unknown {
	if (kind === 'odd') return ODD_IDS.at(index);
	// Not the first ones, which are the Prospector workflows that a user chooses.
	if (kind === 'unusable' && index % 4 === 3) return UNUSABLE_IDS[(index >> 2) % UNUSABLE_IDS.length];
	if (kind === 'sameRunId' && item === 'run') return `run_${index >> 1}`;
	return undefined;
}
