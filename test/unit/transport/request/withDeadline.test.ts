import { getEventListeners } from 'node:events';
import { withDeadline } from '../../../../nodes/Prospector/transport/request/withDeadline';

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
	[-1, 100],
	[0, 100],
	[100, 100],
	[250, 250],
	[250.5, 251],
])('a deadline of %d ms ends the task after %i ms', async (timeout, expected) => {
	const begin = performance.now();
	const hang = async () => await new Promise<never>(() => {});
	const ended = withDeadline(timeout, undefined, hang).then((result) => [
		result,
		Math.round(performance.now() - begin),
	]);
	await jest.advanceTimersByTimeAsync(1000);
	expect(await ended).toEqual([{ kind: 'timeout', timeoutMs: expected }, expected]);
});

test('a canceled task has no timeout', async () => {
	const cancel = new AbortController();
	const ended = withDeadline(60_000, cancel.signal, async () => await new Promise<never>(() => {}));
	cancel.abort();
	expect(await ended).toEqual({ kind: 'canceled' });
});

test('a task that ended leaves nothing behind that keeps its signals in memory', async () => {
	const cancel = new AbortController();
	expect(await withDeadline(60_000, cancel.signal, async () => 'done')).toBe('done');
	const signals = [timeouts.mock.results[0].value as AbortSignal, cancel.signal];
	expect(signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[], []]);
});
