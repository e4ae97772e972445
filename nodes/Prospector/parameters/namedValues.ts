import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { fail } from '../messages/userMessage';
import { isObject } from '../utils';
import type { ValueKind } from './parameter';
import { parseJson } from './parse';

/** Returns the text field of an entry for its name or its value. */
export const entryField = (
	displayName: 'Name' | 'Value',
	description: string,
	rest: Partial<INodeProperties> = {},
): INodeProperties => ({
	displayName,
	name: displayName.toLowerCase(),
	type: 'string',
	default: '',
	description,
	...rest,
});

/**
 * Values by name, which n8n keeps as a list inside an object. An agent or an expression can also return the list alone,
 * or the JSON text of either.
 *
 * @param entryCollection how the editor asks for a name and its value
 * @param exampleJson of a list of entries, as JSON, for the message
 * @param parseEntry returns the value of an entry; undefined to leave it out
 */
export const namedValues = <T>(
	entryCollection: INodePropertyCollection,
	exampleJson: string,
	parseEntry: (entry: IDataObject, name: string, label: string) => T | undefined,
): ValueKind<Record<string, T>> => ({
	property: {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entryCollection.displayName}`,
		default: {},
		options: [entryCollection],
	},
	parse(collection, label) {
		const isText = typeof collection === 'string' && collection.trim() !== '';
		const parsedCollection = (isText ? parseJson(collection, label) : collection) || {};
		// In n8n's object, a single entry can stand without a list.
		const entryLists = isObject(parsedCollection) ? Object.values(parsedCollection) : [parsedCollection];
		const valuesByName = new Map<string, T | undefined>();
		for (const listEntry of entryLists.flatMap((list): unknown => list ?? [])) {
			const entryFields: IDataObject = isObject(listEntry) ? listEntry : {};
			const name = typeof entryFields.name === 'string' ? entryFields.name.trim() : '';
			if (name === '')
				fail(`An entry in '${label}' has no name`, `Enter a name and a value, e.g. ${exampleJson}`);
			if (valuesByName.has(name)) fail(`'${name}' is in '${label}' twice`, 'Remove one of them');
			valuesByName.set(name, parseEntry(entryFields, name, label));
		}
		const presentValues = [...valuesByName].filter((pair): pair is [string, T] => pair[1] !== undefined);
		return Object.fromEntries(presentValues);
	},
});
