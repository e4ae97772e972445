import type { Failure } from '../../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../../nodes/Prospector/api/endpoints';
import { type ListPosition, startPosition } from '../../../../nodes/Prospector/transport/list/listPosition';
import { readList } from '../../../../nodes/Prospector/transport/list/readList';
import type { Client } from '../../../../nodes/Prospector/transport/request/client';
import { paginate } from '../../../../nodes/Prospector/transport/request/pagination';
import { RequestBudget } from '../../../../nodes/Prospector/transport/request/requestBudget';
import { shortHash } from '../../../../nodes/Prospector/utils';
import { status } from '../../helpers/everyFailure';
import { FakeClock } from '../../helpers/fakeClock';
import { CONNECTION } from '../../helpers/support';

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
	position?: ListPosition;
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
	mustReadWhole?: boolean;
}

/** Reads a list whose cursors are numbers of items. Returns the cursors of its requests, too. */
async function read(ages: Ages, options: ReadOptions = {}) {
	const { position = startPosition(0), maxPages = Infinity, failures = {}, maxRequests = 100 } = options;
	const { nowMs = NOW_MS, correctedNowMs = nowMs, mustReadWhole, failsOnce } = options;
	const budget = new RequestBudget(new FakeClock(), { maxRequests, maxMs: 60_000 });
	const cursors: string[] = [];
	let hasFailed = false;
	const client = {
		connection: CONNECTION,
		async safeRequest({ query = {} }: ApiRequest) {
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
	} as unknown as Client;
	const readPages = (startCursor?: string) =>
		paginate(client, { endpoint: endpoints.listResults }, { startCursor });
	const ids: string[] = [];
	const mustInterrupt = () => cursors.length >= maxPages || budget.isUsedUp();
	const now = () => (cursors.length > 0 ? correctedNowMs : nowMs);
	const source = { readPages, budget, now, mustInterrupt, mustReadWhole };
	const result = await readList(source, position, ({ resource }) => ids.push(String(resource.id)));
	return { ...result, cursors, ids };
}

const positionAfter = async (ages: Ages) => (await read(ages)).position;

/** Adds items that are as many milliseconds younger than the newest one. */
const added = (count: number, ages: Ages) =>
	Array.from({ length: count }, (_, index): number | undefined => 1 - count + index).concat(ages);

test.each<[string, Ages, Partial<ListPosition>]>([
	['newest first', NEWEST, { order: 'newest' }],
	[
		'oldest first',
		OLDEST,
		{ order: 'oldest', resumePoint: { cursor: '15', firstItemHash: shortHash('item 5') } },
	],
	['unsorted', UNSORTED, {}],
	['too short to tell the order', NEWEST.slice(0, 5), {}],
	['with an item without a time', [...NEWEST, undefined], {}],
])(
	'the first read of a list (%s) reads all pages and stores the order of the list if the order is certain',
	async (_, ages, order) => {
		const { position, completeReadStartedAtMs, ids } = await read(ages);
		expect(ids).toHaveLength(ages.length);
		expect(completeReadStartedAtMs).toBe(NOW_MS);
		expect(position).toEqual({
			newestTimesMs: { previousRead: 0, lastRead: NOW_MS - 1 },
			wholeReadAtMs: NOW_MS,
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
	['all pages if mustReadWhole is set', OLDEST, { mustReadWhole: true }, 'first 5 10 15'],
])('the second read of a list requests %s', async (_, ages, options, cursors) => {
	expect((await read(ages, { ...options, position: await positionAfter(ages) })).cursors.join(' ')).toBe(
		cursors,
	);
});

test('a read of a newest-first list stops at the first page whose last item is known from earlier reads', async () => {
	const { position } = await read(NEWEST, { position: await positionAfter(NEWEST) });
	expect(position.newestTimesMs).toEqual({ previousRead: NOW_MS - 1, lastRead: NOW_MS - 1 });
	const { cursors, ids } = await read(added(7, NEWEST), { position });
	expect([cursors, ids.length]).toEqual([['first', '5'], 10]);
});

test('a read of a newest-first list does not stop at items created in the same millisecond as the newest known item', async () => {
	const ages = [...Array.from({ length: 5 }, () => 1), ...NEWEST];
	const { position } = await read(ages, { position: await positionAfter(ages) });
	expect((await read(ages, { position })).cursors).toEqual(['first', '5']);
});

test('a read of a newest-first list continues to the end if the first item is older than the newest known item', async () => {
	const { position } = await read(NEWEST, { position: await positionAfter(NEWEST) });
	const { cursors } = await read(NEWEST.slice(1), { position });
	expect(cursors).toEqual(['first', '5', '10', '15']);
});

test('an oldest-first list is read again from the first page if the last page starts with a different item', async () => {
	const { cursors, completeReadStartedAtMs } = await read(OLDEST.slice(1), {
		position: await positionAfter(OLDEST),
	});
	expect(cursors).toEqual(['15', 'first', '5', '10', '15']);
	expect(completeReadStartedAtMs).toBe(NOW_MS);
});

test('the next read of a list continues an interrupted read at the next page and also reads the first page', async () => {
	const first = await read(NEWEST, { maxPages: 2 });
	expect(first.position.unfinishedRead).toMatchObject({ cursor: '10', newestMs: NOW_MS - 1 });
	expect([first.completeReadStartedAtMs, first.position.wholeReadAtMs]).toEqual([undefined, 0]);
	const second = await read(NEWEST, { position: first.position, maxPages: 1 });
	expect(second.cursors).toEqual(['10', 'first']);
	const third = await read(NEWEST, { position: second.position, nowMs: NOW_MS + 1 });
	expect(third.cursors).toEqual(['15']);
	expect(third.completeReadStartedAtMs).toBe(NOW_MS);
	expect(third.position.unfinishedRead).toBeUndefined();
});

test('a read of a list stores the newest creation time that is not in the future', async () => {
	expect((await read([-5000, ...NEWEST])).position.newestTimesMs.lastRead).toBe(NOW_MS - 1);
});

test('a read of a list stores the corrected time if the first response shows that the clock was ahead', async () => {
	const result = await read(NEWEST, { nowMs: NOW_MS + DAY_MS, correctedNowMs: NOW_MS });
	expect([result.completeReadStartedAtMs, result.position.wholeReadAtMs]).toEqual([NOW_MS, NOW_MS]);
});

test.each([400, 404, 409, 410, 422])(
	'readList restarts at the first page, with ten times the request budget, after a cursor gets the status %d',
	async (rejection) => {
		const { position } = await read(UNSORTED, { maxPages: 2 });
		const { cursors, completeReadStartedAtMs, isUnreadable } = await read([...UNSORTED, ...UNSORTED], {
			...{ position, maxRequests: 5, failures: { 10: status(rejection) }, failsOnce: true },
		});
		expect(cursors).toEqual(['10', 'first', '5', '10', '15', '20', '25', '30', '35']);
		expect(completeReadStartedAtMs).toBe(NOW_MS);
		expect(isUnreadable).toBeFalsy();
	},
);

test('readList reports a list as unreadable if cursors are rejected in two reads without a complete read in between', async () => {
	const failures = { 10: status(410) };
	const first = await read(UNSORTED, { failures });
	expect(first.cursors).toEqual(['first', '5', '10', 'first', '5', '10']);
	expect(first.isUnreadable).toBeFalsy();
	const second = await read(UNSORTED, { failures, position: first.position });
	expect(second.isUnreadable).toBe(true);
	const third = await read(UNSORTED, { position: second.position });
	expect(third.position.mustReadInOnePoll).toBeUndefined();
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
		const { position, failure: thrown, cursors } = await read(UNSORTED, { failures: { [cursor]: failure } });
		expect(thrown).toMatchObject({ failure });
		expect(cursors.at(-1)).toBe(cursor);
		expect(position.unfinishedRead?.cursor).toBe(cursor === 'first' ? undefined : cursor);
	},
);

test('readList discards a stored cursor and restarts at the first page if the cursor leads to a loop', async () => {
	const { position } = await read(UNSORTED, { maxPages: 2 });
	const loop = { kind: 'invalidPagination', reason: 'cursorLoop', requestId: 'req' } as const;
	const options = { position, failures: { 10: loop }, failsOnce: true };
	const { cursors, position: next } = await read(UNSORTED, options);
	expect(cursors).toEqual(['10', 'first', '5', '10', '15']);
	expect(next).toEqual({ newestTimesMs: { previousRead: 0, lastRead: NOW_MS - 1 }, wholeReadAtMs: NOW_MS });
});
