// Decides whether a value of a person, a model or another node is sent as it is, is left out, or is refused. What is
// sent has the characters and digits that were entered. Tests: test/unit/parameters/body.test.ts,
// test/workflow/values.test.ts.
import { JSON_EXCESSES } from '../messages/failureMessages';
import { fail, isDate } from '../messages/userMessage';
import {
	JsonLimitError,
	MAX_FIELDS,
	MAX_LEVELS,
	MAX_VALUE_BYTES,
	readJson,
} from '../transport/request/readJson';
import type { Turns } from '../transport/turns';
import { isExactNumber } from '../utils';

/** @throws UserError for more fields, a longer text, or more levels than can be sent */
export function requireSendableSize(fieldCount: number, length: number, label: string, level = 0): void {
	if (fieldCount <= MAX_FIELDS && length <= MAX_VALUE_BYTES && level <= MAX_LEVELS) return;
	fail(
		`'${label}' is too large to be sent`,
		'Send at most 1 MB, 10,000 fields in an object, and 1,000 lists and objects inside each other',
	);
}

/** Half a surrogate pair would change what is around it. @throws UserError */
export function requireWholeCharacters(text: string, name: string): string {
	return /\p{Cs}/u.test(text)
		? fail(`'${name}' has half of a character`, 'Check where the text is cut')
		: text;
}

/** Whether nothing was entered. Only a null that was chosen clears a field. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A value, and the JSON text that is sent. */
export interface SentValue {
	value: unknown;
	json: string;
}

const failForChangedNumber = (name: string, advice = 'Enter it as text'): never =>
	fail(`'${name}' has a number that n8n can't send without changing it`, advice);

/** @throws UserError for a number whose digits may have changed, and for one that JSON does not have */
export function requireExactNumber(value: number, name: string): number {
	if (isExactNumber(value)) return value;
	if (Number.isFinite(value)) return failForChangedNumber(name);
	return fail(`'${name}' is not a number that can be sent (${value})`, 'Check the expression');
}

/** Whether JavaScript keeps all digits of a decimal number. */
function isExactDecimal(text: string): boolean {
	const number = Number(text);
	const [mantissa] = text.split(/e/i);
	const digits = mantissa.replace(/\D/g, '').replace(/^0+/, '');
	// JavaScript keeps 15 digits of any number that is neither too large nor too small.
	const isKept = digits.length <= 15 && (number !== 0 || digits === '');
	return isExactNumber(number) && (isKept || String(number) === text.trim());
}

/** Longer than any number. */
const MAX_NUMBER_LENGTH = 1000;

/** Returns the number in a text; undefined if it is none. @throws UserError if the number would get other digits */
export function parseExactNumber(text: string, name: string): number | undefined {
	if (text.length > MAX_NUMBER_LENGTH || Number.isNaN(Number(text)) || /[^\d.e+\s-]/i.test(text))
		return undefined;
	if (isExactDecimal(text)) return Number(text);
	return failForChangedNumber(name, "Use the type String, or set 'Enter Values' to Using JSON");
}

const JSON_ADVICE =
	'To send no values, enter {}. For text from an expression, write {{ JSON.stringify($json.name) }} without quotation marks';

/** Parses JSON of a person or a language model. Returns the value, and JSON that can be sent. @throws UserError */
export async function parseJsonText(text: string, label: string, turns: Turns) {
	requireSendableSize(0, text.length, label);
	const json = stripCodeFence(text);
	const parsed = await readJson(Buffer.from(json), turns).catch((thrown: Error) => thrown);
	if (parsed instanceof JsonLimitError)
		return fail(`'${label}' ${JSON_EXCESSES[parsed.limit]}`, 'Send less, or send it in several requests');
	if (parsed instanceof Error) return failForInvalidJson(label, `. ${JSON_ADVICE}`);
	// Half a surrogate pair can only be sent escaped.
	const sendableJson = json.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
	return { ...parsed, json: sendableJson };
}

/** Language models often put JSON into a Markdown code block. */
export const stripCodeFence = (text: string) => text.replace(/^\s*```\w*|```\s*$/g, '').trim();

/** @throws UserError */
export const failForInvalidJson = (label: string, furtherAdvice = ''): never =>
	fail(`'${label}' is not valid JSON`, `Check quotation marks, commas and brackets${furtherAdvice}`);

/** Returns a value as JSON. @throws UserError for a value that would be changed, or that JSON does not have */
export function toExactJson(value: unknown, label: string): string {
	requireSendable(value, label, 0, { label, characters: 0 });
	// Undefined for a function.
	const json = JSON.stringify(value) as string | undefined;
	return json ?? failForUnknownValue(label);
}

/** What is sent of the value of a parameter with that label, so far. */
interface SentSize {
	label: string;
	characters: number;
}

/** @param name of the field with the value @param level number of lists and objects around the value */
function requireSendable(value: unknown, name: string, level: number, size: SentSize): void {
	if (typeof value === 'number') requireExactNumber(value, name);
	size.characters += typeof value === 'string' ? value.length : 1;
	requireSendableSize(0, size.characters, size.label, level);
	if (typeof value !== 'object' || value === null) return;
	const sentValue = toPlainValue(value);
	// An invalid date would become null, and a Map an empty object.
	if (sentValue === null) failForUnknownValue(name);
	if (sentValue !== value) return requireSendable(sentValue, name, level + 1, size);
	if (Array.isArray(value)) {
		for (const item of value as unknown[]) {
			// JSON.stringify would turn it into null.
			if (['undefined', 'function', 'symbol'].includes(typeof item)) failForUnknownValue(name);
			requireSendable(item, name, level + 1, size);
		}
		return;
	}
	if (Object.prototype.toString.call(value) !== '[object Object]') failForUnknownValue(name);
	requireSendableSize(Object.keys(value).length, 0, size.label);
	for (const [fieldName, field] of Object.entries(value)) {
		size.characters += fieldName.length;
		requireSendable(field, fieldName, level + 1, size);
	}
}

/** Returns dates of all libraries as text, and null for invalid ones. */
export function toPlainValue(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || !isDate(value)) return value;
	try {
		return value.toJSON();
	} catch {
		return null;
	}
}

const failForUnknownValue = (name: string): never =>
	fail(
		`'${name}' can't be sent as JSON`,
		'Use only text, numbers, valid dates, true, false, null, and lists and objects of these',
	);
