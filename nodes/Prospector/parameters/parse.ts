// Kinds of values: numbers, texts, choices and lists. A parser returns what was entered, or throws what to change.
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { fail, isDate, typeLabel } from '../messages/userMessage';
import { isObject, toText } from '../utils';
import { failForInvalidJson, requireExactNumber, stripCodeFence } from './exactJson';
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
		return fail(`'${label}' is neither true nor false`, 'Use true or false');
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
		return fail(`'${label}' ${flaw}`, `Use ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
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
		return fail(
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

/** A list of words: text, a list from an expression, or JSON text, as a model writes it. */
export const stringList = (example: string): ValueKind<string[]> => ({
	property: { type: 'string', default: '' },
	parse(value, label) {
		const isTooLong =
			(typeof value === 'string' || Array.isArray(value)) && value.length > MAX_LIST_CHARACTERS;
		if (isTooLong) fail(`'${label}' is too long`, 'Enter fewer words');
		const isJson = typeof value === 'string' && /^\s*(?:\[|```)/.test(value);
		const entries: unknown[] = [isJson ? parseJson(value, label) : (value ?? [])].flat();
		if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
			fail(`'${label}' is not a list of words`, `Enter words separated by commas, e.g. ${example}`);
		}
		for (const entry of entries) if (typeof entry === 'number') requireExactNumber(entry, label);
		const text = entries.join(',');
		if (text.length > MAX_LIST_CHARACTERS) fail(`'${label}' is too long`, 'Enter fewer words');
		const words = text.split(/[,;\n]/).map((word) => word.trim().replace(OUTER_QUOTES, ''));
		return words.filter((word) => word !== '');
	},
});

/** Parses JSON whose numbers are not sent, such as a list of words that a language model wrote. @throws UserError */
export function parseJson(text: string, label: string): unknown {
	const json = stripCodeFence(text);
	try {
		return JSON.parse(json);
	} catch {
		return failForInvalidJson(label);
	}
}

/** @throws UserError unless the value is an object */
export function requireObject(value: unknown, label: string): IDataObject {
	if (isObject(value) && !isDate(value)) return value;
	return fail(
		`'${label}' is ${typeLabel(value)} instead of an object`,
		'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
	);
}
