import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { type ListState, initialListState } from '../../../../nodes/Prospector/transport/list/listState';
import { readList } from '../../../../nodes/Prospector/transport/list/readList';
import type { Client } from '../../../../nodes/Prospector/transport/request/client';
import { paginate } from '../../../../nodes/Prospector/transport/request/pagination';
import { RequestBudget } from '../../../../nodes/Prospector/transport/request/requestBudget';
import { shortHash } from '../../../../nodes/Prospector/utils';
import { status } from '../../helpers/everyFailure';
import { FakeClock } from '../../helpers/fakeClock';
import { CONNECTION, TURNS } from '../../helpers/support';

const DAY_MS = 24 * 3_600_000;
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const PAGE_SIZE = 5;

/** Creation times as milliseconds before now; undefined for an item without a valid one. */
type Ages = Array<number | undefined>;

/** 20 items on 4 pages, one millisecond after another. */
const NEWEST: Ages = Array.from({ length: 20 }, (_, index) => index + 1);
const OLDEST = [...NEWEST].reverse();
const UNSORTED: Ages = [...NEWEST.slice(10), ...NEWEST.slice(0, 10)];

interface ReadOptions {
	listState?: ListState;
	/** Number of pages after which the read is interrupted. */
	maxPages?: number;
	/** How requests fail, by their cursors; the first page has none. */
	failures?: Record<string, Failure>;
	/** Whether the failures end after one. */
	failsOnce?: boolean;
	maxRequests?: number;
	nowMs?: number;
	/** The time after the first response, which shows that the clock was wrong. */
	correctedNowMs?: number;
	mustReadFull?: boolean;
}

/** Reads a list whose cursors are numbers of items. Returns the cursors of its requests, too. */
async function read(ages: Ages, options: ReadOptions = {}) {
	const { listState = initialListState(0), maxPages = Infinity, failures = {}, maxRequests = 100 } = options;
	const { nowMs = NOW_MS, correctedNowMs = nowMs, mustReadFull, failsOnce } = options;
	const budget = new RequestBudget(new FakeClock(), { maxRequests, maxMs: 60_000 });
	const cursors: string[] = [];
	let hasFailed = false;
	const client = {
		connection: CONNECTION,
		async tryRequest({ query = {} }: ApiRequest) {
			const { cursor = 'first' } = query;
			budget.takeRequest();
			cursors.push(String(cursor));
			const failure = new Map(Object.entries(failures)).get(String(cursor));
			if (failure && !(failsOnce && hasFailed)) {
				hasFailed = true;
				return failure;
			}
			const start = cursor === 'first' ? 0 : Number(cursor);
			const data = ages.slice(start, start + PAGE_SIZE).map((ageMs) => ({
				id: `item ${ageMs}`,
				created_at: ageMs === undefined ? 'soon' : new Date(NOW_MS - ageMs).toISOString(),
			}));
			const next = start + PAGE_SIZE;
			const pagination = { nextCursor: `${next}`, hasMore: next < ages.length };
			return await Promise.resolve({ data, requestId: 'req', pagination });
		},
		turns: TURNS,
	} as unknown as Client;
	const readPages = (startCursor?: string) =>
		paginate(client, { endpoint: endpoints.listResults }, { startCursor });
	const ids: string[] = [];
	const mustInterrupt = () => cursors.length >= maxPages || budget.isUsedUp();
	const now = () => (cursors.length > 0 ? correctedNowMs : nowMs);
	const source = { readPages, budget, turns: TURNS, now, mustInterrupt, mustReadFull };
	const result = await readList(source, listState, ({ resource }) => ids.push(String(resource.id)));
	return { ...result, cursors, ids };
}

const positionAfter = async (ages: Ages) => (await read(ages)).listState;

/** Adds items that are as many milliseconds younger than the newest one. */
const added = (count: number, ages: Ages) =>
	Array.from({ length: count }, (_, index): number | undefined => 1 - count + index).concat(ages);

test.each<[string, Ages, Partial<ListState>]>([
	['newest first', NEWEST, { order: 'newest' }],
	[
		'oldest first',
		OLDEST,
		{ order: 'oldest', lastKnownPage: { cursor: '15', firstItemHash: shortHash('item 5') } },
	],
	['unsorted', UNSORTED, {}],
	['too short to tell the order', NEWEST.slice(0, 5), {}],
	['with an item without a time', [...NEWEST, undefined], {}],
	['with two distinct times', NEWEST.map((ageMs) => (ageMs! > 10 ? 2 : 1)), {}],
])(
	'the first read of a list (%s) reads all pages and stores the order of the list if the order is certain',
	async (_, ages, order) => {
		const { listState, finishedReadStartedAtMs, ids } = await read(ages);
		expect(ids).toHaveLength(ages.length);
		expect(finishedReadStartedAtMs).toBe(NOW_MS);
		expect(listState).toEqual({
			newestCreatedAtMs: { previousRead: 0, lastRead: NOW_MS - 1 },
			fullReadAtMs: NOW_MS,
			...order,
		});
	},
);

test.each<[string, Ages, ReadOptions, string]>([
	['all pages of a newest-first list', NEWEST, {}, 'first 5 10 15'],
	['only the last page of an oldest-first list', OLDEST, {}, '15'],
	['all pages of an unsorted list', UNSORTED, {}, 'first 5 10 15'],
	['all pages of an oldest-first list after a day', OLDEST, { nowMs: NOW_MS + DAY_MS }, 'first 5 10 15'],
	['all pages if the clock was set back', OLDEST, { nowMs: NOW_MS - DAY_MS }, 'first 5 10 15'],
	['all pages if mustReadFull is set', OLDEST, { mustReadFull: true }, 'first 5 10 15'],
])('the second read of a list requests %s', async (_, ages, options, cursors) => {
	expect((await read(ages, { ...options, listState: await positionAfter(ages) })).cursors.join(' ')).toBe(
		cursors,
	);
});

test('a read of a newest-first list stops at the first page whose last item is known from earlier reads', async () => {
	const { listState } = await read(NEWEST, { listState: await positionAfter(NEWEST) });
	expect(listState.newestCreatedAtMs).toEqual({ previousRead: NOW_MS - 1, lastRead: NOW_MS - 1 });
	const { cursors, ids } = await read(added(7, NEWEST), { listState });
	expect([cursors, ids.length]).toEqual([['first', '5'], 10]);
});

test('a read of a newest-first list does not stop at items created in the same millisecond as the newest known item', async () => {
	const ages = [...Array.from({ length: 5 }, () => 1), ...NEWEST];
	const { listState } = await read(ages, { listState: await positionAfter(ages) });
	expect((await read(ages, { listState })).cursors).toEqual(['first', '5']);
});

test('a read of a newest-first list continues to the end if the first item is older than the newest known item', async () => {
	const { listState } = await read(NEWEST, { listState: await positionAfter(NEWEST) });
	const { cursors } = await read(NEWEST.slice(1), { listState });
	expect(cursors).toEqual(['first', '5', '10', '15']);
});

test('an oldest-first list is read again from the first page if the last page starts with a different item', async () => {
	const { cursors, finishedReadStartedAtMs } = await read(OLDEST.slice(1), {
		listState: await positionAfter(OLDEST),
	});
	expect(cursors).toEqual(['15', 'first', '5', '10', '15']);
	expect(finishedReadStartedAtMs).toBe(NOW_MS);
});

test('a read of a list continues an interrupted one at the next page, and also reads the first page if it is interrupted itself', async () => {
	const first = await read(NEWEST, { maxPages: 2 });
	expect(first.listState.unfinishedRead).toMatchObject({ cursor: '10', newestMs: NOW_MS - 1 });
	expect([first.finishedReadStartedAtMs, first.listState.fullReadAtMs]).toEqual([undefined, 0]);
	const second = await read(NEWEST, { listState: first.listState, maxPages: 1 });
	expect([second.cursors, second.ids.length]).toEqual([['10', 'first'], 2 * PAGE_SIZE]);
	const third = await read(NEWEST, { listState: second.listState, nowMs: NOW_MS + 1 });
	expect(third.cursors).toEqual(['15']);
	expect(third.finishedReadStartedAtMs).toBe(NOW_MS);
	expect(third.listState.unfinishedRead).toBeUndefined();
});

test('the next read of an oldest-first list continues an interrupted read of new pages at the next page', async () => {
	const ages = [...OLDEST, ...Array.from({ length: 12 }, (_, index) => -index)];
	const options = { nowMs: NOW_MS + 1000, maxPages: 1 };
	const { listState } = await read(ages, { ...options, listState: await positionAfter(OLDEST) });
	expect((await read(ages, { ...options, listState })).cursors).toEqual(['20']);
});

test('a read of a list stores the newest creation time that is not in the future', async () => {
	expect((await read([-5000, ...NEWEST])).listState.newestCreatedAtMs.lastRead).toBe(NOW_MS - 1);
});

test('a read of a list stores the corrected time if the first response shows that the clock was ahead', async () => {
	const result = await read(NEWEST, { nowMs: NOW_MS + DAY_MS, correctedNowMs: NOW_MS });
	expect([result.finishedReadStartedAtMs, result.listState.fullReadAtMs]).toEqual([NOW_MS, NOW_MS]);
});

test.each([400, 404, 409, 410, 422])(
	'readList restarts at the first page, with ten times the request budget, after a cursor gets the status %d',
	async (rejection) => {
		const { listState } = await read(UNSORTED, { maxPages: 2 });
		const { cursors, finishedReadStartedAtMs, isTooLongForPoll } = await read([...UNSORTED, ...UNSORTED], {
			...{ listState, maxRequests: 5, failures: { 10: status(rejection) }, failsOnce: true },
		});
		expect(cursors).toEqual(['10', 'first', '5', '10', '15', '20', '25', '30', '35']);
		expect(finishedReadStartedAtMs).toBe(NOW_MS);
		expect(isTooLongForPoll).toBeFalsy();
	},
);

test('readList reports a list as unreadable if cursors are rejected in two reads without a complete read in between', async () => {
	const failures = { 10: status(410) };
	const first = await read(UNSORTED, { failures });
	expect(first.cursors).toEqual(['first', '5', '10', 'first', '5', '10']);
	expect(first.isTooLongForPoll).toBeFalsy();
	const second = await read(UNSORTED, { failures, listState: first.listState });
	expect(second.isTooLongForPoll).toBe(true);
	const third = await read(UNSORTED, { listState: second.listState });
	expect(third.listState.mustReadInOnePoll).toBeUndefined();
});

test.each<[string, string, Failure]>([
	['a rejected API key', '10', status(401)],
	['a missing permission', '10', status(403)],
	['the rate limit', '10', status(429)],
	['an outage', '10', status(503)],
	['a resource that was not found', 'first', status(404)],
])(
	'readList keeps its position in the list and returns the failure if a read fails because of %s',
	async (_, cursor, failure) => {
		const failures = { [cursor]: failure };
		const { listState, failure: thrown, cursors } = await read(UNSORTED, { failures });
		expect(thrown).toMatchObject({ failure });
		expect(cursors.at(-1)).toBe(cursor);
		expect(listState.unfinishedRead?.cursor).toBe(cursor === 'first' ? undefined : cursor);
		expect((await read(UNSORTED, { failures, listState })).listState).toEqual(listState);
	},
);

test('readList discards a stored cursor and restarts at the first page if the cursor leads to a loop', async () => {
	const { listState } = await read(UNSORTED, { maxPages: 2 });
	const loop = { kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req' } as const;
	const options = { listState, failures: { 10: loop }, failsOnce: true };
	const { cursors, listState: next } = await read(UNSORTED, options);
	expect(cursors).toEqual(['10', 'first', '5', '10', '15']);
	expect(next).toEqual({
		newestCreatedAtMs: { previousRead: 0, lastRead: NOW_MS - 1 },
		fullReadAtMs: NOW_MS,
	});
});
