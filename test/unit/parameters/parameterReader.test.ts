import type { IDataObject } from 'n8n-workflow';
import { ParameterReader } from '../../../nodes/Prospector/parameters/parameterReader';
import { fakeExecution, NODE, TOOL, TURNS } from '../helpers/support';

test.each<[string, unknown, number[]]>([
	['once for all items if the parameter is a constant', [null, 5, { a: 'b' }], [0]],
	['for each item if the parameter is an expression', '={{ $json.a }}', [0, 1, 2]],
	['for each item if the parameter contains an expression', { a: ['b', '={{ 1 }}'] }, [0, 1, 2]],
])('the parameter reader reads a parameter %s', (_, parameter, expected) => {
	const reads: number[] = [];
	const rest = {
		getNode: () => ({ ...NODE, parameters: { parameter } }),
		getNodeParameter: (_name: string, itemIndex: number) => reads.push(itemIndex),
	};
	const reader = new ParameterReader(fakeExecution({ rest }).context, TURNS);
	for (const item of [0, 1, 2]) reader.read('parameter', item);
	expect(reads).toEqual(expected);
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
