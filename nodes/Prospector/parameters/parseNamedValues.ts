import type { IDataObject } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
import { isObject } from '../utils';
import { parseJson } from './parse';

interface NamedValuesField {
	label: string;
	/** Name of the list inside the value of n8n's fixedCollection. */
	list: string;
	/** Example of a list of entries, as JSON, for the message. */
	example: string;
}

/**
 * Parses a fixedCollection of entries with a `name`. An agent or an expression can also return a list of entries, or the
 * JSON text of either.
 *
 * @returns the entries by name
 * @throws UserError
 */
export function parseNamedValues(collection: unknown, field: NamedValuesField): Map<string, IDataObject> {
	const { label } = field;
	const isText = typeof collection === 'string' && collection.trim() !== '';
	const value = isText ? parseJson(collection, label) : collection || {};
	const byName = new Map<string, IDataObject>();
	for (const entry of Array.isArray(value) ? value : entriesIn(value, field)) {
		const fields: IDataObject = isObject(entry) ? entry : {};
		const name = typeof fields.name === 'string' ? fields.name.trim() : '';
		if (name === '') invalid(`An entry in '${label}' has no name`, 'Enter its name, or remove the entry');
		if (byName.has(name)) invalid(`'${name}' is in '${label}' twice`, 'Remove one of them');
		byName.set(name, fields);
	}
	return byName;
}

/** Returns the entries in n8n's object, where a single one can stand without a list. @throws UserError */
function entriesIn(collection: unknown, { label, list, example }: NamedValuesField): unknown[] {
	const advice = `Enter a name and a value for each, e.g. ${example}`;
	if (!isObject(collection)) {
		return invalid(`'${label}' is ${typeLabel(collection)} instead of an object`, advice);
	}
	const values = new Map(Object.entries(collection));
	const entries = values.get(list) ?? [];
	values.delete(list);
	const [unknownName] = values.keys();
	if (unknownName !== undefined) invalid(`'${label}' got '${unknownName}' instead of a list`, advice);
	return [entries].flat();
}
