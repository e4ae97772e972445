import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Checked } from '../../transport/checked';
import { shaped, unknownFields, type Shape } from '../shape';
import { checkBoolean } from './boolean';
import { readOption } from './readOption';
import { unwrap } from './unwrap';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const outputFieldsOption: INodeProperties = {
	displayName: 'Fields to Return',
	name: 'outputFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. name, status',
	description:
		'The only fields to return of each item, separated by commas; the ID and what this node adds, such as request_id, always come along. Replaces Simplify.',
};

/**
 * How one item's output is wanted, read before anything is sent.
 *
 * @throws NodeOperationError when a field cannot be used
 */
export function readShape(context: IExecuteFunctions, itemIndex: number): Shape {
	const simplify = context.getNodeParameter('simplify', itemIndex, false);
	return {
		simplify: unwrap(context, checkBoolean(simplify, 'Simplify')),
		fields: unwrap(context, checkFieldNames(readOption(context, 'outputFields', itemIndex))),
	};
}

/** Text with commas or line breaks, a list, or the JSON text of a list. */
export function checkFieldNames(value: unknown): Checked<string[] | undefined> {
	const given = typeof value === 'string' ? fromText(value) : (value ?? []);
	if (!Array.isArray(given) || given.some((name) => typeof name !== 'string')) {
		return {
			message: "'Fields to Return' is not a list of names",
			description: 'Give the names of the fields, separated by commas, e.g. name, status',
		};
	}
	const names = (given as string[]).map((name) => name.trim()).filter((name) => name !== '');
	// The service's field of that name goes out under another, which n8n does not take for a failed item.
	return {
		value: names.length ? names.map((name) => (name === 'error' ? 'error_details' : name)) : undefined,
	};
}

function fromText(text: string): unknown {
	if (!text.trim().startsWith('[')) return text.split(/[,\n]/);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** One input item's output in its shape; a person is told once of fields that do not exist. */
export function inShape(
	context: IExecuteFunctions,
	itemIndex: number,
	items: IDataObject[],
	shape: Shape,
): IDataObject[] {
	const unknown = itemIndex === 0 ? unknownFields(items, shape) : [];
	if (unknown.length > 0) {
		context.addExecutionHints({
			message: `'Fields to Return' names what no item has: ${unknown.join(', ')}. There are: ${Object.keys(items[0]).join(', ')}.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	return items.map((item) => shaped(item, shape));
}
