import { planCampaign, planRepeats, type PlannedExecution } from './plan';

const SHARED = ['s1', 's2', 's3'];
const plan = (seed: number, count: number) =>
	planCampaign(seed, count, {
		shared: SHARED,
		single: Array.from({ length: count }, (_, i) => `single ${i}`),
	});
const operationsOf = ({ first, second }: PlannedExecution) => [...first, ...second];

test('plans the same for the same seed, and something else for another seed', () => {
	expect(plan(5, 300)).toEqual(plan(5, 300));
	expect(plan(5, 300)).not.toEqual(plan(6, 300));
});

test.each([0, 1, 2, 7, 500])('plans %i operations, each in one execution', (count) => {
	const { executions, operations } = plan(1, count);
	expect(operations.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i));
	expect(executions.flatMap(operationsOf)).toEqual(operations);
	expect(new Set(executions.map(({ resumeToken }) => resumeToken)).size).toBe(executions.length);
});

describe('a plan with 5,000 operations', () => {
	const { executions, operations } = plan(1, 5000);

	test('has one kind of operation per node, and as many in the second node as in the first', () => {
		for (const { first, second } of executions) {
			expect(new Set(first.map(({ kind }) => kind)).size).toBe(1);
			expect(new Set(second.map(({ kind }) => kind)).size).toBeLessThanOrEqual(1);
			expect([0, first.length]).toContain(second.length);
		}
	});

	test.each<[string, (execution: PlannedExecution) => boolean]>([
		['loops', ({ shape }) => shape === 'loop'],
		['two nodes', ({ second }) => second.length > 0],
		['five items', ({ first }) => first.length === 5],
		['Retry On Fail', ({ settings }) => settings.maxTries !== undefined],
		['the default Retry For', ({ settings }) => settings.retryForSeconds === undefined],
		['Run and Get Results', ({ settings }) => settings.getResults],
		['keys of the user', ({ keys }) => Object.keys(keys).length > 0],
		[
			'keys of the node under Continue',
			({ keys, settings }) => settings.onError !== 'stopWorkflow' && Object.keys(keys).length === 0,
		],
		['stopWorkflow', ({ settings }) => settings.onError === 'stopWorkflow'],
		['continueRegularOutput', ({ settings }) => settings.onError === 'continueRegularOutput'],
		['continueErrorOutput', ({ settings }) => settings.onError === 'continueErrorOutput'],
		['two interruptions', ({ interruptions }) => interruptions.length === 2],
		['a stop', ({ interruptions }) => interruptions.some(({ how }) => how === 'stop')],
		['a kill', ({ interruptions }) => interruptions.some(({ how }) => how === 'kill')],
		['a loss', ({ interruptions }) => interruptions.some(({ how }) => how === 'lost')],
	])('contains more than 30 executions with %s', (_, matches) => {
		expect(executions.filter(matches).length).toBeGreaterThan(30);
	});

	test('has unique targets where items can fail one by one, and shared ones elsewhere', () => {
		const [whole, itemwise] = [true, false].map((isWhole) =>
			executions
				.filter(({ settings }) => (settings.onError === 'stopWorkflow') === isWhole)
				.flatMap(operationsOf)
				.map(({ target }) => target),
		);
		expect(new Set(itemwise).size).toBe(itemwise.length);
		expect(itemwise.filter((target) => SHARED.includes(target))).toEqual([]);
		expect(whole.filter((target) => SHARED.includes(target)).length).toBeGreaterThan(500);
		expect(operations).toHaveLength(whole.length + itemwise.length);
	});

	test('has a key of its own for each operation under Continue that n8n or the user repeats', () => {
		const executionsWithKeys = executions.filter(({ keys }) => Object.keys(keys).length > 0);
		for (const execution of executionsWithKeys) {
			expect(execution.settings.onError).not.toBe('stopWorkflow');
			expect(Object.keys(execution.keys)).toEqual(operationsOf(execution).map(({ id }) => String(id)));
		}
		const keys = executionsWithKeys.flatMap((execution) => Object.values(execution.keys));
		expect(new Set(keys).size).toBe(keys.length);
	});

	test('repeats failed items with their keys, in one execution per kind', () => {
		const execution = executions.find(
			({ first, second }) => second[0]?.kind === 'run' && first[0].kind === 'create',
		)!;
		const [created, started] = [execution.first[0], execution.second[0]];
		const repeats = planRepeats(1, execution, [
			{ operation: created, key: 'a' },
			{ operation: started, key: undefined },
		]);
		expect(repeats.map(({ first }) => first)).toEqual([[created], [started]]);
		expect(repeats[0].keys).toEqual({ [created.id]: 'a' });
		expect(Object.values(repeats[1].keys)).not.toContain('a');
		expect(new Set([execution, ...repeats].map(({ name }) => name)).size).toBe(3);
	});
});
