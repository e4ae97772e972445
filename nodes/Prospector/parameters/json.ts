import { isInvalid, type Validated } from '../messages/userMessage';
import { isObject, typeLabel } from '../transport/values';
import type { IDataObject } from 'n8n-workflow';

const FENCE = '```';

/** Language models often put JSON into a Markdown code block. */
function stripCodeFence(text: string): string {
	const trimmed = text.trim();
	const isFenced = trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE);
	if (!isFenced || trimmed.length < 2 * FENCE.length) return text;
	const language = /^\w*/;
	return trimmed.slice(FENCE.length, -FENCE.length).replace(language, '').trim();
}

/**
 * Reads JSON that a person typed or a language model wrote.
 *
 * @param label the field as it is shown
 */
export function parseJson(text: string, label: string): Validated<unknown> {
	try {
		return { value: JSON.parse(stripCodeFence(text)) as unknown };
	} catch {
		return {
			message: `'${label}' is not valid JSON`,
			description: 'Check quotation marks, commas and brackets. To send no values, enter {}',
		};
	}
}

/**
 * Checks a JSON object: text or an expression's object.
 *
 * @param label the field as it is shown
 */
export function checkJsonObject(value: unknown, label = 'JSON'): Validated<IDataObject> {
	const parsed = typeof value === 'string' ? parseJson(value, label) : { value };
	if (isInvalid(parsed)) return parsed;
	const { value: object } = parsed;
	if (isObject(object) && !isDate(object)) return { value: object };
	return {
		message: `'${label}' holds ${isDate(object) ? 'a date' : typeLabel(object)} where an object is expected`,
		description: 'Put the values into an object, e.g. { "name": "Logistics companies in Austria" }',
	};
}

/** A date of any library is an object to JavaScript, and text to JSON. */
const isDate = (value: unknown) => isObject(value) && typeof value.toJSON === 'function';
