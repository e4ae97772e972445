import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isInvalid, type Validated } from '../messages/userMessage';
import { hint } from '../messages/hintMessages';
import { selectFields, unknownFields, type FieldSelection } from '../actions/selectFields';
import { parseBoolean } from '../actions/fields/boolean';
import { readOption, readParameter } from './readParameters';
import { valueOrThrow } from '../actions/fields/unwrap';
import { parseStringList } from '../actions/fields/words';

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
export function readFieldSelection(context: IExecuteFunctions, itemIndex: number): FieldSelection {
	const simplify = readParameter(context, 'simplify', itemIndex, false);
	return {
		simplify: valueOrThrow(context, parseBoolean(simplify, 'Simplify')),
		fields: valueOrThrow(context, checkFieldNames(readOption(context, 'outputFields', itemIndex))),
	};
}

/** @returns undefined where none is named, so that all are wanted */
export function checkFieldNames(value: unknown): Validated<string[] | undefined> {
	const words = parseStringList(value, 'Fields to Return', 'name, status');
	if (isInvalid(words)) return words;
	// The service's field of that name goes out under another, which n8n does not take for a failed item.
	const names = words.value.map((name) => (name === 'error' ? 'error_details' : name));
	return { value: names.length > 0 ? names : undefined };
}

/** One input item's output in its shape; a person is told once of fields that do not exist. */
export function selectItemFields(
	context: IExecuteFunctions,
	itemIndex: number,
	items: IDataObject[],
	shape: FieldSelection,
): IDataObject[] {
	const unknown = itemIndex === 0 ? unknownFields(items, shape) : [];
	if (unknown.length > 0) {
		const names = Object.keys(items[0]).join(', ');
		context.addExecutionHints(
			hint(
				'warning',
				`'Fields to Return' names what no item has: ${unknown.join(', ')}. There are: ${names}.`,
			),
		);
	}
	return items.map((item) => selectFields(item, shape));
}
