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
		`Switch '${label}' on or off. An expression must return true or false`,
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
			`Enter such a number in '${label}'. An expression must return one`,
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
		const isJson = typeof value === 'string' && /^\s*(?:\[|```)/.test(value);
		const entries: unknown[] = [isJson ? parseJson(value, label) : (value ?? [])].flat();
		if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
			invalid(`'${label}' is not a list of words`, `Enter words separated by commas, e.g. ${example}`);
		}
		return entries
			.join(',')
			.split(/[,\n]/)
			.map((word) => word.trim())
			.filter((word) => word !== '');
	};

/** Returns text as the type of its field. @throws UserError */
export function coerceText(text: string, type: FieldType | undefined, name: string): unknown {
	const reject = (actual: string, expected: string, advice: string) =>
		invalid(
			`'${name}' is ${actual} instead of ${expected}`,
			`${advice}, or set 'Enter Values' to Using JSON`,
		);
	switch (type) {
		case 'number':
			if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
			return reject('text', 'a number', 'Enter a number');
		case 'boolean':
			if (/^(?:true|false)$/i.test(text.trim())) return /true/i.test(text);
			return reject('text', 'true or false', 'Enter one of them');
		case 'array': {
			const value = parseJson(text, name);
			if (Array.isArray(value)) return value;
			return reject(typeLabel(value), 'a list', 'Enter JSON such as ["a", "b"]');
		}
		case 'object': {
			const value = parseJson(text, name);
			if (isObject(value)) return value;
			return reject(typeLabel(value), 'an object', 'Enter JSON such as { "a": 1 }');
		}
		default:
			return text;
	}
}
