import fc from 'fast-check';
import { watched } from '../../../nodes/Prospector/trigger/events/processRun';
import { addEvidence, NO_EVIDENCE, provenOrder } from '../../../nodes/Prospector/trigger/lists/readList';
import { trimState } from '../../../nodes/Prospector/trigger/state/trimState';
import {
	newWorkflow,
	parseState,
	serializeState,
	startPosition,
	type ListPosition,
	type TriggerState,
} from '../../../nodes/Prospector/trigger/state/triggerState';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const newState = (): TriggerState => ({
	version: '1',
	scope: 'newRun',
	since: 1,
	clockOffset: 0,
	workflows: new Map(),
});

/** A state in which every field has a value. */
function fullState(): TriggerState {
	const evidence = { newest: true, oldest: false, timestamps: 3, last: 7 };
	const list: ListPosition = {
		marks: [1, 2],
		wholeAt: 3,
		order: 'oldest',
		tail: { cursor: 'c', firstHash: 'h' },
		unfinished: { startedAt: 4, isWhole: true, newest: 5, evidence, cursor: 'd' },
		isOpen: true,
	};
	const results = { list, seen: new Map([['toString', 6]]) };
	const run = { created: 1, mark: 'running', changedAt: 2, checkAt: 3, floor: 4, results };
	const workflow = { ...newWorkflow(1), list, runs: new Map([['constructor', run]]), goneSince: 9 };
	return {
		...newState(),
		workflows: new Map([['__proto__', workflow]]),
		listing: { polledAt: 1, cursor: 'e' },
	};
}

type Json = Record<string, unknown>;

/** Every place in a JSON value, as the keys that lead there. */
function places(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

describe('stored state', () => {
	test('is equal after it was stored and read', () => {
		const state = fullState();
		expect(serializeState(parseState(serializeState(state))!)).toBe(serializeState(state));
		expect(parseState(serializeState(state))!.workflows.get('__proto__')!.goneSince).toBe(9);
	});

	test.each([undefined, 3, {}, '', '{', 'null', '[]', '{}', '{"version":"2"}'])(
		'that is %j is not used',
		(text) => expect(parseState(text)).toBeUndefined(),
	);

	test('is rejected when any value has another type', () => {
		const text = serializeState(fullState());
		const all = places(JSON.parse(text)).filter((path) => path.length > 0);
		fc.assert(
			fc.property(fc.constantFrom(...all), fc.constantFrom<unknown>(null, [], {}, [[]]), (path, wrong) => {
				const state = JSON.parse(text) as Json;
				const last = path.at(-1)!;
				const owner = path.slice(0, -1).reduce((value, key) => value[key] as Json, state);
				const isEmptyMap = Array.isArray(wrong) && wrong.length === 0 && Array.isArray(owner[last]);
				fc.pre(!isEmptyMap);
				owner[last] = wrong;
				expect(parseState(JSON.stringify(state))).toBeUndefined();
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('a state that is too large', () => {
	test('keeps the newest of 200 runs for each of 3,000 Prospector workflows in less than 1 MB', () => {
		const state = newState();
		for (let index = 0; index < 3000; index++) {
			const workflow = newWorkflow(1);
			for (let run = 0; run < 200; run++) {
				workflow.runs.set(`run_${index}_${run}`, {
					created: run,
					mark: 'running',
					changedAt: run,
					checkAt: run,
				});
			}
			state.workflows.set(`workflow_${index}`, workflow);
		}
		const text = trimState(state);
		expect(text.length).toBeLessThan(1_000_000);
		for (const { runs, floor } of parseState(text)!.workflows.values()) {
			expect([...runs.values()].map(({ created }) => created)).toEqual([199]);
			expect(floor).toBe(199);
		}
	});

	test.each([
		['is read to its end', {}, 5000],
		['has items that were not emitted', { isOpen: true }, 6000],
	])('keeps the runs of a list that %s', (_, list, expected) => {
		const state = newState();
		const workflow = newWorkflow(1);
		workflow.list = { ...startPosition(1), ...list };
		for (let run = 0; run < 6000; run++) workflow.runs.set(`run_${run}`, { created: run });
		state.workflows.set('workflow', workflow);
		const { runs, floor } = parseState(trimState(state))!.workflows.get('workflow')!;
		expect(runs.size).toBe(expected);
		expect(floor).toBe(6000 - expected);
		expect(workflow.runs.size).toBe(6000);
	});

	test('trims only long lists', () => {
		const state = newState();
		for (const size of [10, 8000]) {
			const results = { list: startPosition(1), seen: new Map<string, number>() };
			for (let result = 0; result < size * 2; result++) results.seen.set(`result_${result}`, result);
			const workflow = newWorkflow(1);
			workflow.runs.set('run', { created: 1, checkAt: 1, mark: 'x', results });
			state.workflows.set(`workflow_${size}`, workflow);
		}
		const seen = [...parseState(trimState(state))!.workflows.values()].map(
			({ runs }) => runs.get('run')!.results!.seen.size,
		);
		expect(seen).toEqual([20, 9980]);
	});
});

const numbers = (from: number, to: number) =>
	Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + Math.sign(to - from) * index);

test.each([
	['newest', numbers(20, 1)],
	['oldest', numbers(1, 20)],
	['newest', [20, 20, ...numbers(19, 1), 1]],
	[undefined, [...numbers(1, 20), 3]],
	[undefined, [...numbers(20, 1), undefined]],
	// Too few timestamps can be in order by chance.
	[undefined, numbers(11, 1)],
	['newest', numbers(12, 1)],
	[undefined, Array.from({ length: 50 }, () => 7)],
	[undefined, []],
])('the order %s is proven by the creation times %j', (order, times) => {
	expect(provenOrder(times.reduce(addEvidence, NO_EVIDENCE))).toBe(order);
});

test.each([
	['just now', 'completed', 0, 0],
	['an hour ago', 'running', HOUR, HOUR / 4],
	['an hour ago', 'completed', HOUR, HOUR],
	['a day ago', 'completed', DAY, undefined],
	['a day ago', 'läuft', DAY, DAY / 4],
	['a month ago', 'running', 30 * DAY, undefined],
	// A clock was set back.
	['in an hour', 'running', -HOUR, 0],
])('a run that changed %s and is %s has the expected next check', (_, status, unchanged, wait) => {
	const now = 100 * DAY;
	const { checkAt } = watched({ created: 0 }, status, now - unchanged, now);
	expect(checkAt).toBe(wait === undefined ? undefined : now + wait);
});
