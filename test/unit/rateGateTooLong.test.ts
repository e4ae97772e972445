import { gateScenario } from './gateScenario';
import { settled } from './manualTiming';

describe('whoever would wait too long', () => {
	test.each([
		[4999, 5000],
		[0, 5000],
		[5000, 'sent'],
		[Infinity, 'sent'],
	])('with %d ms at most, where it opens after 5000, is told at once (%j)', async (until, how) => {
		const { come, hold, pass, fates, sleeping } = gateScenario();
		await hold(5000);
		come('a', {}, { until });
		await settled();
		expect(fates.a).toEqual(how === 'sent' ? undefined : { at: 0, how });
		expect(sleeping()).toBe(how === 'sent' ? 1 : 0);
		await pass(5000);
		expect(fates.a.how).toBe(how);
	});

	test('is sent away as soon as that turns out, and the others stay', async () => {
		const { come, leave, fates, pass } = gateScenario();
		const owner = {};
		come('a', {});
		come('b', owner, { until: 3000 });
		come('c', owner, { until: 9000 });
		await pass(1000);
		expect(fates).not.toHaveProperty('b');
		await leave('a', 'unsent', { retryAfter: 5000 });
		expect(fates.b).toEqual({ at: 1000, how: 5000 });
		await pass(5000);
		expect(fates.c).toEqual({ at: 6000, how: 'sent' });
	});

	test('leaves no sleep behind that was begun for it', async () => {
		const { gate, come, leave, pair, fates, sleeping } = gateScenario();
		await pair();
		await leave('one', 'unsent', { retryAfter: 5000 });
		come('a', {}, { until: 107_000 });
		await settled();
		expect(sleeping()).toBe(1);
		await leave('two', 'unsent', { retryAfter: 60_000 });
		expect(fates.a).toEqual({ at: 100_000, how: 60_000 });
		expect(gate.idleFrom()).toBe(160_000);
		expect(sleeping()).toBe(0);
	});
});
