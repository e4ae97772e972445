// A list of names and values in the editor. Used for query parameters and further fields; no name occurs twice. Tests:
// test/unit/parameters/listFilters.test.ts.
import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { fail } from '../messages/userMessage';
import { isObject } from '../utils';
import { requireSendableSize } from './exactJson';
import type { ValueKind } from './parameter';

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
 * Values by name, which n8n keeps as a list inside an object, and nothing else (n8n-behaviour.md#parameters).
 *
 * @param entryCollection how the editor asks for a name and its value
 * @param parseEntry returns the value of an entry; undefined to leave it out
 */
export const namedValues = <T>(
	entryCollection: INodePropertyCollection,
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
		const entryLists = isObject(collection) ? Object.values(collection) : [];
		const valuesByName = new Map<string, T | undefined>();
		const listEntries = entryLists.flatMap((list): unknown => list ?? []);
		requireSendableSize(listEntries.length, 0, label);
		for (const listEntry of listEntries) {
			const entryFields: IDataObject = isObject(listEntry) ? listEntry : {};
			const name = typeof entryFields.name === 'string' ? entryFields.name.trim() : '';
			if (name === '') fail(`An entry in '${label}' has no name`, 'Enter a name and a value');
			if (valuesByName.has(name)) fail(`'${name}' is in '${label}' twice`, 'Remove one of them');
			valuesByName.set(name, parseEntry(entryFields, name, label));
		}
		const presentValues = [...valuesByName].filter((pair): pair is [string, T] => pair[1] !== undefined);
		return Object.fromEntries(presentValues);
	},
});
