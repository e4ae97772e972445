import type { IDataObject } from 'n8n-workflow';
import { ParameterReader } from '../../../nodes/Prospector/parameters/parameterReader';
import { fakeExecution, NODE } from '../helpers/support';

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, i) => start + i);

/** A reader of a node with two expressions, and the items that were read, by parameter. */
function startReader(read = (name: string, itemIndex: number): unknown => `${name} ${itemIndex}`) {
	const reads: Record<string, number[]> = { constant: [], expression: [], nested: [], missing: [] };
	const parameters = {
		constant: [null, 5, { a: 'b' }],
		expression: '={{ $json.a }}',
		nested: { value: ['a constant', '={{ 1 }}'] },
	};
	const { context } = fakeExecution({
		input: upTo(120).map(() => ({})),
		rest: {
			getNode: () => ({ ...NODE, parameters }),
			getNodeParameter(name: string, itemIndex: number, fallback: unknown) {
				reads[name].push(itemIndex);
				return name === 'missing' ? fallback : read(name, itemIndex);
			},
		},
	});
	return { reader: new ParameterReader(context), reads };
}

test('a parameter is read once when it has no expression', () => {
	const { reader, reads } = startReader();
	expect(upTo(3).map((item) => reader.read('constant', item))).toEqual(Array(3).fill('constant 0'));
	expect(reads.constant).toEqual([0]);
});

test('each item gets the fallback when the parameter is not stored', () => {
	const { reader } = startReader();
	expect(upTo(3).map((item) => reader.read('missing', item, `default ${item}`))).toEqual([
		...['default 0', 'default 1', 'default 2'],
	]);
});

test.each(['expression', 'nested'])('each item gets its own value when the parameter is %s', (name) => {
	const { reader, reads } = startReader();
	const order = [...upTo(60), 119, 52, 1, 118, 50];
	expect(order.map((item) => reader.read(name, item))).toEqual(order.map((item) => `${name} ${item}`));
	// Read in batches of 50 items, and again if another batch has replaced the item's own.
	expect(reads[name]).toEqual([...upTo(100), 119, 52, 1, 118, 50]);
});

test('only the item whose expression throws fails when items are read ahead', () => {
	const { reader } = startReader((_, item) => {
		if (item === 4) throw new Error('not this one');
		return item;
	});
	expect(upTo(4).map((item) => reader.read('expression', item))).toEqual(upTo(4));
	for (let i = 0; i < 2; i++) expect(() => reader.read('expression', 4)).toThrow('not this one');
	expect(upTo(10, 5).map((item) => reader.read('expression', item))).toEqual(upTo(10, 5));
});

test('an option is undefined when it was not added or its collection is no object', () => {
	const optionsOf = (options: unknown) =>
		new ParameterReader(fakeExecution({ parameters: { options } }).context).valuesOf(0);
	const values = optionsOf({ a: undefined, b: 1 });
	expect(['a', 'b', 'c', 'toString'].map((name) => values.option(name))).toEqual([
		...[undefined, 1, undefined, undefined],
	]);
	for (const options of ['text', null, ['a']]) expect(optionsOf(options).option('0')).toBeUndefined();
});

const TOOL = { ...NODE, type: `${NODE.type}Tool` };
const CHAT = { sessionId: 's', action: 'sendMessage', chatInput: 'Go', files: [], user: {} };
const asking = (expression: string, node = TOOL) => ({
	...node,
	parameters: { workflowId: { value: `={{ ${expression} }}` } },
});
const inputOf = (input: IDataObject, node: object, itemIndex = 0) => {
	const { context } = fakeExecution({ input: [input], rest: { getNode: () => node } });
	return new ParameterReader(context).valuesOf(itemIndex).input;
};

test.each<[string, IDataObject, object, IDataObject]>([
	['nothing of a node', { ...CHAT, Workflow: 'wf_1' }, asking("$fromAI('Workflow')", NODE), {}],
	['the chat and the call of a tool', { name: 'A' }, TOOL, { ...CHAT, toolCallId: 'call_1' }],
	['no action that may not come from a chat', { sessionId: 's', action: 'close' }, TOOL, {}],
	['no message that may not come from a chat', { chatInput: 'Go', files: 1 }, TOOL, {}],
	['no field that is not asked for', { Workflow: 1 }, asking("$('Workflow').item.json.id"), {}],
	...[
		"$fromAI('Workflow', 'ID of it', 'string')",
		'$fromAI( `Workflow` )',
		'$fromAI("Workflow")',
		"$fromai('Workflow')",
		"$fromAI('Other') + $fromAI('Workflow')",
	].map((expression): [string, IDataObject, object, IDataObject] => [
		`the value that the model gave for ${expression}`,
		{ name: 'A', workflow: 'x' },
		asking(expression),
		{ Workflow: 'wf_1' },
	]),
])('the reader removes %s when it returns the input item', (_, kept, node, removed) => {
	expect(inputOf({ ...kept, ...removed }, node)).toEqual(kept);
});

test('the input is empty when there is no item', () => {
	expect(inputOf({ a: 1 }, NODE, 5)).toEqual({});
});
