import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import { RequestError } from '../../../nodes/Prospector/api/failure/requestError';
import type { ApiResponse } from '../../../nodes/Prospector/api/response';
import type { Client } from '../../../nodes/Prospector/transport/request/client';
import { Turns } from '../../../nodes/Prospector/transport/turns';
import { RequestBudget } from '../../../nodes/Prospector/trigger/budget';
import { readList } from '../../../nodes/Prospector/trigger/list';
import { INITIAL_LIST_STATE, type ListState } from '../../../nodes/Prospector/trigger/listState';
import { PollClock } from '../../../nodes/Prospector/trigger/pollClock';
import { PollContext } from '../../../nodes/Prospector/trigger/pollContext';
import type { TriggerSettings } from '../../../nodes/Prospector/trigger/settings';
import { BASELINE_OF_ALL, createState } from '../../../nodes/Prospector/trigger/state';
import { status } from '../helpers/everyFailure';
import { FakeClock } from '../helpers/fakeClock';
import { CONNECTION } from '../helpers/support';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../helpers/triggerScenario';

const PAGE_SIZE = 5;
/** When a read starts. */
const NOW_MS = new FakeClock().wallClock.now();
const agoMs = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

/** Creation times in minutes before now; undefined for an item without a valid one. */
type Ages = Array<number | undefined>;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
/** A list of 30 items on 6 pages. */
const NEWEST = numbers(30);

/** What happens at a request: it fails with a status, or its response is empty and last, or has no cursor. */
type Event = number | 'empty' | 'noCursor';

interface ReadOptions {
	state?: Partial<ListState>;
	/** Events by the number of the request. */
	events?: Record<number, Event>;
	pageMs?: number;
	/** Number of items after which the caller has enough. */
	maxItems?: number;
	maxRequests?: number;
	overdraft?: number;
	/** {@link NEWEST} by default. */
	ages?: Ages;
}

let timeMs = 0;
/** Every piece of work takes a whole turn, as on a busy machine. */
const BUSY_TURNS = new Turns({ now: () => (timeMs += 1000) });

/** Reads a list. Returns the number of its requests and items, too. */
async function read(ages: Ages, options: ReadOptions = {}) {
	const { state, events = {}, pageMs = 0, maxItems = Infinity, maxRequests = 100, overdraft = 0 } = options;
	const clock = new FakeClock();
	const budget = new RequestBudget(clock, maxRequests, overdraft, HOUR_MS);
	let requests = 0;
	async function tryRequest({ query = {} }: ApiRequest): Promise<ApiResponse | Failure> {
		budget.takeRequest();
		const event = events[++requests];
		await clock.advance(pageMs);
		if (typeof event === 'number') return status(event);
		const start = Number(query[CONNECTION.cursorParameter] ?? 0);
		const end = start + PAGE_SIZE;
		const hasMore = event !== 'empty' && end < ages.length;
		const data = (event === 'empty' ? [] : ages.slice(start, end)).map((age, index) => ({
			id: `item${start + index}`,
			created_at: age === undefined ? 'Week 3' : new Date(agoMs(age)).toISOString(),
		}));
		const nextCursor = hasMore && event !== 'noCursor' ? String(end) : undefined;
		return { data, requestId: 'req', hasMore, nextCursor };
	}
	const client = { connection: CONNECTION, turns: BUSY_TURNS, tryRequest } as Partial<Client> as Client;
	const settings = { maxItems } as TriggerSettings;
	const poll = new PollContext(
		client,
		settings,
		budget,
		new PollClock(clock.wallClock),
		createState('', BASELINE_OF_ALL),
	);
	const listState = { ...INITIAL_LIST_STATE, ...state };
	const list = { name: 'The list', listState, request: { endpoint: endpoints.listResults } };
	const result = await readList(poll, list, ({ resource }) => {
		poll.newItems.push({ json: resource, sortByMs: 0 });
	});
	const { hasFailed, isFinished, ending } = result;
	const outcome = hasFailed ? 'failed' : isFinished ? ending : 'unfinished';
	return { ...result, outcome, requests, items: poll.newItems.length };
}

test.each<[string, Ages, boolean, number?]>([
	['newest first', [1, 1, ...numbers(12)], true],
	['too short to tell the order', numbers(11), false],
	['of which only the last item is new', [...numbers(29).map((age) => age + 1), 1], false],
	['with an item without a time', [...NEWEST, undefined], false],
	['with an item whose time is in the future', [-5, ...NEWEST], true],
	['with a single time', NEWEST.map(() => 1), false],
	['without items', [], false, 0],
])(
	'the first read of a list (%s) reads all pages and stores whether the newest items come first (%j)',
	async (_, ages, isNewestFirst, newestCreatedAtMs = agoMs(1)) => {
		const { listState, outcome, items } = await read(ages);
		expect([items, outcome]).toEqual([ages.length, 'full']);
		const order = isNewestFirst && { isNewestFirst };
		expect(listState).toEqual({ newestCreatedAtMs, fullReadAtMs: NOW_MS, triedAtMs: 0, ...order });
	},
);

/** A page of items that were created at once. */
const SAME = [1, 2, 3, 4, 5].map(() => 20);

/** The state of {@link NEWEST} after a read whose newest item was created before this many minutes. */
const known = (minutes: number, rest: Partial<ListState> = {}) => ({
	...{ newestCreatedAtMs: agoMs(minutes), fullReadAtMs: agoMs(60), isNewestFirst: true as const, ...rest },
});

test.each<[number, string, Ages, ReadOptions]>([
	[3, 'its last item is more than 10 min older than the newest known one', NEWEST, { state: known(4) }],
	[4, 'the last item of page 3 is exactly 10 min older', NEWEST, { state: known(5) }],
	[3, "the service's clock was set back by an hour", NEWEST, { state: known(-60) }],
	[2, 'its first page has a single time', [...SAME, ...NEWEST.map((age) => age + 20)], { state: known(4) }],
	[
		6,
		'its oldest items, with a single time, come first',
		[...SAME, ...NEWEST.slice(5).reverse()],
		{ state: known(4) },
	],
	[6, 'two items are not in order', [2, 1, ...NEWEST.slice(2)], { state: known(4) }],
	[6, 'an item has no time', [1, undefined, ...NEWEST.slice(2)], { state: known(4) }],
	[6, 'its order is not proven', NEWEST, { state: known(4, { isNewestFirst: undefined }) }],
	[3, 'the last full read was almost a day ago', NEWEST, { state: known(4, { fullReadAtMs: agoMs(1439) }) }],
	[6, 'the last full read was a day ago', NEWEST, { state: known(4, { fullReadAtMs: NOW_MS - DAY_MS }) }],
	[6, "n8n's clock was set back by a day", NEWEST, { state: known(4, { fullReadAtMs: NOW_MS + DAY_MS }) }],
])('a later read of a list requests %d of 6 pages if %s', async (pages, _, ages, options) => {
	const { requests, outcome, listState } = await read(ages, options);
	expect([requests, outcome]).toEqual([pages, pages < 6 ? 'known' : 'full']);
	expect(listState.fullReadAtMs).toBe(pages < 6 ? options.state!.fullReadAtMs : NOW_MS);
});

test('a read that ends at known items stores the newest creation time, and that it was finished and short', async () => {
	const state = known(4, { isLong: true, isUnfinished: true });
	const { listState } = await read(NEWEST, { state, maxRequests: 2 });
	expect(listState).toEqual(known(1, { triedAtMs: 0 }));
});

const UNFINISHED = { isUnfinished: true };
const LONG = { ...UNFINISHED, isLong: true };

test.each<[string, ReadOptions, number, string, object]>([
	['fails once after page 2', { events: { 3: 410 } }, 2 + 1 + 6, 'full', {}],
	['fails twice after page 2', { events: { 3: 500, 6: 403 } }, 6, 'failed', UNFINISHED],
	['fails after page 2, and then at page 1', { events: { 3: 500, 4: 503 } }, 4, 'failed', UNFINISHED],
	['fails at page 1', { events: { 1: 500 } }, 1, 'failed', {}],
	['is refused after page 2', { events: { 3: 429 } }, 3, 'failed', UNFINISHED],
	['is refused at page 1', { events: { 1: 429 } }, 1, 'failed', {}],
	['is empty after 31 s', { events: { 3: 'empty' }, pageMs: 10_001 }, 3 + 6, 'full', {}],
	['is empty after 30 s', { events: { 3: 'empty' }, pageMs: 10_000 }, 3, 'full', {}],
	['is empty twice', { events: { 3: 'empty', 6: 'empty' }, pageMs: 10_001 }, 6, 'failed', UNFINISHED],
	['is empty at page 1', { events: { 1: 'empty' }, pageMs: 40_000 }, 1, 'full', {}],
	['has no cursor after page 2 once', { events: { 2: 'noCursor' } }, 2 + 6, 'full', {}],
	['has no cursor after page 2', { events: { 2: 'noCursor', 4: 'noCursor' } }, 4, 'failed', UNFINISHED],
	['has enough items', { maxItems: 10 }, 2, 'unfinished', UNFINISHED],
	['takes 6 of 6 requests', { maxRequests: 6 }, 6, 'full', {}],
	['takes 6 of 5 requests', { maxRequests: 5 }, 6, 'full', { isLong: true }],
	['has 12 pages', { ages: numbers(60), maxRequests: 1 }, 10, 'failed', LONG],
	['has two requests left', { maxRequests: 3, overdraft: 1 }, 2, 'unfinished', LONG],
	['is refused at once', { maxRequests: 2, overdraft: 1, events: { 1: 429 } }, 1, 'failed', {}],
	['is refused later', { maxRequests: 4, overdraft: 2, events: { 2: 429 } }, 2, 'unfinished', LONG],
])(
	'a read of a list that %s (%j) sends %d requests, ends as "%s" and stores the flags %j',
	async (_, options, count, expected, flags) => {
		const { requests, outcome, listState, failure } = await read(options.ages ?? NEWEST, options);
		expect([requests, outcome]).toEqual([count, expected]);
		const { isUnfinished, isLong } = listState;
		expect({ isUnfinished, isLong }).toEqual(flags);
		expect(listState.fullReadAtMs).toBe(outcome === 'full' ? NOW_MS : 0);
		const exceptions = Object.values(options.events ?? {}).filter((event) => event !== 'empty');
		expect(failure).toEqual(
			outcome === 'full' || exceptions.length === 0 ? undefined : expect.any(RequestError),
		);
	},
);

test('a read ends without a failure of the service if the time of the poll ends during its third request', async () => {
	const options = { events: { 3: 500 }, pageMs: 25 * MINUTE_MS };
	const { requests, ending, failure, listState } = await read(NEWEST, options);
	expect([requests, ending, failure, listState.isLong]).toEqual([3, 'usedUp', undefined, undefined]);
});
