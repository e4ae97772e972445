import { gateScenario } from './gateScenario';
import { settled } from './manualTiming';

describe('an execution that is stopped', () => {
	test('before it comes is not let in', async () => {
		const { come, fates, gate, sleeping } = gateScenario();
		come('a', {}, { signal: AbortSignal.abort() });
		await settled();
		expect(fates.a).toEqual({ at: 0, how: 'stopped' });
		expect(gate.idleFrom()).toBe(0);
		expect(sleeping()).toBe(0);
	});

	test('while it waits leaves at once, and nothing keeps running for it', async () => {
		const { come, fates, hold, pass, gate, sleeping, entered } = gateScenario();
		const stop = new AbortController();
		await hold(60_000);
		come('a', {}, { signal: stop.signal });
		await pass(1000);
		expect(sleeping()).toBe(1);
		expect(gate.idleFrom()).toBe(Infinity);
		stop.abort();
		await settled();
		expect(fates.a).toEqual({ at: 1000, how: 'stopped' });
		expect(sleeping()).toBe(0);
		expect(gate.idleFrom()).toBe(60_000);
		await pass(100_000);
		expect(entered).toEqual([]);
	});

	test('takes all of its own away, and nobody else’s', async () => {
		const { come, serveAll, entered, fates, hold, pass, sleeping } = gateScenario();
		const stop = new AbortController();
		const owner = {};
		await hold(1000);
		for (let i = 0; i < 100; i++) come(`a${i}`, owner, { signal: stop.signal });
		come('b', {});
		come('c', owner, { signal: new AbortController().signal });
		await pass(500);
		stop.abort();
		await settled();
		expect(Object.values(fates)).toEqual(new Array(100).fill({ at: 500, how: 'stopped' }));
		expect(sleeping()).toBe(1);
		await pass(500);
		await serveAll();
		expect(entered).toEqual(['c', 'b']);
	});

	test('takes away one of several of an owner, whose order stays', async () => {
		const { come, serveAll, entered, hold, pass } = gateScenario();
		const stop = new AbortController();
		const owner = {};
		await hold(1000);
		come('a0', owner);
		come('a1', owner, { signal: stop.signal });
		come('a2', owner);
		stop.abort();
		await pass(1000);
		await serveAll();
		expect(entered).toEqual(['a0', 'a2']);
	});

	test('while another’s answer is awaited leaves at once', async () => {
		const { come, leave, fates, entered } = gateScenario();
		const stop = new AbortController();
		come('a', {});
		come('b', {}, { signal: stop.signal });
		await settled();
		stop.abort();
		await settled();
		expect(fates.b).toEqual({ at: 0, how: 'stopped' });
		await leave('a');
		expect(entered).toEqual(['a']);
	});

	test('after it was let in changes nothing at the gate, and leaves no listener behind', async () => {
		const { come, leave, entered } = gateScenario();
		const { signal, abort } = spiedSignal();
		come('a', {}, { signal });
		await settled();
		expect(signal.listeners).toBe(0);
		abort();
		await leave('a');
		come('b', {});
		await settled();
		expect(entered).toEqual(['a', 'b']);
	});

	test('leaves no listener behind where it was held back', async () => {
		const { come, hold } = gateScenario();
		const { signal } = spiedSignal();
		await hold(1000);
		come('a', {}, { until: 999, signal });
		expect(signal.listeners).toBe(0);
	});
});

describe('after a failure', () => {
	test('the others go a moment later', async () => {
		const { come, leave, pass, fates } = gateScenario();
		come('a', {});
		come('b', {});
		await settled();
		await leave('a', 'accepted', undefined, true);
		expect(fates).not.toHaveProperty('b');
		await pass(1);
		expect(fates.b).toEqual({ at: 1, how: 'sent' });
	});

	test('those do not go that it stops in that moment', async () => {
		const { come, leave, pass, fates, entered, sleeping } = gateScenario();
		const stop = new AbortController();
		come('a', {});
		come('b', {}, { signal: stop.signal });
		come('c', {});
		await settled();
		await leave('a', 'accepted', undefined, true);
		stop.abort();
		await pass(10);
		expect(fates.b.how).toBe('stopped');
		expect(entered).toEqual(['a', 'c']);
		expect(sleeping()).toBe(0);
	});
});

/** A signal that counts who listens to it. */
function spiedSignal() {
	const controller = new AbortController();
	const { signal } = controller;
	const spied = Object.assign(signal, { listeners: 0 });
	const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
	spied.addEventListener = (...rest: Parameters<typeof add>) => {
		spied.listeners++;
		add(...rest);
	};
	spied.removeEventListener = (...rest: Parameters<typeof remove>) => {
		spied.listeners--;
		remove(...rest);
	};
	return { signal: spied, abort: () => controller.abort() };
}
