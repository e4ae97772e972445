import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { toToolError, toNodeError, toSingleMessage } from '../../../nodes/Prospector/actions/nodeError';
import { apiError, inputError } from '../../../nodes/Prospector/messages/nodeErrors';
import { calls, status } from '../helpers/everyFailure';
import { NODE } from '../helpers/support';

const context = { getNode: () => NODE } as unknown as IExecuteFunctions;
const refusal = () => apiError(NODE, status(404), calls['a read'], (text) => text);
const wrongField = () => inputError(NODE, { message: "'Limit' is empty", description: 'Give a number' });

describe('what was caught', () => {
	test.each([
		['a refusal', refusal],
		['a wrong field', wrongField],
	])('stays the same exception where it is %s', (_, make) => {
		const caught = make();
		const { message, description } = make();
		const error = toNodeError(context, caught, 4, 1);
		expect(error).toBe(caught);
		expect({ message: error.message, description: error.description }).toEqual({ message, description });
		expect(error.context.itemIndex).toBe(4);
	});

	test.each([
		['anything else', new Error('Out of paper')],
		['a type error', new TypeError('Out of paper')],
	])('becomes an exception of the node where it is %s', (_, caught) => {
		const error = toNodeError(context, caught, 0, 1);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('Out of paper');
		expect(error.node).toBe(NODE);
		expect(error.context.itemIndex).toBe(0);
	});

	test.each([
		[0, 2, "'Limit' is empty [Item 0]"],
		[41, 42, "'Limit' is empty [Item 41]"],
		[0, 1, "'Limit' is empty"],
	])('of item %i of %i reads as %s', (itemIndex, count, message) => {
		expect(toNodeError(context, wrongField(), itemIndex, count).message).toBe(message);
	});

	test('keeps its status', () => {
		const error = toNodeError(context, refusal(), 1, 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect((error as NodeApiError).httpCode).toBe('404');
	});
});

test.each([
	['Not found', 'Check the ID.', 'Not found. Check the ID.'],
	['Not found', 'Check the ID', 'Not found. Check the ID.'],
	[
		'Not found.',
		'Check the ID. It serverMessage: "no."',
		'Not found. Check the ID. It serverMessage: "no.".',
	],
	['Not found', '', 'Not found.'],
	['Not found', undefined, 'Not found.'],
	['Not found', null, 'Not found.'],
])('%j with %j is, under Continue, %j', (message, description, sentence) => {
	const error = new NodeOperationError(NODE, 'x');
	expect(toSingleMessage(Object.assign(error, { message, description }))).toBe(sentence);
});

test.each([
	['a node', NODE.type, "'Limit' is empty"],
	['a tool', `${NODE.type}Tool`, "'Limit' is empty. Give a number."],
])('in %s ends an execution with the message that its reader gets', (_, type, message) => {
	const execution = { getNode: () => ({ ...NODE, type }) } as unknown as IExecuteFunctions;
	const error = wrongField();
	expect(toToolError(execution, error)).toBe(error);
	expect(error.message).toBe(message);
});
