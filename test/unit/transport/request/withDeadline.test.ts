import { withDeadline } from '../../../../nodes/Prospector/transport/request/withDeadline';

const never = async () => await new Promise<never>(() => {});

describe('withDeadline', () => {
	test('returns what the task returns', async () => {
		expect(await withDeadline(1000, undefined, async () => 7)).toBe(7);
	});

	test('throws what the task throws', async () => {
		const failing = async () => await Promise.reject(new Error('broken'));
		await expect(withDeadline(1000, undefined, failing)).rejects.toThrow('broken');
	});

	test('ends at the deadline if the task never settles, and aborts its signal', async () => {
		let signal: AbortSignal | undefined;
		const result = await withDeadline(20, new AbortController().signal, async (given) => {
			signal = given;
			return await never();
		});
		expect(result).toBe('timedOut');
		expect(signal?.aborted).toBe(true);
	});

	test.each([0.5, 0, -1])('accepts a timeout of %d milliseconds', async (timeout) => {
		expect(await withDeadline(timeout, undefined, never)).toBe('timedOut');
	});

	test('ends when the execution is canceled', async () => {
		const execution = new AbortController();
		const result = withDeadline(60_000, execution.signal, never);
		execution.abort();
		expect(await result).toBe('canceled');
	});

	test('does not start the task if the execution is already canceled', async () => {
		const task = jest.fn(never);
		expect(await withDeadline(60_000, AbortSignal.abort(), task)).toBe('canceled');
		expect(task).not.toHaveBeenCalled();
	});

	test('ignores a task that throws after the deadline', async () => {
		const failLater = async (signal: AbortSignal) =>
			await new Promise<never>((_, reject) =>
				signal.addEventListener('abort', () => reject(new Error('late'))),
			);
		expect(await withDeadline(10, undefined, failLater)).toBe('timedOut');
	});

	test('adds one listener to a signal that many tasks share', async () => {
		const warnings: Error[] = [];
		const collect = (warning: Error) => void warnings.push(warning);
		process.on('warning', collect);
		const execution = new AbortController();
		const tasks = Array.from(
			{ length: 100 },
			async () => await withDeadline(60_000, execution.signal, never),
		);
		execution.abort();
		expect(new Set(await Promise.all(tasks))).toEqual(new Set(['canceled']));
		await new Promise((resolve) => setImmediate(resolve));
		process.off('warning', collect);
		expect(warnings).toEqual([]);
	});
});
