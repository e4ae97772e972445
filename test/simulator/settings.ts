import fc from 'fast-check';
import type { SandboxSettings } from '../../sandbox/settings';
import { HOUR_MS, MINUTE_MS, type Scheduler } from './activeTrigger';

/** Which IDs and statuses the service has. */
export type IdKind = 'usual' | 'odd' | 'unusable' | 'sameRunId';
export type StatusKind = 'usual' | 'odd' | 'unknown';

/** Settings of the service, n8n and the trigger in one history. */
export interface HistorySettings extends Pick<
	SandboxSettings,
	| 'listOrder'
	| 'cursorKind'
	| 'cursorTtlMs'
	| 'cursorRejection'
	| 'defaultPageSize'
	| 'ignorePageSize'
	| 'timeFormat'
	| 'dateHeader'
	| 'noResultsYet'
	| 'deletedRuns'
	| 'lastCursor'
> {
	ids: IdKind;
	statuses: StatusKind;
	/** Whether no two items have the same creation time. */
	hasDistinctTimes: boolean;
	/** Number of Prospector workflows, and of runs of the first one, before the activation. */
	workflows: number;
	runs: number;
	/** Whether requests for the second Prospector workflow's runs always get 429. */
	isSecondRefused: boolean;
	/** Milliseconds until each response. */
	responseMs: number;
	n8nAheadMs: number;
	timeZone: string;
	scheduler: Scheduler;
	watch: 'all' | 'several' | 'one';
	includeExisting: boolean;
	maxItems: number;
	maxRequests: number;
	/** The node's option *Page Size*; 0 if it is not set. */
	pageSize: number;
}

export const DEFAULTS: HistorySettings = {
	listOrder: 'newest',
	cursorKind: 'position',
	cursorTtlMs: null,
	cursorRejection: 400,
	defaultPageSize: 20,
	ignorePageSize: false,
	timeFormat: 'utc',
	dateHeader: true,
	noResultsYet: 'empty',
	deletedRuns: 'byId',
	lastCursor: 'null',
	ids: 'usual',
	statuses: 'usual',
	hasDistinctTimes: true,
	workflows: 2,
	runs: 0,
	isSecondRefused: false,
	responseMs: 0,
	n8nAheadMs: 0,
	timeZone: 'UTC',
	scheduler: 'classic',
	watch: 'all',
	includeExisting: false,
	maxItems: 1000,
	maxRequests: 30,
	pageSize: 0,
};

/** Generates mostly the default of a setting; shrinks to it. @param others each as likely as the others */
function mostly<Name extends keyof HistorySettings>(
	name: Name,
	others: Array<HistorySettings[Name]>,
	weight = 3,
): fc.Arbitrary<HistorySettings[Name]> {
	const usual = new Map(Object.entries(DEFAULTS)).get(name) as HistorySettings[Name];
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight, arbitrary: fc.constant(usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	);
}

const independentSettings: fc.Arbitrary<HistorySettings> = fc.record({
	listOrder: mostly('listOrder', ['oldest', 'shuffled', 'oldest', 'shuffled', 'random'], 1),
	cursorKind: mostly('cursorKind', ['offset', 'itemId', 'itemId'], 1),
	cursorTtlMs: mostly('cursorTtlMs', [45_000, 5 * MINUTE_MS], 2),
	cursorRejection: fc.constantFrom(400, 404, 409, 410, 422),
	defaultPageSize: mostly('defaultPageSize', [1, 2, 3, 5, 1000], 1),
	ignorePageSize: mostly('ignorePageSize', [true]),
	timeFormat: mostly(
		'timeFormat',
		['offset', 'noZone', 'noMilliseconds', 'missing', 'null', 'number', 'nonsense'],
		1,
	),
	dateHeader: mostly('dateHeader', [false]),
	noResultsYet: mostly('noResultsYet', ['404', '409'], 1),
	deletedRuns: mostly('deletedRuns', ['listed', 'gone'], 1),
	lastCursor: mostly('lastCursor', ['empty', 'absent']),
	ids: mostly('ids', ['odd', 'unusable', 'sameRunId']),
	statuses: mostly('statuses', ['odd', 'unknown'], 2),
	hasDistinctTimes: mostly('hasDistinctTimes', [false]),
	workflows: mostly('workflows', [3, 3, 3, 60, 320], 8),
	runs: mostly('runs', [13, 20, 40], 1),
	isSecondRefused: mostly('isSecondRefused', [true], 9),
	responseMs: mostly('responseMs', [2000, 9000]),
	n8nAheadMs: mostly('n8nAheadMs', [5 * MINUTE_MS, -3 * HOUR_MS]),
	timeZone: mostly('timeZone', ['Asia/Tokyo', 'America/Los_Angeles'], 2),
	scheduler: mostly('scheduler', ['durable', 'durableCursors'], 1),
	watch: mostly('watch', ['several', 'one']),
	includeExisting: mostly('includeExisting', [true], 9),
	maxItems: mostly('maxItems', [1, 3]),
	maxRequests: mostly('maxRequests', [5, 10, 1000], 1),
	pageSize: mostly('pageSize', [7]),
});

/** Generates settings that a user can expect to work together. */
export const historySettings = independentSettings.map((settings): HistorySettings => {
	const { dateHeader, workflows } = settings;
	return {
		...settings,
		// Without a `Date` header, n8n's clock counts, as the documentation says.
		n8nAheadMs: dateHeader ? settings.n8nAheadMs : 0,
		// The first poll reads each list once.
		...(workflows >= 60 && {
			runs: 0,
			maxRequests: Math.max(settings.maxRequests, 30),
			defaultPageSize: 100,
		}),
	};
});

/** Times that the package can't read. */
export const isTimeless = ({ timeFormat }: HistorySettings): boolean =>
	['missing', 'null', 'number', 'nonsense'].includes(timeFormat);

/** Returns the settings that differ from the defaults, one per line. */
export function settingsText(settings: HistorySettings): string[] {
	const defaults = new Map<string, unknown>(Object.entries(DEFAULTS));
	return Object.entries(settings)
		.filter(([name, value]) => value !== defaults.get(name))
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

interface Status {
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
