import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
import { createJsonValueCounter, isObject, maxJsonValues, toText } from '../utils';
import type { Kind } from './parameter';

/** True or false, which an expression or an agent can return as text. */
export const toggle: Kind<boolean> = {
	property: { type: 'boolean', default: false },
	parse(value, label) {
		if (typeof value === 'boolean') return value;
		if (value === undefined || value === null || value === '') return false;
		const text = toText(value).trim().toLowerCase();
		if (text === 'true' || text === '1') return true;
		if (text === 'false' || text === '0') return false;
		return invalid(
			`'${label}' is neither true nor false`,
			`Switch '${label}' on or off. An expression must return true or false`,
		);
	},
};

/** One of several options, which an expression can return, too. */
export const choice = <Choice extends string>(
	options: Array<INodePropertyOptions & { value: Choice }>,
): Kind<Choice> => ({
	property: { type: 'options', options },
	parse(value, label) {
		const chosen = options.find((one) => one.value === value);
		if (chosen) return chosen.value;
		const values = options.map((one) => one.value);
		return invalid(
			`'${label}' ${typeof value === 'string' ? `has no option '${value}'` : `got ${typeLabel(value)} instead of one of its options`}`,
			`An expression must give ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
		);
	},
});

/** A whole number in a range. */
export const integer = (minValue: number, maxValue?: number): Kind<number> => ({
	property: { type: 'number', typeOptions: { minValue, maxValue } },
	parse(value, label) {
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		const max = maxValue ?? Number.MAX_SAFE_INTEGER;
		if (typeof number === 'number' && Number.isInteger(number) && number >= minValue && number <= max) {
			return number;
		}
		const range = maxValue === undefined ? `, ${minValue} or more` : ` from ${minValue} to ${maxValue}`;
		return invalid(
			`'${label}' must be a whole number${range}`,
			`Enter such a number in '${label}'. An expression must return one`,
		);
	},
});

/** A whole number of seconds, which is read as milliseconds. */
export function seconds(min: number, max: number): Kind<number> {
	const { property, parse } = integer(min, max);
	return { property, parse: (value, label) => parse(value, label) * 1000 };
}

/** Characters of a list of words: more than a service has statuses or fields. */
const MAX_LIST_LENGTH = 100_000;

/** A list of words: text with commas or line breaks, a list from an expression, or JSON text, as a model writes it. */
export const stringList = (example: string): Kind<string[]> => ({
	property: { type: 'string', default: '' },
	parse(value, label) {
		const isJson = typeof value === 'string' && /^\s*(?:\[|```)/.test(value);
		const entries: unknown[] = [isJson ? parseJson(value, label) : (value ?? [])].flat();
		if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
			invalid(`'${label}' is not a list of words`, `Enter words separated by commas, e.g. ${example}`);
		}
		const text = entries.join(',');
		if (text.length > MAX_LIST_LENGTH) invalid(`'${label}' is too long`, 'Enter fewer words');
		const words = text.split(/[,\n]/).map((word) => word.trim());
		return words.filter((word) => word !== '');
	},
});

/** Language models often put JSON into a Markdown code block. */
const stripCodeFence = (text: string): string =>
	text
		.trim()
		.replace(/^```\w*/, '')
		.replace(/```$/, '')
		.trim();

/** Parses JSON that a person typed or a language model wrote. @throws UserError */
export function parseJson(text: string, label: string): unknown {
	const json = stripCodeFence(text);
	const bytes = Buffer.from(json);
	if (createJsonValueCounter()(bytes) > maxJsonValues(bytes.length)) {
		invalid(`'${label}' has too many values`, 'Enter fewer values, or send them in several requests');
	}
	try {
		return JSON.parse(json);
	} catch {
		return invalid(
			`'${label}' is not valid JSON`,
			'Check quotation marks, commas and brackets. To send no values, enter {}',
		);
	}
}

/** Parses a JSON object: text, or the object that an expression returned. @throws UserError */
export function parseJsonObject(value: unknown, label: string): IDataObject {
	const object = typeof value === 'string' ? parseJson(value, label) : value;
	if (isObject(object) && !isDate(object)) return object;
	return invalid(
		`'${label}' is ${isDate(object) ? 'a date' : typeLabel(object)} instead of an object`,
		'Enter an object, e.g. { "name": "Logistics companies in Austria" }',
	);
}

/** The dates of all libraries are objects to JavaScript, and text in JSON. */
const isDate = (value: unknown) => isObject(value) && typeof value.toJSON === 'function';

/** An expression can return values that JSON.stringify throws on. @throws UserError */
export function requireSerializable<T extends object>(values: T, label: string): T {
	try {
		JSON.stringify(values);
		return values;
	} catch {
		return invalid(
			`'${label}' can't be sent as JSON`,
			'Use only text, numbers, true, false, null, and lists and objects of these that are not nested too deeply and do not contain themselves',
		);
	}
}
