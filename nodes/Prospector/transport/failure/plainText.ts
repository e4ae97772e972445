import type { Redact } from './redactSecrets';

/** Only the beginning of a long text can become part of a message. */
const MAX_SCANNED_LENGTH = 64 * 1024;

/** Removed from the end of a text that was cut, so that no half of an API key remains. */
const MAX_KEY_FORM_LENGTH = 4096;

/**
 * Returns text of the service as it may appear in a message, a hint or the log: one line without markup, without
 * the API key, and not longer than a person reads.
 */
export function toPlainText(text: string, redact: Redact, maxLength: number): string {
	const withoutMarkup = text.slice(0, MAX_SCANNED_LENGTH).replace(/<[a-z/!?][^<>]*>/gi, '');
	// Markup first: it may stand inside the key. Truncation last: half a key would no longer match.
	const redacted = toOneLine(redact(withoutMarkup.replace(/\p{Cf}/gu, '')));
	return truncate(
		text.length > MAX_SCANNED_LENGTH ? redacted.slice(0, -MAX_KEY_FORM_LENGTH) : redacted,
		maxLength,
	);
}

/** Replaces line breaks and other control characters by spaces. */
export const toOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** @returns the text, or its beginning and an ellipsis */
export function truncate(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// Half a surrogate pair would not be valid text.
	return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
