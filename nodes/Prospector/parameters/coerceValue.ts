import { invalid, typeLabel } from '../messages/userMessage';
import { jsonTypeOf } from '../utils';
import { parseJson } from './parse';

/** The types of fields whose values are checked, for messages. */
const CHECKED_TYPES = new Map<unknown, { label: string; advice: string }>([
	['array', { label: 'a list', advice: 'Enter JSON such as ["a", "b"]' }],
	['boolean', { label: 'true or false', advice: 'Enter one of them' }],
	['number', { label: 'a number', advice: 'Enter a number' }],
	['object', { label: 'an object', advice: 'Enter JSON such as { "a": 1 }' }],
]);

/**
 * Returns text as the type of its field.
 *
 * @param name of the field
 * @throws UserError
 */
export function coerceText(text: string, type: unknown, name: string): unknown {
	const checked = CHECKED_TYPES.get(type);
	if (checked === undefined) return text;
	const value = parseTypedText(text, type, name);
	if (jsonTypeOf(value) === type) return value;
	return invalid(
		`'${name}' is ${typeLabel(value)} instead of ${checked.label}`,
		`${checked.advice}, or set 'Enter Values' to Using JSON`,
	);
}

/** Returns the text itself if it is no number, or neither true nor false. */
function parseTypedText(text: string, type: unknown, name: string): unknown {
	if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
	if (type !== 'boolean') return parseJson(text, name);
	const word = text.trim().toLowerCase();
	return word === 'true' || word === 'false' ? word === 'true' : text;
}

/**
 * Returns an entry of *Other Fields* as the type chosen there; undefined for a value that must not be sent.
 *
 * @param name of the field
 * @throws UserError
 */
export function coerceValue(value: unknown, type: unknown, name: string): unknown {
	if (type === 'null') return null;
	// NaN would become null in JSON.
	if (value === undefined || value === null || Number.isNaN(value)) return undefined;
	const isText = typeof value === 'string';
	const checked = CHECKED_TYPES.get(type);
	if (checked && isText) return coerceText(value, type, name);
	const isValid = checked
		? jsonTypeOf(value) === type
		: type !== 'string' || !['object', 'function', 'symbol'].includes(typeof value);
	if (!isValid) {
		invalid(
			`'${name}' in 'Other Fields' is not ${checked?.label ?? 'text'}`,
			"Change the value or its 'Type'",
		);
	}
	return type === 'string' ? String(value) : value;
}
