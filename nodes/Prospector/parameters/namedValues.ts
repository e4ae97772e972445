import type { IDataObject, INodePropertyCollection } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
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
		const value = isText ? parseJson(collection, label) : collection || {};
		const byName = new Map<string, T | undefined>();
		for (const one of Array.isArray(value) ? value : entriesIn(value, label, entry.name, example)) {
			const fields: IDataObject = isObject(one) ? one : {};
			const name = typeof fields.name === 'string' ? fields.name.trim() : '';
			if (name === '') invalid(`An entry in '${label}' has no name`, 'Enter its name, or remove the entry');
			if (byName.has(name)) invalid(`'${name}' is in '${label}' twice`, 'Remove one of them');
			byName.set(name, parseEntry(fields, name, label));
		}
		const present = [...byName].filter((pair): pair is [string, T] => pair[1] !== undefined);
		return Object.fromEntries(present);
	},
});

/** Returns the entries in n8n's object, where a single one can stand without a list. @throws UserError */
function entriesIn(collection: unknown, label: string, list: string, example: string): unknown[] {
	const advice = `Enter a name and a value for each, e.g. ${example}`;
	if (!isObject(collection)) {
		return invalid(`'${label}' is ${typeLabel(collection)} instead of an object`, advice);
	}
	const unknownName = Object.keys(collection).find((name) => name !== list);
	if (unknownName !== undefined) invalid(`'${label}' got '${unknownName}' instead of a list`, advice);
	return Object.values(collection).flatMap((entries) => entries ?? []);
}
