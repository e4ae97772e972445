import { planCampaign, planRepeats } from './plan';

const SHARED = ['s1', 's2', 's3'];
const single = (count: number) => Array.from({ length: count }, (_, i) => `own ${i}`);
const plan = (seed: number, count: number) =>
	planCampaign(seed, count, { shared: SHARED, single: single(count) });

test('the same seed gives the same plan, and another seed another one', () => {
	expect(plan(5, 300)).toEqual(plan(5, 300));
	expect(plan(5, 300)).not.toEqual(plan(6, 300));
});

test.each([0, 1, 2, 7, 500])('%i operations are planned, each in one place', (count) => {
	const { executions, operations } = plan(1, count);
	const placed = executions.flatMap(({ first, second }) => [...first, ...second]);
	expect(operations.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i));
	expect(placed.map(({ id }) => id)).toEqual(operations.map(({ id }) => id));
	expect(new Set(executions.map(({ resumeToken }) => resumeToken)).size).toBe(executions.length);
});

describe('of many executions', () => {
	const { executions, operations } = plan(1, 5000);

	test('each node has operations of one kind, and as many as there are items', () => {
		for (const { first, second } of executions) {
			expect(new Set(first.map(({ kind }) => kind)).size).toBe(1);
			expect(new Set(second.map(({ kind }) => kind)).size).toBeLessThanOrEqual(1);
			expect([0, first.length]).toContain(second.length);
		}
	});

	test('some are of every sort', () => {
		const count = (is: (one: (typeof executions)[number]) => boolean) => executions.filter(is).length;
		const sorts = [
			count(({ shape }) => shape === 'loop'),
			count(({ second }) => second.length > 0),
			count(({ first }) => first.length === 5),
			count(({ settings }) => settings.maxTries !== undefined),
			count(({ settings }) => settings.maxWait === undefined),
			count(({ settings }) => settings.waits),
			...(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const).map((onError) =>
				count(({ settings }) => settings.onError === onError),
			),
			...(['stop', 'kill', 'lost'] as const).map((how) =>
				count(({ interruptions }) => interruptions.some((one) => one.how === how)),
			),
			count(({ interruptions }) => interruptions.length === 2),
		];
		expect(Math.min(...sorts)).toBeGreaterThan(30);
	});

	test('no two operations have one target where items may fail one by one', () => {
		const apart = executions.filter(({ settings }) => settings.onError !== 'stopWorkflow');
		const targets = apart.flatMap(({ first, second }) => [...first, ...second].map(({ target }) => target));
		expect(new Set(targets).size).toBe(targets.length);
		expect(targets.filter((target) => SHARED.includes(target))).toEqual([]);
	});

	test('some operations share their target with others of their node, so that only the key tells them apart', () => {
		const shared = operations.filter(({ kind, target }) => kind === 'run' && SHARED.includes(target));
		expect(shared.length).toBeGreaterThan(500);
	});

	test('failed items are repeated with their keys, per kind', () => {
		const execution = executions.find(
			({ second, first }) => second[0]?.kind === 'run' && first[0].kind === 'create',
		);
		const left = [execution!.first[0], execution!.second[0]].map((operation, i) => ({
			operation,
			key: ['a', undefined][i],
		}));
		const repeats = planRepeats(1, execution!, left);
		expect(repeats.map(({ first, keys }) => [first, keys])).toEqual([
			[[left[0].operation], ['a']],
			[[left[1].operation], [undefined]],
		]);
		expect(planRepeats(1, execution!, left)).toEqual(repeats);
	});
});
