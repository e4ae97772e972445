import { createDictionary } from '../../../nodes/Prospector/transport/dictionary';
import { noEvidence, observe, verdict } from '../../../nodes/Prospector/trigger/listOrder';
import {
	keepOldest,
	oldestFirst,
	remember,
	type Candidate,
} from '../../../nodes/Prospector/trigger/candidates';
import {
	bound,
	compress,
	emptyList,
	isNew,
	reliableOrder,
	settleBaseline,
	settleWalk,
	UNDATED,
	type Entry,
} from '../../../nodes/Prospector/trigger/seenList';
import {
	boundState,
	MOST_ENTRIES,
	MOST_WATCHED,
	newState,
	readState,
	writeState,
	type WatchedRun,
} from '../../../nodes/Prospector/trigger/triggerState';
import { troubleWith, type Trouble } from '../../../nodes/Prospector/trigger/turns';
import { listItem, momentOf, shortDigest } from '../../../nodes/Prospector/trigger/walk';
import { nextLook } from '../../../nodes/Prospector/trigger/watching';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const list = (entries: Record<string, Entry>, rest: object = {}) => ({
	...emptyList(),
	entries: createDictionary(Object.entries(entries)),
	...rest,
});
const numbers = (from: number, to: number) =>
	Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + Math.sign(to - from) * index);

describe('the order of a list', () => {
	test.each([
		['newest', numbers(20, 1)],
		['oldest', numbers(1, 20)],
		['newest', [20, 20, ...numbers(19, 1), 1]],
		['none', [...numbers(1, 20), 3]],
		['none', [5, UNDATED, 4]],
		// Too few moments to tell.
		[undefined, numbers(11, 1)],
		[undefined, Array.from({ length: 50 }, () => 7)],
		[undefined, []],
	])('%s: %j', (order, moments) => {
		const evidence = noEvidence();
		moments.forEach((moment) => observe(evidence, moment));
		expect(verdict(evidence)).toBe(order);
	});

	test.each([
		[{ order: 'newest', wholeAt: 10 * DAY }, undefined, 'newest'],
		[{ wholeAt: 10 * DAY }, 'oldest', 'oldest'],
		[{ order: 'none', wholeAt: 10 * DAY }, 'newest', 'none'],
		// Once a day the list is read whole.
		[{ order: 'newest', wholeAt: 9 * DAY }, 'newest', undefined],
		[{ wholeAt: 0 }, 'newest', undefined],
	] as const)('of %j, usually %s, may be relied on as %s', (seen, usual, order) => {
		expect(reliableOrder(list({}, seen), usual, 10 * DAY + 1)).toBe(order);
	});
});

describe('what was seen', () => {
	test.each([
		['a', 5, false],
		['b', 5, true],
		// Equal times are told apart by id.
		['b', 3, true],
		['b', 2, false],
		['b', UNDATED, true],
	])('%s of %i is new: %s', (hash, created, expected) => {
		expect(isNew(list({ a: [5] }, { floor: 3 }), hash, created)).toBe(expected);
	});

	test.each([
		['one page', { pages: 1, newest: 9 }, { confirmed: 9, candidate: 9 }],
		// What several pages showed is read once more.
		['several pages', { pages: 3, newest: 9 }, { confirmed: 5, candidate: 9 }],
		['nothing newer', { pages: 3, newest: 2 }, { confirmed: 5, candidate: 5 }],
	])('after %s', (_, end, expected) => {
		const seen = list({}, { confirmed: 3, candidate: 5 });
		settleWalk(seen, { whole: false, ...end }, 100);
		expect(seen).toMatchObject({ ...expected, wholeAt: 0 });
		settleWalk(seen, { whole: true, order: 'oldest', ...end }, 200);
		expect(seen).toMatchObject({ wholeAt: 200, order: 'oldest' });
	});

	test('what exists at the beginning needs no second look', () => {
		const seen = emptyList();
		settleBaseline(seen, { pages: 9, whole: true, newest: 7 }, 100);
		expect(seen).toMatchObject({ confirmed: 7, candidate: 7 });
	});

	test.each<[string, number[], number, number[], number]>([
		['nothing where there is room', [1, 2, 3], 3, [1, 2, 3], 0],
		['the oldest beyond the number', [1, 2, 3, 4], 2, [3, 4], 3],
		['no part of a moment', [1, 2, 2, 2, 4], 2, [2, 2, 2, 4], 2],
		['a part of a moment where it is all too much', [1, 2, 2, 2, 2, 2, 2], 1, [2, 2, 2, 2], 3],
		['what has no date at last', [1, UNDATED], 1, [UNDATED], UNDATED],
	])('forgets %s', (_, moments, most, kept, floor) => {
		const seen = list(Object.fromEntries(moments.map((moment, index) => [`id${index}`, [moment] as Entry])));
		bound(seen, most);
		expect(
			Object.values(seen.entries)
				.map(([created]) => created)
				.sort((a, b) => a - b),
		).toEqual(kept);
		expect(seen.floor).toBe(floor);
	});

	test('compressed to the time of the newest', () => {
		const seen = list({ a: [5], b: [9], c: [UNDATED] });
		compress(seen);
		expect(seen).toMatchObject({ floor: 10, entries: {} });
	});
});

test.each([
	['just now', 0, false, 0],
	['an hour', HOUR, false, HOUR / 4],
	['an hour, finished', HOUR, true, HOUR],
	['a day, finished', DAY, true, undefined],
	['a day', DAY, false, DAY / 4],
	['a month', 30 * DAY, false, undefined],
	// A clock that was set back.
	['the future', -HOUR, false, 0],
])('a run that has been quiet for %s is looked at again', (_, quiet, isFinished, after) => {
	const now = 100 * DAY;
	const look = nextLook({ created: 0, due: 0, quietSince: now - quiet }, isFinished, now);
	expect(look === undefined ? undefined : look - now).toBe(after);
});

describe('what is to be put out', () => {
	const candidate = (created: number, rest: Partial<Candidate> = {}): Candidate => ({
		json: { created },
		created,
		workflowId: 'wf',
		hash: `hash ${created}`,
		entry: [created],
		...rest,
	});

	test('the oldest first, and of equal age as found', () => {
		const [a, b, c, d] = [candidate(3), candidate(1), candidate(3), candidate(2)];
		expect(oldestFirst([a, b, c, d], 3)).toEqual([b, d, a]);
		const kept = [a, b, c, d];
		keepOldest(kept, 2);
		expect(kept).toEqual([b, d]);
	});

	test('is remembered where it belongs, and nowhere once that is forgotten', () => {
		const state = newState('any');
		remember(state, candidate(1));
		expect(state.workflows).toEqual({});
		state.workflows.wf = { runs: emptyList(), watched: createDictionary<WatchedRun>(), resultsFloor: 0 };
		remember(state, candidate(1, { run: { id: 'run_1', status: 'done' } }));
		remember(state, candidate(2, { runId: 'run_1' }));
		state.workflows.wf.watched.run_1 = { created: 0, quietSince: 0, due: 0, results: emptyList() };
		remember(state, candidate(3, { runId: 'run_1' }));
		remember(state, candidate(4, { run: { id: 'run_1', status: 'done' } }));
		expect(Object.keys(state.workflows.wf.runs.entries)).toEqual(['hash 1', 'hash 4']);
		expect(state.workflows.wf.watched.run_1).toMatchObject({
			status: 'done',
			results: { entries: { 'hash 3': [3] } },
		});
	});
});

describe('the state', () => {
	test.each([
		undefined,
		7,
		'',
		'no JSON',
		'[]',
		'{"version":2,"subject":"s"}',
		'{"version":1,"subject":"other"}',
	])('%j is none', (kept) => {
		expect(readState(kept, 's')).toBeUndefined();
	});

	test('comes back as it was written', () => {
		const state = newState('s');
		state.workflows.wf = {
			runs: list({ a: [1, 'done'] }),
			watched: createDictionary<WatchedRun>(),
			resultsFloor: 3,
		};
		expect(readState(writeState(state), 's')).toEqual(state);
	});

	test('stays small, whatever it has seen', () => {
		const state = newState('s');
		const entries = (count: number) =>
			Object.fromEntries(numbers(1, count).map((n) => [shortDigest(n), [n] as Entry]));
		for (const id of ['wf_1', 'wf_2']) {
			const watched = createDictionary<WatchedRun>(
				numbers(1, 800).map((n) => [
					`${id}_${n}`,
					{ created: n, quietSince: n, due: 0, results: list(entries(100)) },
				]),
			);
			state.workflows[id] = { runs: list(entries(9000)), watched, resultsFloor: 0 };
		}
		boundState(state);
		const workflows = Object.values(state.workflows);
		const runs = workflows.flatMap(({ watched }) => Object.values(watched));
		expect(workflows.map((one) => Object.keys(one.runs.entries).length)).toEqual([5000, 5000]);
		expect(runs).toHaveLength(MOST_WATCHED);
		// The quietest go first.
		expect(Math.min(...runs.map(({ quietSince }) => quietSince))).toBe(301);
		const kept = runs.map(({ results }) => Object.keys(results!.entries).length);
		expect(kept.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_ENTRIES);
		// What is forgotten of a list still counts as seen.
		expect(runs.find(({ quietSince }) => quietSince === 301)?.results?.floor).toBe(101);
		expect(writeState(state).length).toBeLessThan(1_000_000);
	});
});

test.each([
	['2026-11-21T10:00:00.123Z', Date.parse('2026-11-21T10:00:00.123Z')],
	['yesterday', UNDATED],
	[undefined, UNDATED],
	[1_700_000_000_000, UNDATED],
])('the moment of %j is %i', (timestamp, moment) => {
	expect(momentOf(timestamp)).toBe(moment);
});

test.each([{ toString: 1, valueOf: 1 }, [{ toString: 1 }], true, null])(
	'an item of a list is read when its ID is %j',
	(id) => {
		const item = listItem({ id, created_at: id } as never, 'req_1');
		expect(item).toMatchObject({ hash: shortDigest(''), created: UNDATED });
	},
);

describe('trouble', () => {
	const now = 50 * HOUR;
	test.each<[string, Trouble | undefined, boolean, boolean]>([
		['what a person has to mend, at first', undefined, false, true],
		['the same within an hour', { since: now - 1000, toldAt: now - 1000 }, false, false],
		['the same after an hour', { since: 0, toldAt: now - HOUR }, false, true],
		['what may pass, at first', undefined, true, false],
		['what has not passed within an hour', { since: now - HOUR + 1 }, true, false],
		['what has lasted for an hour', { since: now - HOUR }, true, true],
		['what was told half an hour ago', { since: 0, toldAt: now - HOUR / 2 }, true, false],
		['what was told an hour ago', { since: 0, toldAt: now - HOUR }, true, true],
	])('%s', (_, before, mayPass, told) => {
		const after = troubleWith(before, mayPass, now);
		expect(after.toldAt === now).toBe(told);
		expect(after.since).toBe(before?.since ?? now);
		if (!told && before?.toldAt !== undefined) expect(after.toldAt).toBe(before.toldAt);
	});
});
