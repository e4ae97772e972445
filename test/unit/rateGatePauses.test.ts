import { gateScenario } from './gateScenario';
import { settled } from './manualTiming';

const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);

describe('a pause that the service asks of one', () => {
	test('holds all owners, and ends at its very moment', async () => {
		const { come, leave, entered, fates, pass } = gateScenario();
		come('a', {});
		await settled();
		await leave('a', 'accepted');
		come('b', {});
		await settled();
		come('c', {});
		come('d', {});
		await leave('b', 'unsent', { retryAfter: 5000 });
		await pass(4999);
		expect(entered).toEqual(['a', 'b']);
		await pass(1);
		expect(entered).toEqual(['a', 'b', 'c']);
		expect(fates.c).toEqual({ at: 5000, how: 'sent' });
	});

	test('holds those who come later as well', async () => {
		const { come, hold, fates, pass } = gateScenario();
		await hold(5000);
		await pass(4000);
		come('a', {});
		await pass(2000);
		expect(fates.a).toEqual({ at: 5000, how: 'sent' });
	});

	test('is not shortened by a shorter one', async () => {
		const { come, leave, pair, entered, fates, pass } = gateScenario();
		await pair();
		expect(entered).toEqual(['one', 'two']);
		await leave('one', 'unsent', { retryAfter: 9000 });
		await leave('two', 'unsent', { retryAfter: 1000 });
		come('next', {});
		await pass(20_000);
		expect(fates.next).toEqual({ at: 109_000, how: 'sent' });
	});

	test('keeps one sleep only, however many wait', async () => {
		const { come, hold, sleeping, begun, pass, serveAll } = gateScenario();
		await hold(5000);
		for (const name of names('a', 100)) come(name, {});
		await settled();
		expect([sleeping(), begun()]).toEqual([1, 1]);
		await pass(5000);
		await serveAll();
		expect(sleeping()).toBe(0);
	});
});

describe('a full minute', () => {
	/** Ten are let in and the eleventh is refused. */
	async function full() {
		const scenario = gateScenario();
		for (const name of names('a', 11)) {
			scenario.come(name, {});
			await settled();
			await scenario.leave(name, name === 'a10' ? 'refused' : 'accepted');
		}
		return scenario;
	}

	test('is waited out, and no longer', async () => {
		const { come, fates, pass } = await full();
		come('next', {});
		await pass(60_024);
		expect(fates).not.toHaveProperty('next');
		await pass(1);
		expect(fates.next).toEqual({ at: 60_025, how: 'sent' });
	});

	test('holds back at once whom it would hold too long, and by how much', async () => {
		const { come, fates, pass, sleeping } = await full();
		await pass(1000);
		come('impatient', {}, { until: 60_024 });
		come('patient', {}, { until: 60_025 });
		await settled();
		expect(fates.impatient).toEqual({ at: 1000, how: 59_025 });
		expect(fates).not.toHaveProperty('patient');
		await pass(59_025);
		expect(fates.patient).toEqual({ at: 60_025, how: 'sent' });
		expect(sleeping()).toBe(0);
	});
});

describe('what the service tells of its limit', () => {
	test('opens the gate again when it says, where others took the rest', async () => {
		const { come, leave, fates, pass } = gateScenario();
		come('a', {});
		await settled();
		await leave('a', 'accepted', { limit: 60, remaining: 0, reset: 3000 });
		come('b', {});
		await pass(100_000);
		expect(fates.b).toEqual({ at: 3000, how: 'sent' });
	});
});
