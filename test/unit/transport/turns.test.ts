import fc from 'fast-check';
import { Turns } from '../../../nodes/Prospector/transport/turns';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('Turns.map begins no step later than 8 ms into a turn of the event loop, however long steps take', async () => {
	const stepsMs = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 });
	const callers = fc.array(stepsMs, { minLength: 1, maxLength: 3 });
	await fc.assert(
		fc.asyncProperty(callers, async (durations) => {
			let nowMs = 0;
			let turnStartMs = 0;
			let openCallers = durations.length;
			const startsMs: number[] = [];
			const turns = new Turns({ now: () => nowMs });
			for (const caller of durations) {
				const steps = turns.map(caller, (ms) => {
					startsMs.push(nowMs - turnStartMs);
					nowMs += ms;
				});
				void steps.then(() => openCallers--);
			}
			while (openCallers > 0) {
				// Timers of the same time are a turn.
				turnStartMs = nowMs;
				await jest.advanceTimersToNextTimerAsync();
			}
			expect(startsMs).toHaveLength(durations.flat().length);
			expect(Math.max(0, ...startsMs)).toBeLessThanOrEqual(8);
		}),
	);
});

test('Turns.sort orders a list of any length as Array.sort does: equal items keep their order', async () => {
	const turns = new Turns({ now: () => 0 });
	const keyPattern = fc.array(fc.nat(50), { minLength: 1, maxLength: 5 });
	await fc.assert(
		fc.asyncProperty(keyPattern, fc.nat(4000), async (keys, count) => {
			const items = Array.from({ length: count }, (_, index) => ({ index, key: keys[index % keys.length] }));
			const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;
			const sorted = await turns.sort(items, byKey);
			expect(sorted.map(({ index }) => index)).toEqual([...items].sort(byKey).map(({ index }) => index));
		}),
		{ numRuns: 30, seed: 1 },
	);
});
