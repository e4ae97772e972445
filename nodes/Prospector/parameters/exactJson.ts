// Decides whether a value of a person, a model or another node is sent as it is, is left out, or is refused. What is
// sent has the value that was entered, and JSON is sent as it was entered. More tests: test/unit/parameters/body.test.ts,
// test/workflow/values.test.ts.
import { throwUserError, isDate } from '../messages/userMessage';
import {
	JsonLimitError,
	MAX_FIELDS,
	MAX_LEVELS,
	MAX_VALUE_BYTES,
	readJson,
} from '../transport/request/readJson';
import type { Turns } from '../transport/turns';
import { isExactNumber } from '../utils';

const failForSize = (label: string): never =>
	throwUserError(
		`'${label}' is too large to be sent`,
		'Send at most 1 MB, 10,000 fields in an object, 200,000 items in a list, and 1,000 lists and objects inside each other',
	);

/** @throws UserError for more fields, a longer text, or more levels than can be sent */
export function requireSendableSize(
	{ fieldCount = 0, length = 0, level = 0 }: { fieldCount?: number; length?: number; level?: number },
	label: string,
): void {
	if (fieldCount > MAX_FIELDS || length > MAX_VALUE_BYTES || level > MAX_LEVELS) failForSize(label);
}

/** Half a surrogate pair would change what is around it. @throws UserError */
export function requireWholeCharacters(text: string, name: string): string {
	return /\p{Cs}/u.test(text)
		? throwUserError(`'${name}' contains half a character`, 'Check where the text is cut')
		: text;
}

const failForChangedNumber = (name: string, advice: string): never =>
	throwUserError(`'${name}' has a number that n8n can't send without changing it`, advice);

/** @throws UserError for a number whose digits may have changed, and for one that JSON does not have */
export function requireExactNumber(value: number, name: string): number {
	if (isExactNumber(value)) return value;
	if (Number.isFinite(value)) return failForChangedNumber(name, 'Enter it as text');
	return throwUserError(`'${name}' is not a number that can be sent (${value})`, 'Check the expression');
}

/** Longer than any number. */
const MAX_NUMBER_LENGTH = 1000;

/** Returns the number in a text; undefined if it is none. @throws UserError if the number would get other digits */
export function parseExactNumber(text: string, name: string): number | undefined {
	const number = Number(text);
	if (text.length > MAX_NUMBER_LENGTH || Number.isNaN(number) || /[^\d.e+\s-]/i.test(text)) return undefined;
	const [mantissa] = text.split(/e/i);
	const digits = mantissa.replace(/\D/g, '').replace(/^0+/, '');
	// JavaScript keeps 15 digits of any number in its range. A number below the range becomes 0.
	const isKept = digits.length <= 15 && (number !== 0 || digits === '');
	if (isExactNumber(number) && (isKept || String(number) === text.trim())) return number;
	return failForChangedNumber(name, "Use the type String, or set 'Enter Values' to Using JSON");
}

const INVALID_JSON_ADVICE =
	'Check quotation marks, commas and brackets. To send no values, enter {}. For text from an expression, write {{ JSON.stringify($json.name) }} without quotation marks';

/** Parses JSON of a person or a language model. Returns the value, and JSON that can be sent. @throws UserError */
export async function parseJsonText(text: string, label: string, turns: Turns) {
	requireSendableSize({ length: text.length }, label);
	const json = stripCodeFence(text);
	const { value } = await readJson(Buffer.from(json), turns).catch((thrown: Error) =>
		thrown instanceof JsonLimitError
			? failForSize(label)
			: throwUserError(`'${label}' is not valid JSON`, INVALID_JSON_ADVICE),
	);
	// Half a surrogate pair can only be sent escaped.
	return { value, json: json.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`) };
}

/** Language models often put JSON into a Markdown code block. */
export const stripCodeFence = (text: string) => text.replace(/^\s*```\w*|```\s*$/g, '').trim();

/** What JSON.stringify leaves out, or turns into null in a list. */
const TYPES_WITHOUT_JSON = ['undefined', 'function', 'symbol'];

/** Returns what a value is converted to. @throws UserError if the conversion throws, or returns nothing */
function convert<T>(name: string, toJson: () => T | null | undefined): T {
	try {
		return toJson() ?? failForUnknownValue(name);
	} catch {
		return failForUnknownValue(name);
	}
}

/** Returns a value as JSON. @throws UserError for a value that would be changed, or that JSON does not have */
export function toExactJson(value: unknown, label: string): string {
	let length = 0;
	/** @param name of the field with the value @param level number of lists and objects around the value */
	function requireSendable(part: unknown, name: string, level: number): void {
		length += typeof part === 'string' ? part.length : 1;
		requireSendableSize({ length, level }, label);
		if (typeof part === 'number') requireExactNumber(part, name);
		if (typeof part !== 'object' || part === null) return;
		// The text of an invalid date is null.
		if (isDate(part)) {
			const converted = convert(name, () => part.toJSON());
			return requireSendable(converted, name, level + 1);
		}
		if (Array.isArray(part)) {
			for (const item of part as unknown[]) {
				if (TYPES_WITHOUT_JSON.includes(typeof item)) failForUnknownValue(name);
				requireSendable(item, name, level + 1);
			}
			return;
		}
		// A Map would become an empty object.
		if (Object.prototype.toString.call(part) !== '[object Object]') failForUnknownValue(name);
		requireSendableSize({ fieldCount: Object.keys(part).length }, label);
		for (const [fieldName, field] of Object.entries(part)) {
			length += fieldName.length;
			requireSendable(field, fieldName, level + 1);
		}
	}
	requireSendable(value, label, 0);
	// Undefined for a function.
	return convert(label, () => JSON.stringify(value) as string | undefined);
}

const failForUnknownValue = (name: string): never =>
	throwUserError(
		`'${name}' can't be sent as JSON`,
		'Use only text, numbers, valid dates, true, false, null, and lists and objects of these',
	);
