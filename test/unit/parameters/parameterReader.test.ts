import type { IDataObject } from 'n8n-workflow';
import { ParameterReader } from '../../../nodes/Prospector/parameters/parameterReader';
import { fakeExecution, NODE, TOOL, TURNS } from '../helpers/support';

/** A reader of a node with two expressions, and the items that were read, by parameter. */
function startReader() {
	const reads: Record<string, number[]> = { constant: [], expression: [], nested: [], missing: [] };
	const parameters = {
		constant: [null, 5, { a: 'b' }],
		expression: '={{ $json.a }}',
		nested: { value: ['a constant', '={{ 1 }}'] },
	};
	const { context } = fakeExecution({
		rest: {
			getNode: () => ({ ...NODE, parameters }),
			getNodeParameter(name: string, itemIndex: number, fallback: unknown) {
				reads[name].push(itemIndex);
				return name === 'missing' ? fallback : `${name} ${itemIndex}`;
			},
		},
	});
	return { reader: new ParameterReader(context, TURNS), reads };
}

test('the parameter reader reads a parameter once for all items if the parameter has no expression', () => {
	const { reader, reads } = startReader();
	expect([0, 1, 2].map((item) => reader.read('constant', item))).toEqual(Array(3).fill('constant 0'));
	expect(reads.constant).toEqual([0]);
});

test('the parameter reader returns the fallback for each item if the node does not store the parameter', () => {
	const { reader } = startReader();
	expect([0, 1, 2].map((item) => reader.read('missing', item, `default ${item}`))).toEqual([
		...['default 0', 'default 1', 'default 2'],
	]);
});

test('the parameter reader returns an option only if the options are an object that contains the option', () => {
	const optionsOf = (options: unknown) =>
		new ParameterReader(fakeExecution({ parameters: { options } }).context, TURNS).rawParameters(0);
	const values = optionsOf({ a: undefined, b: 1 });
	expect(['a', 'b', 'c', 'toString'].map((name) => values.getOption(name))).toEqual([
		...[undefined, 1, undefined, undefined],
	]);
	for (const options of ['text', null, ['a']]) expect(optionsOf(options).getOption('0')).toBeUndefined();
});

const CHAT = { sessionId: 's', action: 'sendMessage', chatInput: 'Go', files: [], user: {} };
const asking = (expression: string, node = TOOL) => ({
	...node,
	parameters: { workflowId: { value: `={{ ${expression} }}` } },
});
const inputOf = (input: IDataObject, node: object) => {
	const { context } = fakeExecution({ input: [input], rest: { getNode: () => node } });
	return new ParameterReader(context, TURNS).rawParameters(0).input;
};

test.each<[string, IDataObject, object, IDataObject]>([
	[
		'keeps each field of an item if the node is not a tool',
		{ ...CHAT, Workflow: 'wf_1' },
		asking("$fromAI('Workflow')", NODE),
		{},
	],
	['removes chat fields from an item of a tool', { name: 'A' }, TOOL, { ...CHAT, toolCallId: 'call_1' }],
	['keeps the field action of an item without chatInput', { sessionId: 's', action: 'close' }, TOOL, {}],
	['keeps the field chatInput of an item without sessionId', { chatInput: 'Go', files: 1 }, TOOL, {}],
	['keeps a field that is read without $fromAI', { Workflow: 1 }, asking("$('Workflow').item.json.id"), {}],
	...[
		"$fromAI('Workflow', 'ID of it', 'string')",
		'$fromAI( `Workflow` )',
		'$fromAI("Workflow")',
		"$fromai('Workflow')",
		"$fromAI('Other') + $fromAI('Workflow')",
	].map((expression): [string, IDataObject, object, IDataObject] => [
		`removes the field that the model filled through ${expression}`,
		{ name: 'A', workflow: 'x' },
		asking(expression),
		{ Workflow: 'wf_1' },
	]),
])('the parameter reader %s', (_, kept, node, removed) => {
	expect(inputOf({ ...kept, ...removed }, node)).toEqual(kept);
});
