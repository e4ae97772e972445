import { inferWorkflowFields } from '../../../nodes/Prospector/methods/learnFields';

const names = (workflows: object[]) => inferWorkflowFields(workflows as never, 'create').map(({ id }) => id);
const typeOf = (name: string, ...values: unknown[]) =>
	inferWorkflowFields(values.map((value) => ({ [name]: value })) as never, 'create').find(
		({ id }) => id === name,
	)?.type;

describe('the fields to offer', () => {
	test('are name and status in an empty workspace', () => {
		expect(names([])).toEqual(['name', 'status']);
	});

	test('are name and status first, then what the workflows carry, by name', () => {
		expect(names([{ zone: 1, name: 'a' }, { industry: 'x' }, { zone: 2 }])).toEqual([
			'name',
			'status',
			'industry',
			'zone',
		]);
	});

	test('are those that every workflow carries before those that only some do', () => {
		const workflows = [
			{ zone: null, audience: 1, name: 'a' },
			{ zone: 2, budget: 1 },
			{ zone: 3, audience: 2 },
		];
		expect(names(workflows)).toEqual(['name', 'status', 'zone', 'audience', 'budget']);
	});

	test.each(['id', 'object', 'created_at', 'updated_at'])(
		'leave out %s, which only the service sets',
		(name) => {
			expect(names([{ [name]: 'x' }])).toEqual(['name', 'status']);
		},
	);

	test.each([
		['text', ['a'], 'string'],
		['a number', [1, 2.5], 'number'],
		['a boolean', [true], 'boolean'],
		['a list', [[1]], 'array'],
		['an object', [{ a: 1 }], 'object'],
		['a number that is sometimes missing', [null, 1, null], 'number'],
		['nothing yet', [null], 'string'],
		['text here and a number there', ['a', 1], 'string'],
		['a list here and an object there', [[1], {}, [2]], 'string'],
		['a number that was once text', [1, 'a', 2], 'string'],
	])('that hold %s have the fitting type', (_, values, expected) => {
		expect(typeOf('field', ...values)).toBe(expected);
	});

	test.each(['name', 'status'])('keep %s as text whatever a workflow carries', (name) => {
		expect(typeOf(name, 5)).toBe('string');
	});

	test('show name and status from the start for Create and none for Update', () => {
		const removed = (operation: 'create' | 'update') =>
			inferWorkflowFields([{ zone: 1 }], operation).map((field) => field.removed);
		expect(removed('create')).toEqual([false, false, true]);
		expect(removed('update')).toEqual([true, true, true]);
	});

	test('are all optional and never match against existing workflows', () => {
		for (const field of inferWorkflowFields([{ zone: 1 }], 'create')) {
			expect(field).toMatchObject({ required: false, canBeUsedToMatch: false, display: true });
			expect(field.displayName).toBe(field.id);
		}
	});

	test.each(['__proto__', 'constructor', 'toString'])('may be called %s', (name) => {
		const workflow = JSON.parse(`{"${name}": 1}`) as object;
		expect(names([workflow])).toEqual(['name', 'status', name]);
	});
});
