import fc from 'fast-check';
import { Turns } from '../../../nodes/Prospector/transport/turns';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('no step of Turns.map begins more than 8 ms after its turn of the event loop, however long steps take', async () => {
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
