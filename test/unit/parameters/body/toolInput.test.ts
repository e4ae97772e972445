import type { INodeParameters } from 'n8n-workflow';
import { stripToolFields } from '../../../../nodes/Prospector/parameters/body/toolInput';
import { NODE } from '../../helpers/support';

const TOOL = { ...NODE, type: `${NODE.type}Tool` };
const chat = { sessionId: 's', action: 'sendMessage', chatInput: 'Go', files: [], user: {} };
const asked = (expression: string): INodeParameters => ({ workflowId: { value: `={{ ${expression} }}` } });

test('of a node that is no tool is as it is', () => {
	const input = { ...chat, toolCallId: 'call_1', Workflow: 'wf_1' };
	const node = { ...NODE, parameters: asked("$fromAI('Workflow')") };
	expect(stripToolFields(input, node)).toBe(input);
});

describe('of a tool', () => {
	test.each([
		['the id of the call', { toolCallId: 'call_1' }],
		['the fields of a chat', chat],
	])('is without %s', (_, added) => {
		expect(stripToolFields({ name: 'A', ...added }, TOOL)).toEqual({ name: 'A' });
	});

	test.each([{ action: 'close' }, { sessionId: 's', action: 'close' }, { chatInput: 'Go', files: 1 }])(
		'keeps %j, which need not be of a chat',
		(input) => expect(stripToolFields(input, TOOL)).toEqual(input),
	);

	test.each([
		"$fromAI('Workflow', 'ID of it', 'string')",
		'$fromAI("Workflow")',
		'$fromAI( `Workflow` )',
		"/*n8n-auto-generated-fromAI-override*/ $fromAI('Workflow', ``, 'string')",
		"$fromai('Workflow')",
		"$fromAI('Other') + $fromAI('Workflow')",
	])('is without what the model gave for %s', (expression) => {
		const node = { ...TOOL, parameters: asked(expression) };
		expect(stripToolFields({ name: 'A', Workflow: 'wf_1' }, node)).toEqual({ name: 'A' });
	});

	test('keeps what no field asks the model for', () => {
		const input = { Workflow: 'wf_1', workflow: 'x' };
		expect(stripToolFields(input, { ...TOOL, parameters: asked("$('Workflow').item.json.id") })).toEqual(
			input,
		);
	});
});
