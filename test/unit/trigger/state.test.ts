import fc from 'fast-check';
import { type ListPosition, startPosition } from '../../../nodes/Prospector/transport/list/listPosition';
import {
	newState,
	newWorkflow,
	parseState,
	serializeState,
	type TriggerState,
} from '../../../nodes/Prospector/trigger/state/triggerState';

/** A state in which every field has a value. */
function fullState(): TriggerState {
	const evidence = { newest: true, oldest: false, timestamps: 3, lastMs: 7 };
	const list: ListPosition = {
		marksMs: [1, 2],
		wholeAtMs: 3,
		order: 'oldest',
		tail: { cursor: 'c', firstHash: 'h' },
		unfinished: { startedAtMs: 4, isWhole: true, newestMs: 5, evidence, cursor: 'd' },
		isOpen: true,
		isRejected: true,
	};
	const results = { list, seen: new Map([['toString', 6]]) };
	const run = { createdMs: 1, mark: 'running', changedAtMs: 2, checkAtMs: 3, floorMs: 4, results };
	const workflow = { ...newWorkflow(1, 2), list, isNew: true as const, refusedAtMs: 3 };
	return {
		...newState('newRun'),
		workflows: new Map([
			['__proto__', { ...workflow, runs: new Map([['constructor', run]]) }],
			['wf_1', newWorkflow(8, 9)],
		]),
		shownOffsetMs: 1,
		overdraft: 2,
		listing: { polledAtMs: 1, list: startPosition(0), wholeBeforeMs: 2 },
	};
}

/** Returns every place in a JSON value, as the keys that lead there. */
function places(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

test('the stored state is equal after it was stored and read, with `__proto__` as an ID', () => {
	expect(parseState(serializeState(fullState()))).toEqual(fullState());
});

test.each([undefined, 3, {}, '', '{', 'null', '[]', '{}', '["2"]', '{"version":"1"}'])(
	'a stored state that is %j is not used',
	(text) => expect(parseState(text)).toBeUndefined(),
);

test('a stored state of which any part was replaced is rejected, or has only this change', () => {
	const text = serializeState(fullState());
	const parts = places(JSON.parse(text)).filter((path) => path.length > 0);
	const values = fc.constantFrom<unknown>([], {}, [[]], 'x', true, 1.5);
	fc.assert(
		fc.property(fc.constantFrom(...parts), values, (path, value) => {
			const damaged = JSON.parse(text) as object;
			const owner = path.slice(0, -1).reduce((inner, key) => Reflect.get(inner, key) as object, damaged);
			Reflect.set(owner, path.at(-1)!, value);
			const parsed = parseState(JSON.stringify(damaged));
			if (parsed === undefined) return;
			expect(JSON.parse(serializeState(parsed))).toEqual(damaged);
		}),
		{ numRuns: 1000 },
	);
});
