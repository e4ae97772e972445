import { flushPromises } from '../../helpers/manualTiming';
import { leastProcessorTime, processorTime } from '../../../processorTime';
import { limiterScenario, names } from '../../helpers/limiterScenario';

describe('waiting requests', () => {
	test('are permitted at once when nothing limits them, without a timer', async () => {
		const { acquire, sent, results, begun } = limiterScenario();
		for (const name of names('a', 5)) acquire(name, {}, { deadline: 0 });
		await flushPromises();
		expect(sent).toEqual(names('a', 5));
		expect(results.a0).toEqual({ at: 0, result: 'sent' });
		expect(begun()).toBe(0);
	});

	test('keep their order within a queue', async () => {
		const { acquire, releaseAll, sent } = limiterScenario();
		const queueKey = {};
		for (const name of names('a', 50)) acquire(name, queueKey);
		await releaseAll();
		expect(sent).toEqual(names('a', 50));
	});

	test('are served in turns between queues', async () => {
		const { acquire, releaseAll, sent, pause, pass } = limiterScenario();
		await pause(1000);
		const [a, b, c] = [{}, {}, {}];
		for (const name of names('a', 4)) acquire(name, a);
		for (const name of names('b', 2)) acquire(name, b);
		for (const name of names('c', 3)) acquire(name, c);
		await pass(1000);
		await releaseAll();
		expect(sent).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
	});

	test('are next but one when they are alone beside a queue of a thousand', async () => {
		const { acquire, release, sent, fill } = limiterScenario();
		await fill();
		const many = {};
		for (const name of names('a', 1000)) acquire(name, many);
		await release('filling0');
		acquire('late', {});
		await release('filling1');
		await release('filling2');
		expect(sent).toEqual(['a0', 'a1', 'late']);
	});

	test('are served in turns however often one queue comes back', async () => {
		const { acquire, release, sent, fill } = limiterScenario();
		await fill();
		const [many, few] = [{}, {}];
		for (const name of names('a', 20)) acquire(name, many);
		for (let i = 0; i < 6; i++) {
			acquire(`b${i}`, few);
			await release(i === 0 ? 'filling0' : sent[sent.length - 2]);
			await release(sent[sent.length - 1]);
		}
		expect(sent.slice(0, 7)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3']);
	});

	test.each(['counted', 'notSent'] as const)('are permitted when a request was %s', async (quotaUse) => {
		const { acquire, release, sent, fill } = limiterScenario();
		await fill();
		acquire('a', {});
		await flushPromises();
		expect(sent).toEqual([]);
		await release('filling0', quotaUse);
		expect(sent).toEqual(['a']);
	});

	test('are all served in linear time when they are 20,000', async () => {
		const serve = async (count: number) => {
			const { acquire, sent, fill, release, releaseAll } = limiterScenario();
			await fill();
			const queueKey = {};
			for (let i = 0; i < count; i++) acquire(`a${i}`, queueKey);
			await release('filling0');
			await releaseAll();
			expect(sent).toHaveLength(count);
		};
		await serve(2000);
		const fewMs = await processorTime(async () => await serve(4000));
		const limitMs = Math.max(fewMs, 50) * 15;
		expect(await leastProcessorTime(async () => await serve(20_000), limitMs)).toBeLessThan(limitMs);
	});
});

describe('the deadline of a waiting request', () => {
	test.each([
		[4999, 5000],
		[0, 5000],
		[5000, 'sent'],
		[Infinity, 'sent'],
	])(
		'of %d ms rejects it at once when requests are paused for 5000 ms and longer (%j)',
		async (deadline, result) => {
			const { acquire, pause, pass, results, sleeping } = limiterScenario();
			await pause(5000);
			acquire('a', {}, { deadline });
			await flushPromises();
			expect(results.a).toEqual(result === 'sent' ? undefined : { at: 0, result });
			expect(sleeping()).toBe(result === 'sent' ? 1 : 0);
			await pass(5000);
			expect(results.a.result).toBe(result);
			expect(sleeping()).toBe(0);
		},
	);

	test('is kept when all requests in flight hang', async () => {
		const { acquire, fill, pass, results, sleeping } = limiterScenario();
		await fill();
		acquire('half a second', {}, { deadline: 500 });
		acquire('five seconds', {}, { deadline: 5000 });
		acquire('twenty seconds', {}, { deadline: 20_000 });
		await pass(30_000);
		expect(results['half a second']).toEqual({ at: 500, result: 1 });
		expect(results['five seconds']).toEqual({ at: 5000, result: 1 });
		// Requests in flight for 10 s no longer delay others.
		expect(results['twenty seconds']).toEqual({ at: 10_000, result: 'sent' });
		expect(sleeping()).toBe(0);
	});

	test('is kept when it is earlier than that of a request that waits longer', async () => {
		const { acquire, fill, pass, results } = limiterScenario();
		await fill();
		acquire('patient', {});
		await pass(100);
		acquire('impatient', {}, { deadline: 300 });
		await pass(200);
		expect(results.impatient).toEqual({ at: 300, result: 1 });
	});

	test('rejects it as soon as a response shows that it is too early', async () => {
		const { acquire, fill, release, pass, results } = limiterScenario();
		await fill();
		const queueKey = {};
		acquire('b', queueKey, { deadline: 3000 });
		acquire('c', queueKey, { deadline: 9000 });
		await pass(1000);
		expect(results).toEqual({});
		await release('filling0', 'notSent', { retryAfter: 5000 });
		expect(results.b).toEqual({ at: 1000, result: 5000 });
		await pass(5000);
		expect(results.c).toEqual({ at: 6000, result: 'sent' });
	});
});

describe('a full window', () => {
	/** Ten requests are accepted and the eleventh is rejected. */
	async function full() {
		const scenario = limiterScenario();
		for (const name of names('a', 11)) {
			scenario.acquire(name, {});
			await flushPromises();
			await scenario.release(name, name === 'a10' ? 'rejected' : 'counted');
		}
		return scenario;
	}

	test('delays requests until 61 s after the first', async () => {
		const { acquire, results, pass } = await full();
		acquire('next', {});
		await pass(60_999);
		expect(results).not.toHaveProperty('next');
		await pass(1);
		expect(results.next).toEqual({ at: 61_000, result: 'sent' });
	});

	test('rejects a request with an earlier deadline at once and says how long it would take', async () => {
		const { acquire, results, pass, sleeping } = await full();
		await pass(1000);
		acquire('impatient', {}, { deadline: 60_999 });
		acquire('patient', {}, { deadline: 61_000 });
		await flushPromises();
		expect(results.impatient).toEqual({ at: 1000, result: 60_000 });
		expect(results).not.toHaveProperty('patient');
		await pass(60_000);
		expect(results.patient).toEqual({ at: 61_000, result: 'sent' });
		expect(sleeping()).toBe(0);
	});
});

describe('Retry-After', () => {
	test('pauses all queues until its very end', async () => {
		const { acquire, fill, release, sent, results, pass } = limiterScenario();
		await fill();
		acquire('a', {});
		acquire('b', {});
		await release('filling0', 'notSent', { retryAfter: 5000 });
		await pass(4999);
		expect(sent).toEqual([]);
		await pass(1);
		expect(results.a).toEqual({ at: 5000, result: 'sent' });
	});

	test('pauses requests that come later, too', async () => {
		const { acquire, pause, results, pass } = limiterScenario();
		await pause(5000);
		await pass(4000);
		acquire('a', {});
		await pass(2000);
		expect(results.a).toEqual({ at: 5000, result: 'sent' });
	});

	test('is not shortened by a shorter one', async () => {
		const { acquire, fill, release, results, pass } = limiterScenario();
		await fill();
		await release('filling0', 'notSent', { retryAfter: 9000 });
		await release('filling1', 'notSent', { retryAfter: 1000 });
		acquire('a', {});
		await pass(20_000);
		expect(results.a).toEqual({ at: 9000, result: 'sent' });
	});

	test('needs one timer however many requests wait', async () => {
		const { acquire, pause, sleeping, begun, pass, releaseAll } = limiterScenario();
		await pause(900);
		for (const name of names('a', 100)) acquire(name, {});
		await flushPromises();
		expect([sleeping(), begun()]).toEqual([1, 1]);
		await pass(900);
		await releaseAll();
		expect(sleeping()).toBe(0);
	});
});

describe('a canceled execution', () => {
	test('is not permitted to send when it was canceled before', async () => {
		const { acquire, results, sleeping } = limiterScenario();
		acquire('a', {}, { signal: AbortSignal.abort() });
		await flushPromises();
		expect(results.a).toEqual({ at: 0, result: 'canceled' });
		expect(sleeping()).toBe(0);
	});

	test('stops waiting at once and leaves no timer and no listener', async () => {
		const { acquire, results, pause, pass, sleeping, sent } = limiterScenario();
		const { signal, abort, listeners } = spiedSignal();
		await pause(60_000);
		for (const name of names('a', 100)) acquire(name, {}, { signal });
		await pass(1000);
		expect([sleeping(), listeners()]).toEqual([1, 1]);
		abort();
		await flushPromises();
		expect(Object.values(results)).toEqual(new Array(100).fill({ at: 1000, result: 'canceled' }));
		expect([sleeping(), listeners()]).toEqual([0, 0]);
		await pass(100_000);
		expect(sent).toEqual([]);
	});

	test('leaves other requests of its queue and of other queues waiting', async () => {
		const { acquire, releaseAll, sent, results, pause, pass, sleeping } = limiterScenario();
		const controller = new AbortController();
		const queueKey = {};
		await pause(1000);
		acquire('a0', queueKey);
		for (const name of names('canceled', 100)) acquire(name, queueKey, { signal: controller.signal });
		acquire('b', {});
		acquire('a1', queueKey, { signal: new AbortController().signal });
		await pass(500);
		controller.abort();
		await flushPromises();
		expect(Object.values(results)).toEqual(new Array(100).fill({ at: 500, result: 'canceled' }));
		expect(sleeping()).toBe(1);
		await pass(500);
		await releaseAll();
		expect(sent).toEqual(['a0', 'b', 'a1']);
	});

	test('keeps no listener for requests that were permitted or throttled', async () => {
		const { acquire, fill, release, pause } = limiterScenario();
		const { signal, listeners } = spiedSignal();
		acquire('at once', {}, { signal });
		await flushPromises();
		await release('at once');
		await fill();
		acquire('later', {}, { signal });
		expect(listeners()).toBe(1);
		await release('filling0');
		expect(listeners()).toBe(0);
		await release('later');
		await pause(1000);
		acquire('throttled', {}, { deadline: 999, signal });
		expect(listeners()).toBe(0);
	});
});

describe('after a failed request', () => {
	test('the next requests are permitted a moment later', async () => {
		const { acquire, fill, release, pass, results } = limiterScenario();
		await fill();
		acquire('a', {});
		await release('filling0', 'counted', undefined, true);
		expect(results).toEqual({});
		await pass(1);
		expect(results.a).toEqual({ at: 1, result: 'sent' });
	});

	test('requests that it cancels in that moment are not permitted', async () => {
		const { acquire, fill, release, pass, results, sent, sleeping } = limiterScenario();
		const controller = new AbortController();
		await fill();
		acquire('a', {}, { signal: controller.signal });
		await release('filling0', 'counted', undefined, true);
		controller.abort();
		acquire('b', {});
		await pass(10);
		expect(results.a.result).toBe('canceled');
		expect(sent).toEqual(['b']);
		expect(sleeping()).toBe(0);
	});
});

/** A signal that counts its listeners. */
function spiedSignal() {
	const controller = new AbortController();
	const { signal } = controller;
	let count = 0;
	const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
	signal.addEventListener = (...rest: Parameters<typeof add>) => {
		count++;
		add(...rest);
	};
	signal.removeEventListener = (...rest: Parameters<typeof remove>) => {
		count--;
		remove(...rest);
	};
	return { signal, abort: () => controller.abort(), listeners: () => count };
}
