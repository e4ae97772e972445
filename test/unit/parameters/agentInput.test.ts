import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/Prospector/actions/resources';
import { executeNode } from '../helpers/hostile/attempt';
import { listResponse, itemResponse } from '../helpers/support';

/**
 * What an agent's model may send for each field: the right value in another form works, and whatever does not is
 * answered with words from which the model can correct itself.
 */
interface Sent {
	works: unknown[];
	refused: unknown[];
}

const NOTHING = [undefined, null, ''];
const FINISHED = [
	...['done', 'Done, failed', ['done'], ['done', 'failed'], '["done"]', ' ["done", "failed"]\n'],
	...['```json\n["done"]\n```', 'failed\ndone'],
];
const NO_WORDS = [{ status: 'done' }, [{ status: 'done' }], [['done']], '["done"', '[{"a":1}]', true, [null]];

const byType: Record<string, Sent> = {
	boolean: {
		works: [true, false, 'true', 'False', ' TRUE ', 1, 0, '1', '0', ...NOTHING],
		refused: ['maybe', 2, { value: true }, []],
	},
	number: {
		works: [7, '7', ' 7 ', '7.0'],
		refused: ['seven', 1.5, '7 items', { value: 7 }, [7], true],
	},
	resourceLocator: {
		works: [
			...['x_1', ' x_1 ', 7, '7', '"x_1"'],
			...[{ value: 'x_1' }, { id: 'x_1' }, { id: 7 }, { mode: 'id', value: 'x_1' }],
			...[
				{ __rl: true, mode: 'list', value: 'x_1' },
				{ __rl: true, value: { id: 'x_1' } },
			],
			...['{"value":"x_1"}', '{"id":"x_1"}', '{"__rl":true,"mode":"id","value":"x_1"}'],
		],
		refused: [
			...NOTHING,
			...[['x_1'], {}, { name: 'A' }, { id: 'x_1', name: 'A' }, '{"id":"x_1","name":"A"}', { value: '' }],
			...[true, '[object Object]', 'https://app.example.com/x_1', 'x\n1', '{"id":null}'],
		],
	},
	json: {
		works: [
			{ name: 'A' },
			'{"name":"A"}',
			' {"name":"A"}\n',
			'```json\n{"name":"A"}\n```',
			'```\n{"name":"A"}```',
		],
		refused: [...NOTHING.slice(1), [], [{ name: 'A' }], '[{"name":"A"}]', 'name: A', '"{}"', 5, true],
	},
	resourceMapper: {
		works: [
			...[{ name: 'A' }, '{"name":"A"}', '```json\n{"name":"A"}\n```', { value: { name: 'A' } }],
			...[{ mappingMode: 'defineBelow', value: { name: 'A' } }, { value: '{"name":"A"}' }],
		],
		refused: ['', [], 'name: A', 5, true, { mappingMode: 'defineBelow', value: ['A'] }],
	},
};

const byName: Record<string, Sent> = {
	specifyBody: { works: ['fields', 'json', ...NOTHING], refused: [] },
	idempotencyKey: {
		works: ['day-1', 7],
		refused: ['', ' ', { key: 'x' }, ['x'], true, 'é', 'x'.repeat(256)],
	},
	idempotencyKeyMode: {
		works: ['automatic', 'none', ...NOTHING],
		refused: ['custom', 'Automatic ', { value: 1 }, 5],
	},
	finishedStatuses: {
		works: [...FINISHED, ...NOTHING],
		refused: [' , ', [], '[]', ...NO_WORDS],
	},
	// No wait depends on it: without a word the node's own guess holds.
	'result.getAll.finishedStatuses': {
		works: [...FINISHED, ...NOTHING, ' , ', [], '[]'],
		refused: NO_WORDS,
	},
	failedStatuses: {
		works: ['failed', 'Failed, lost', ['failed'], '["failed", "lost"]', ' , ', [], '[]', 5, ...NOTHING],
		refused: NO_WORDS,
	},
	additionalFields: {
		works: [
			...[{}, [], '{}', '[]', { field: { name: 'a', value: 1 } }, { field: [{ name: 'a', value: 1 }] }],
			...[[{ name: 'a', value: 1 }], '[{"name":"a","value":1}]', '{"field":[{"name":"a","value":1}]}'],
			...['```json\n[{"name":"a","type":"number","value":"1"}]\n```', ...NOTHING],
		],
		refused: [
			...[{ industry: 'Freight' }, { field: ['a'] }, { field: [{ value: 1 }] }, ['a'], '["a"]'],
			...['name: a', 'a', 5, true, '5'],
		],
	},
	startCursor: { works: ['c_1', ...NOTHING], refused: [{ cursor: 'c_1' }, ['c_1'], 7, true] },
	outputFields: {
		works: ['name', 'name, status', 'name\nstatus', ['name'], '["name"]', [], ...NOTHING],
		refused: NO_WORDS,
	},
};

const operations = resources.flatMap(({ option: resource, operations: ofResource }) =>
	ofResource.map(({ option, properties }) => ({
		operation: `${resource.value}.${option.value}`,
		fields: properties.filter(({ type }) => type !== 'collection'),
		options: (properties.find(({ type }) => type === 'collection')?.options ?? []) as INodeProperties[],
	})),
);

/** Every field of every operation that has rows above: by its name, or else by its type. */
const rows = operations.flatMap(({ operation, fields, options }) =>
	[
		...fields.map((field) => ({ field, at: '' })),
		...options.map((field) => ({ field, at: 'options' })),
	].flatMap(({ field, at }) => {
		const sent = byName[`${operation}.${field.name}`] ?? byName[field.name] ?? byType[field.type];
		return sent ? [[operation, field.displayName, field, at, sent] as const] : [];
	}),
);

async function send(operation: string, { name, type }: INodeProperties, at: string, value: unknown) {
	// Only while a run is waited for do some options count.
	const waits = ['failedStatuses', 'finishedStatuses', 'returnResults'].includes(name);
	const others: IDataObject = { maxWait: 1 };
	const set = { [name]: value } as IDataObject;
	const parameters: IDataObject = {
		workflowId: 'wf_1',
		runId: 'run_1',
		specifyBody: type === 'json' ? 'json' : 'fields',
		fields: { name: 'A' },
		waitForCompletion: waits,
		options: at === 'options' ? { ...others, ...set } : others,
		...(at === '' && set),
	};
	const run = itemResponse({ id: 'run_1', status: 'done' });
	const isList = operation.endsWith('getAll');
	// A start, a look, and what was found.
	const waited = operation === 'workflow.run' ? [run, run, listResponse([])] : [run, listResponse([])];
	const { outcome } = await executeNode({
		operation,
		parameters,
		answers: isList ? [listResponse([])] : waits ? waited : [run],
	});
	return outcome;
}

describe.each(rows)('%s gets from an agent for %s', (operation, label, field, at, { works, refused }) => {
	test.each(works.map((value) => [value]))('%j, which works', async (value) => {
		const { message, urls } = await send(operation, field, at, value);
		expect(message).toBeUndefined();
		expect(urls.length).toBeGreaterThan(0);
		if (field.type === 'resourceLocator') expect(urls[0]).toMatch(/\/(x_1|7)(\/|$)/);
	});

	if (refused.length > 0) {
		test.each(refused.map((value) => [value]))('%j, and says what to send instead', async (value) => {
			const { message, description, urls } = await send(operation, field, at, value);
			expect(urls).toEqual([]);
			expect(message).toContain(label.replace(' Mode', ''));
			expect(description).toMatch(/[A-Z].{10}/);
		});
	}
});

test('knows every field of every operation', () => {
	const without = operations
		.flatMap(({ fields, options }) => [...fields, ...options])
		.filter(({ name, type }) => !byName[name] && !byType[type])
		.map(({ name }) => name);
	expect(without).toEqual([]);
});
