import type { IDataObject, INodePropertyCollection } from 'n8n-workflow';
import { invalid } from '../messages/userMessage';
import { isObject } from '../utils';
import type { Kind } from './parameter';
import { parseJson } from './parse';

/**
 * Values by name, which n8n keeps as a list inside an object. An agent or an expression can also return the list alone,
 * or the JSON text of either.
 *
 * @param entry how the editor asks for a name and its value
 * @param example of a list of entries, as JSON, for the message
 * @param parseEntry returns the value of an entry; undefined to leave it out
 */
export const namedValues = <T>(
	entry: INodePropertyCollection,
	example: string,
	parseEntry: (entry: IDataObject, name: string, label: string) => T | undefined,
): Kind<Record<string, T>> => ({
	property: {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entry.displayName}`,
		default: {},
		options: [entry],
	},
	parse(collection, label) {
		const isText = typeof collection === 'string' && collection.trim() !== '';
		const value = (isText ? parseJson(collection, label) : collection) || {};
		// In n8n's object, a single entry can stand without a list.
		const lists = isObject(value) ? Object.values(value) : [value];
		const byName = new Map<string, T | undefined>();
		for (const one of lists.flatMap((list): unknown => list ?? [])) {
			const fields: IDataObject = isObject(one) ? one : {};
			const name = typeof fields.name === 'string' ? fields.name.trim() : '';
			if (name === '')
				invalid(`An entry in '${label}' has no name`, `Enter a name and a value, e.g. ${example}`);
			if (byName.has(name)) invalid(`'${name}' is in '${label}' twice`, 'Remove one of them');
			byName.set(name, parseEntry(fields, name, label));
		}
		const present = [...byName].filter((pair): pair is [string, T] => pair[1] !== undefined);
		return Object.fromEntries(present);
	},
});
