// Removes API keys from texts. Called for each text that the package shows or logs; takes linear time for any text.
import { truncate } from '../utils';

const REPLACEMENT = '[API key]';
const OMITTED_TEXT = '[text with the API key]';
/** A shorter text is no secret, and could be part of any response. */
const MIN_KEY_LENGTH = 8;

/** Removes an API key from a text. */
export type Redact = (text: string) => string;

/** Removes the API keys of one call of n8n, except keys below 8 characters. */
export class Redactor {
	private readonly redactByApiKey = new Map<string, Redact>();

	/** Call before the first request with the API key. */
	addApiKey(apiKey: string): void {
		this.redactByApiKey.set(apiKey, createRedactor(apiKey));
	}

	/** Removes all API keys that were added. */
	readonly redact: Redact = (text) =>
		[...this.redactByApiKey.values()].reduce((result, redact) => redact(result), text);
}

/**
 * Returns a function that replaces the API key in the forms that services use: plain, percent-encoded, JSON-escaped, in
 * base64 or base64url. It omits the whole text if the key is escaped in another way, or if white space or invisible
 * characters are inside it.
 */
export function createRedactor(apiKey: string): Redact {
	if (apiKey.length < MIN_KEY_LENGTH) return (text) => text;
	const keyInJson = JSON.stringify(apiKey).slice(1, -1);
	// Most keys have the same form in several ways, and each search takes time.
	const keyForms = [...new Set([apiKey, encodeURIComponent(apiKey), keyInJson, ...base64Forms(apiKey)])];
	return (text) => {
		const redactedText = keyForms.reduce((result, keyForm) => result.replaceAll(keyForm, REPLACEMENT), text);
		// Both as it is and without its escapes, because the key itself can contain what looks like an escape.
		const compactTexts = [redactedText, unescape(redactedText)].map(removeInvisible);
		const containsDisguisedKey = compactTexts.some((compactText) =>
			keyForms.some((form) => compactText.includes(form)),
		);
		return containsDisguisedKey ? OMITTED_TEXT : redactedText;
	};
}

const removeInvisible = (text: string) => text.replace(/\\[nrt]|[\s\p{C}\p{M}]+/gu, '');

/** Returns a text without the escapes of JSON and of addresses. */
const unescape = (text: string): string =>
	text
		.replace(/(?:\\u00|%)([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
		.replace(/\\(["/\\])/g, '$1');

/**
 * Base64 encodes groups of three bytes, and the key can begin at each of the three positions in a group. Returns, for each,
 * the part of the key's base64 that does not depend on what stands before and after the key.
 */
function base64Forms(apiKey: string): string[] {
	return [0, 1, 2].flatMap((offset) => {
		const text = Buffer.from('\0'.repeat(offset) + apiKey).toString('base64');
		const endOfWholeGroups = Math.floor((offset + apiKey.length) / 3) * 4;
		const keyForm = text.slice(offset === 0 ? 0 : offset + 1, endOfWholeGroups);
		return [keyForm, keyForm.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** Much more than a message shows. Bounds the time that a text of the service takes. */
const MAX_SCANNED_LENGTH = 32 * 1024;
/** Longer than any form of an API key. */
const MAX_KEY_FORM_LENGTH = 16 * 1024;

/** Returns a text on one line, without the API key, and truncated. */
export function redactAndTruncate(text: string, redact: Redact, maxLength: number): string {
	const redacted = redact(text.slice(0, MAX_SCANNED_LENGTH));
	// The end of a text that was cut can be a part of the key.
	const safeText = text.length > MAX_SCANNED_LENGTH ? redacted.slice(0, -MAX_KEY_FORM_LENGTH) : redacted;
	// Line breaks and other control characters become spaces.
	return truncate(safeText.replace(/[\s\p{Cc}]+/gu, ' ').trim(), maxLength);
}

/** More of the service's own text than a person reads. */
const MAX_SERVICE_TEXT_LENGTH = 300;

/** Returns a text of the service for a message: one line without markup, invisible characters and API key, truncated. */
export const sanitizeServiceText = (text: string, redact: Redact): string =>
	redactAndTruncate(
		text,
		(beginning) => redact(beginning.replace(/<[a-z/!?][^<>]*>|\p{Cf}/giu, '')),
		MAX_SERVICE_TEXT_LENGTH,
	);
