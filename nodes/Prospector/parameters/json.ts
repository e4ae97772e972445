import type { IDataObject } from 'n8n-workflow';
import { invalid, typeLabel } from '../messages/userMessage';
import { isObject } from '../utils';

const FENCE = '```';

/** Language models often put JSON into a Markdown code block. */
function stripCodeFence(text: string): string {
	const trimmed = text.trim();
	if (!trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) return text;
	const language = /^\w*/;
	return trimmed.slice(FENCE.length, -FENCE.length).replace(language, '').trim();
}

/** Parses JSON that a person typed or a language model wrote. @throws UserError */
export function parseJson(text: string, label: string): unknown {
	try {
		return JSON.parse(stripCodeFence(text));
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

/** An expression can return objects that JSON.stringify throws on. @throws UserError */
export function requireSerializable<T extends object>(values: T, label: string): T {
	try {
		JSON.stringify(values);
		return values;
	} catch (thrown) {
		// A message of V8.
		const reason = String((thrown as Error | undefined)?.message);
		if (reason.includes('call stack')) {
			invalid(`'${label}' is nested too deeply`, 'Leave out the inner levels, or enter them as text');
		}
		if (reason.includes('circular')) {
			invalid(
				`'${label}' can't be sent as JSON, because it contains itself`,
				'Leave out the reference to the object itself',
			);
		}
		return invalid(
			`'${label}' can't be sent as JSON`,
			'Use only text, numbers, true, false, null, and lists and objects of these',
		);
	}
}
