import { gateScenario } from './gateScenario';
import { settled } from './manualTiming';

const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);

describe('those who wait are served', () => {
	test('at once where nothing holds them', async () => {
		const { come, entered, fates, sleeping } = gateScenario();
		come('a', {}, { until: 0 });
		await settled();
		expect(entered).toEqual(['a']);
		expect(fates.a).toEqual({ at: 0, how: 'sent' });
		expect(sleeping()).toBe(0);
	});

	test('in the order in which one owner came', async () => {
		const { come, serveAll, entered } = gateScenario();
		const owner = {};
		for (const name of names('a', 50)) come(name, owner);
		await serveAll();
		expect(entered).toEqual(names('a', 50));
	});

	test('in turns between owners', async () => {
		const { come, serveAll, entered, hold, pass } = gateScenario();
		await hold(1000);
		const [a, b, c] = [{}, {}, {}];
		for (const name of names('a', 4)) come(name, a);
		for (const name of names('b', 2)) come(name, b);
		for (const name of names('c', 3)) come(name, c);
		await pass(1000);
		await serveAll();
		expect(entered).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
	});

	test('next but one where they are one beside an owner with a thousand', async () => {
		const { come, leave, serveAll, entered } = gateScenario();
		const many = {};
		for (const name of names('a', 1000)) come(name, many);
		await settled();
		for (const name of names('a', 10)) await leave(name);
		come('late', {});
		await leave('a10');
		await leave('a11');
		expect(entered.slice(-2)).toEqual(['a11', 'late']);
		await serveAll().catch(() => undefined);
		expect(entered.filter((name) => name !== 'late')).toEqual(entered.filter((name) => name.startsWith('a')));
	});

	test('in turns however often one of them comes back', async () => {
		const { come, leave, entered } = gateScenario();
		const [many, few] = [{}, {}];
		for (const name of names('a', 20)) come(name, many);
		await settled();
		for (let i = 0; i < 6; i++) {
			come(`b${i}`, few);
			await leave(entered[entered.length - 1]);
			await leave(entered[entered.length - 1]);
		}
		expect(entered.slice(0, 7)).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3', 'b2']);
	});

	test('when an answer shows that there is room', async () => {
		const { come, leave, entered } = gateScenario();
		come('a', {});
		come('b', {});
		await settled();
		expect(entered).toEqual(['a']);
		await leave('a');
		expect(entered).toEqual(['a', 'b']);
	});

	test.each(['accepted', 'unsent'] as const)('also after an answer that was %s', async (verdict) => {
		const { come, leave, entered } = gateScenario();
		come('a', {});
		come('b', {});
		await settled();
		await leave('a', verdict);
		expect(entered).toEqual(['a', 'b']);
	});
});
