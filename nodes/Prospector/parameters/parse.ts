// Kinds of values: numbers, choices, lists of words, and values by name. A parser returns what was entered, or throws
// what to change.
import type {
	IDataObject,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { throwUserError, typeLabel } from '../messages/userMessage';
import { isObject, toText } from '../utils';
import { requireExactNumber, requireSendableSize, stripCodeFence } from './exactJson';
import type { ValueKind } from './parameter';

/** True or false, which an expression or an agent can return as text. */
export const toggle: ValueKind<boolean> = {
	property: { type: 'boolean', default: false },
	parse(value, label) {
		if (typeof value === 'boolean') return value;
		if (value === undefined || value === null || value === '') return false;
		const text = toText(value).trim().toLowerCase();
		if (text === 'true' || text === '1') return true;
		if (text === 'false' || text === '0') return false;
		return throwUserError(`'${label}' is neither true nor false`, 'Use true or false');
	},
};

/** One of several options, which an expression can return, too. */
export const choice = <Choice extends string>(
	options: Array<INodePropertyOptions & { value: Choice }>,
): ValueKind<Choice> => ({
	property: { type: 'options', options },
	parse(value, label) {
		const chosenOption = options.find((option) => option.value === value);
		if (chosenOption) return chosenOption.value;
		const values = options.map((option) => option.value);
		const flaw = typeof value === 'string' ? `has no option '${value}'` : `got ${typeLabel(value)}`;
		return throwUserError(`'${label}' ${flaw}`, `Use ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
	},
});

/** A whole number in a range. */
export const integer = (minValue: number, maxValue?: number): ValueKind<number> => ({
	property: { type: 'number', typeOptions: { minValue, maxValue } },
	parse(value, label) {
		const isText = typeof value === 'string' && value.length < 100 && value.trim() !== '';
		const number = isText ? Number(value) : value;
		const maximum = maxValue ?? Number.MAX_SAFE_INTEGER;
		if (typeof number === 'number' && Number.isInteger(number) && number >= minValue && number <= maximum) {
			return number;
		}
		const rangeText = maxValue === undefined ? `, ${minValue} or more` : ` from ${minValue} to ${maxValue}`;
		return throwUserError(
			`'${label}' must be a whole number${rangeText}`,
			'Enter a number, or an expression that returns a number',
		);
	},
});

/** A whole number of seconds, which is read as milliseconds. */
export function seconds(minSeconds: number, maxSeconds: number): ValueKind<number> {
	const { property, parse } = integer(minSeconds, maxSeconds);
	return { property, parse: (value, label) => parse(value, label) * 1000 };
}

/** Characters of a list of words: more than a service has statuses or fields. */
const MAX_LIST_CHARACTERS = 100_000;
const OUTER_QUOTES = /^["'“”„‘’`]|["'“”‘’`]$/g;

/** A list of words: text, a list from an expression, or a list as a model writes it. */
export const stringList = (example: string): ValueKind<string[]> => ({
	property: { type: 'string', default: '' },
	parse(value, label) {
		const requireLength = (length: number) =>
			length <= MAX_LIST_CHARACTERS || throwUserError(`'${label}' is too long`, 'Enter fewer words');
		const entries: unknown[] = Array.isArray(value) ? value : [value ?? ''];
		requireLength(entries.length);
		if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
			throwUserError(`'${label}' is not a list of words`, `Enter words separated by commas, e.g. ${example}`);
		}
		for (const entry of entries) if (typeof entry === 'number') requireExactNumber(entry, label);
		const text = entries.join(',');
		requireLength(text.length);
		const words = stripCodeFence(text)
			.replace(/^\[(.*)\]$/s, '$1')
			.split(/[,;\n]/)
			.map((word) => word.trim().replace(OUTER_QUOTES, ''));
		return words.filter((word) => word !== '');
	},
});

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
		const lists = isObject(collection) ? Object.values(collection) : [];
		const entries = lists.flatMap((list): unknown => list ?? []);
		requireSendableSize({ fieldCount: entries.length }, label);
		const valuesByName = new Map<string, T | undefined>();
		for (const entry of entries) {
			const fields: IDataObject = isObject(entry) ? entry : {};
			const name = typeof fields.name === 'string' ? fields.name.trim() : '';
			if (name === '') throwUserError(`An entry in '${label}' has no name`, 'Enter a name and a value');
			if (valuesByName.has(name)) throwUserError(`'${name}' is in '${label}' twice`, 'Remove one of them');
			valuesByName.set(name, parseEntry(fields, name, label));
		}
		const presentValues = [...valuesByName].filter((pair): pair is [string, T] => pair[1] !== undefined);
		return Object.fromEntries(presentValues);
	},
});
