/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { getEventListeners } from 'node:events';
import { withTimeout } from '../../../../nodes/Prospector/transport/request/withTimeout';

// Node.js runs the timers of AbortSignal.timeout() itself, so Jest can't fake them.
let timeouts: jest.SpiedFunction<typeof AbortSignal.timeout>;
beforeEach(() => {
	jest.useFakeTimers();
	timeouts = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), ms);
		return controller.signal;
	});
});
afterEach(() => {
	timeouts.mockRestore();
	jest.useRealTimers();
});

test.each([
	[-1, 0],
	[250.5, 251],
])(
	'withTimeout with a timeout of %d ms aborts a task after %i ms if the task never settles',
	async (timeoutMs, expectedMs) => {
		const beginMs = performance.now();
		const signals: AbortSignal[] = [];
		const ended = withTimeout(timeoutMs, undefined, async (signal) => {
			signals.push(signal);
			return await new Promise<never>((_, reject) => {
				// A failure after the deadline is ignored.
				signal.addEventListener('abort', () => reject(new Error('late')));
			});
		}).then((result) => [result, Math.round(performance.now() - beginMs), signals[0].aborted]);
		await jest.advanceTimersByTimeAsync(1000);
		expect(await ended).toEqual([{ kind: 'timeout', timeoutMs: expectedMs }, expectedMs, true]);
	},
);

test.each([true, false])(
	'withTimeout reports a cancellation if the execution is canceled (before the task starts: %j)',
	async (isBefore) => {
		const cancel = new AbortController();
		if (isBefore) cancel.abort();
		const ended = withTimeout(60_000, cancel.signal, async () => await new Promise<never>(() => {}));
		cancel.abort();
		expect(await ended).toEqual({ kind: 'canceled', wasRequestSent: !isBefore });
	},
);

test('withTimeout removes its listeners when a task ends, and adds only one listener to the signal of the execution for all tasks', async () => {
	const cancel = new AbortController();
	const taskSignals: AbortSignal[] = [];
	const task = async (signal: AbortSignal) => taskSignals.push(signal);
	for (const count of [1, 2, 3]) expect(await withTimeout(60_000, cancel.signal, task)).toBe(count);
	const signals = [...timeouts.mock.results.map(({ value }) => value as AbortSignal), ...taskSignals];
	expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
	expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
	cancel.abort();
	expect(taskSignals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
});
