import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ParameterReader } from '../../../nodes/Prospector/parameters/parameterReader';
import { fakeExecution, NODE } from '../helpers/support';

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, i) => start + i);

/** A reader of a node with two expressions, and the items that were read, by parameter. */
function startReader(
	itemCount: number,
	read = (name: string, itemIndex: number): unknown => `${name} ${itemIndex}`,
) {
	const reads: Record<string, number[]> = { constant: [], expression: [], nested: [], missing: [] };
	const parameters = {
		constant: [null, 5, { a: 'b' }],
		expression: '={{ $json.a }}',
		nested: { value: ['a constant', '={{ 1 }}'] },
	};
	const { context } = fakeExecution({
		input: upTo(itemCount).map(() => ({})),
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

describe('ParameterReader', () => {
	test('reads a parameter without an expression once', () => {
		const { reader, reads } = startReader(3);
		expect(upTo(3).map((item) => reader.read('constant', item))).toEqual(Array(3).fill('constant 0'));
		expect(reads.constant).toEqual([0]);
	});

	test('reads a parameter that is not stored for each item, with its fallback', () => {
		const { reader, reads } = startReader(3);
		expect(upTo(3).map((item) => reader.read('missing', item, `default ${item}`))).toEqual(
			upTo(3).map((item) => `default ${item}`),
		);
		expect(reads.missing).toEqual([0, 1, 2]);
	});

	test.each(['expression', 'nested'])('reads the parameter %s in batches of 50 items, each once', (name) => {
		const { reader, reads } = startReader(120);
		const numbersOfReads = upTo(120).map((item) => {
			expect(reader.read(name, item)).toBe(`${name} ${item}`);
			return reads[name].length;
		});
		expect(numbersOfReads).toEqual(upTo(120).map((item) => [50, 100, 120][Math.floor(item / 50)]));
		expect(reads[name]).toEqual(upTo(120));
	});

	test('returns their own values to items in any order', () => {
		const { reader } = startReader(120);
		const order = [0, 51, 48, 50, 119, 52, 1, 118];
		expect(order.map((item) => reader.read('expression', item))).toEqual(
			order.map((item) => `expression ${item}`),
		);
	});

	test('reads an item again only if another batch has replaced its own', () => {
		const { reader, reads } = startReader(120);
		for (const item of [0, 0, 50, 50, 3, 60]) reader.read('expression', item);
		expect(reads.expression).toEqual([...upTo(100), 3]);
	});

	test('throws for the item whose expression throws, and for no other', () => {
		const { reader } = startReader(10, (_, item) => {
			if (item === 4) throw new Error('not this one');
			return item;
		});
		expect(upTo(4).map((item) => reader.read('expression', item))).toEqual(upTo(4));
		for (let i = 0; i < 2; i++) expect(() => reader.read('expression', 4)).toThrow('not this one');
		expect(upTo(10, 5).map((item) => reader.read('expression', item))).toEqual(upTo(10, 5));
	});

	test('returns nothing for options that an expression left empty, and for options that were not added', () => {
		const valuesOf = (options: unknown) =>
			new ParameterReader(fakeExecution({ parameters: { options } }).context).valuesOf(0);
		const values = valuesOf({ a: undefined, b: 1 });
		const names = ['a', 'b', 'c', 'toString'];
		expect(names.map((name) => values.option(name))).toEqual([undefined, 1, undefined, undefined]);
		for (const options of ['text', null, ['a']]) expect(valuesOf(options).option('0')).toBeUndefined();
	});
});

describe('the input item', () => {
	const TOOL = { ...NODE, type: `${NODE.type}Tool` };
	const CHAT = { sessionId: 's', action: 'sendMessage', chatInput: 'Go', files: [], user: {} };
	const inputOf = (input: IDataObject, node = TOOL, itemIndex = 0) =>
		new ParameterReader(fakeExecution({ input: [input], rest: { getNode: () => node } }).context).valuesOf(
			itemIndex,
		).input;
	const askModel = (expression: string): INodeParameters => ({
		workflowId: { value: `={{ ${expression} }}` },
	});

	test('of a node that is not a tool is complete', () => {
		const input = { ...CHAT, toolCallId: 'call_1', Workflow: 'wf_1' };
		expect(inputOf(input, { ...NODE, parameters: askModel("$fromAI('Workflow')") })).toBe(input);
	});

	test('is empty if there is none', () => {
		expect(inputOf({ a: 1 }, NODE, 5)).toEqual({});
	});

	test('of a tool has no fields of n8n', () => {
		expect(inputOf({ name: 'A', ...CHAT, toolCallId: 'call_1' })).toEqual({ name: 'A' });
	});

	test.each([{ action: 'close' }, { sessionId: 's', action: 'close' }, { chatInput: 'Go', files: 1 }])(
		'of a tool keeps %j, which may not come from a chat',
		(input) => expect(inputOf(input)).toEqual(input),
	);

	test.each([
		"$fromAI('Workflow', 'ID of it', 'string')",
		'$fromAI("Workflow")',
		'$fromAI( `Workflow` )',
		"/*n8n-auto-generated-fromAI-override*/ $fromAI('Workflow', ``, 'string')",
		"$fromai('Workflow')",
		"$fromAI('Other') + $fromAI('Workflow')",
	])('of a tool has no value that the model gave for %s', (expression) => {
		const node = { ...TOOL, parameters: askModel(expression) };
		expect(inputOf({ name: 'A', Workflow: 'wf_1' }, node)).toEqual({ name: 'A' });
	});

	test('of a tool keeps fields that no parameter asks the model for', () => {
		const input = { Workflow: 'wf_1', workflow: 'x' };
		expect(inputOf(input, { ...TOOL, parameters: askModel("$('Workflow').item.json.id") })).toEqual(input);
	});
});
