import fc from 'fast-check';
import { INITIAL_LIST_STATE } from '../../../nodes/Prospector/trigger/listState';
import {
	createState,
	createWorkflowState,
	parseState,
	serializeState,
	type RunState,
	type TriggerState,
} from '../../../nodes/Prospector/trigger/state';
import { TURNS } from '../helpers/support';

const baseline = { serviceMs: 5, n8nMs: 6 };
const listState = { ...INITIAL_LIST_STATE, isNewestFirst: true, isUnfinished: true, isLong: true } as const;
const results = { listState, createdAtMsByHash: new Map([['V1StGXR8', 1]]) };
const runs = new Map<string, RunState>([
	['known', { createdAtMs: 1 }],
	['__proto__', { createdAtMs: 1, seen: '', changedAtMs: 2, nextCheckAtMs: 3, results }],
	['"ü\n', { createdAtMs: 1, ignoreBeforeMs: 4, wasWatchExtended: true }],
	['read', { createdAtMs: 1, seen: '0', areAllResultsNew: true, failingSinceMs: 5 }],
]);
/** Every field occurs. */
const STATE: TriggerState = {
	...{ ...createState('newResult', baseline), overdraft: 3, discovery: { listState, listedAtMs: 8 } },
	workflows: new Map([
		['wf_1', { ...createWorkflowState(baseline), absentSinceMs: 7, runs }],
		['wf_2', { ...createWorkflowState(), runs: new Map([['run', { createdAtMs: 1 }]]) }],
	]),
};

test('parseState returns what serializeState has written, and storedBytes is at least its size in the database', async () => {
	const { stateText, storedBytes } = await serializeState(STATE, TURNS);
	expect(await parseState(stateText, TURNS)).toEqual(STATE);
	expect(storedBytes).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(stateText)));
	expect(stateText.split('\n')).toHaveLength(1 + STATE.workflows.size + runs.size + 1);
});

/** Returns the path of each part of a JSON value. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

test('parseState rejects a damaged state or keeps every stored value unchanged', async () => {
	const lines = (await serializeState(STATE, TURNS)).stateText.split('\n');
	const parts = lines.map((line): unknown => JSON.parse(line));
	const values = fc.constantFrom<unknown>([], {}, [[]], 'x', true, 1.5, 0, -1);
	const paths = fc.constantFrom(...pathsIn(parts).slice(1));
	const property = fc.asyncProperty(paths, values, async (path, value) => {
		const damaged = structuredClone(parts);
		const owner = path
			.slice(0, -1)
			.reduce<object>((inner, key) => Reflect.get(inner, key) as object, damaged);
		Reflect.set(owner, path.at(-1)!, value);
		const text = damaged.map((part) => JSON.stringify(part)).join('\n');
		const parsed = await parseState(text, TURNS);
		if (parsed) expect((await serializeState(parsed, TURNS)).stateText).toBe(text);
	});
	await fc.assert(property, { numRuns: 1000 });
	for (const [index, line] of lines.entries()) {
		for (const damagedLine of [[], [line.slice(0, -1)]]) {
			const damaged = [...lines.slice(0, index), ...damagedLine, ...lines.slice(index + 1)];
			expect(await parseState(damaged.join('\n'), TURNS)).toBeUndefined();
		}
	}
});

test.each([undefined, {}, '', 'text', '["1"]', '{"version":"1"}'])(
	'parseState rejects the value %j',
	async (value) => expect(await parseState(value, TURNS)).toBeUndefined(),
);
