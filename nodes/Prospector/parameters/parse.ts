import type { FieldType } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
import { isObject, toText } from '../utils';
import { parseJson } from './json';

/** Parses a switch, which an expression or an agent can return as text. @throws UserError */
export function parseBoolean(value: unknown, label: string): boolean {
	if (typeof value === 'boolean') return value;
	if (value === undefined || value === null || value === '') return false;
	const text = toText(value).trim().toLowerCase();
	if (text === 'true' || text === '1') return true;
	if (text === 'false' || text === '0') return false;
	return invalid(
		`'${label}' is neither true nor false`,
		`Switch '${label}' on or off; an expression must give true or false`,
	);
}

/** Returns a parser for whole numbers in a range. */
export const integer =
	(min: number, max = Number.MAX_SAFE_INTEGER) =>
	(value: unknown, label: string): number => {
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		const isInRange =
			typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
		if (isInRange) return number;
		const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
		return invalid(
			`'${label}' must be a whole number${range}`,
			`Enter such a number in '${label}'; an expression must give one`,
		);
	};

/** Returns a parser for a number of seconds, which returns milliseconds. */
export const seconds = (min: number, max: number) => (value: unknown, label: string) =>
	integer(min, max)(value, label) * 1000;

/**
 * Returns a parser for a list of words: text with commas or line breaks, a list from an expression, or the JSON text of
 * one, as a language model writes it. An empty value is an empty list.
 *
 * @param example for the message
 */
export const stringList =
	(example: string) =>
	(value: unknown, label: string): string[] => {
		const entries = [toList(value, label)].flat();
		if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
			invalid(
				`'${label}' is not a list of words`,
				`Give the words as text, separated by commas, e.g. ${example}`,
			);
		}
		return entries
			.join(',')
			.split(/[,\n]/)
			.map((word) => word.trim())
			.filter((word) => word !== '');
	};

function toList(value: unknown, label: string): unknown {
	return typeof value === 'string' && /^\s*(?:\[|```)/.test(value) ? parseJson(value, label) : (value ?? []);
}

/** Returns text as the type of its field. @throws UserError */
export function coerceText(text: string, type: FieldType | undefined, name: string): unknown {
	switch (type) {
		case 'number':
			if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
			return invalid(
				`'${name}' holds text where a number is expected`,
				"Enter a number, or use 'JSON' under 'Specify Body'",
			);
		case 'boolean':
			if (/^(?:true|false)$/i.test(text.trim())) return /true/i.test(text);
			return invalid(
				`'${name}' holds text where a boolean is expected`,
				"Enter true or false, or use 'JSON' under 'Specify Body'",
			);
		case 'array':
		case 'object': {
			const value = parseJson(text, name);
			if (type === 'array' ? Array.isArray(value) : isObject(value)) return value;
			return invalid(
				`'${name}' holds ${typeLabel(value)} where ${type === 'array' ? 'a list' : 'an object'} is expected`,
				`Enter JSON such as ${type === 'array' ? '["a", "b"]' : '{ "a": 1 }'}, or use 'JSON' under 'Specify Body'`,
			);
		}
		default:
			return text;
	}
}
