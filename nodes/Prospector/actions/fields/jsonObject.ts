import { isProblem, type Checked } from '../../transport/checked';
import { isObject, kindOf } from '../../transport/values';
import type { IDataObject } from 'n8n-workflow';

/** Language models like to put JSON between lines of backticks. */
const withoutFence = (text: string) => /^\s*```\w*\s*([^]*?)\s*```\s*$/.exec(text)?.[1] ?? text;

/**
 * Reads JSON that a person typed or a language model wrote.
 *
 * @param label the field as it is shown
 */
export function parseJson(text: string, label: string): Checked<unknown> {
	try {
		return { value: JSON.parse(withoutFence(text)) as unknown };
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
export function checkJsonObject(value: unknown, label = 'JSON'): Checked<IDataObject> {
	const parsed = typeof value === 'string' ? parseJson(value, label) : { value };
	if (isProblem(parsed)) return parsed;
	const { value: object } = parsed;
	if (isObject(object) && !isDate(object)) return { value: object };
	return {
		message: `'${label}' holds ${isDate(object) ? 'a date' : kindOf(object)} where an object is expected`,
		description: 'Put the values into an object, e.g. { "name": "Logistics companies in Austria" }',
	};
}

/** A date of any library is an object to JavaScript, and text to JSON. */
const isDate = (value: unknown) => isObject(value) && typeof value.toJSON === 'function';
