import type { Failure, StatusFailure } from './failure';

const REPLACEMENT = '[API key]';
/** A shorter text is no secret, and could be part of any response. */
const MIN_KEY_LENGTH = 8;

/** Removes an API key from a text. */
export type Redact = (text: string) => string;

/**
 * Returns a function that removes an API key from a text in every form in which a service may repeat it: plain,
 * percent-encoded, JSON-escaped, as HTML entities, in base64 or base64url.
 */
export function createRedactor(apiKey: string): Redact {
	if (apiKey.length < MIN_KEY_LENGTH) return (text) => text;
	const base64 = base64Forms(apiKey);
	const forms = new RegExp([escapedForm(apiKey), ...base64.map(escapeRegExp)].join('|'), 'gi');
	// A search for plain text is many times faster than the expression, and few responses hold the key.
	const signs = ['%', '&', '<', '\\', apiKey, apiKey.toLowerCase(), apiKey.toUpperCase(), ...base64];
	const mayHoldKey = (text: string) => signs.some((sign) => text.includes(sign));
	return (text) => (mayHoldKey(text) ? text.replace(forms, REPLACEMENT) : text);
}

/** Between two characters of the key: a browser would show the key without it. */
const MARKUP = '(?:(?:<|\\\\{1,4}u003c)[^<>]{0,300}?(?:>|\\\\{1,4}u003e))*';

/** Matches the key with any of its characters escaped, and with markup inside. */
function escapedForm(apiKey: string): string {
	return [...apiKey]
		.map((character) => {
			const code = character.charCodeAt(0);
			const hex = code.toString(16);
			const plain = escapeRegExp(character);
			return `(?:%(?:25){0,3}${hex}|\\\\{1,4}(?:u00${hex}|${plain})|&#(?:x0{0,6}${hex}|0{0,6}${code});?|${plain})`;
		})
		.join(MARKUP);
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * The part of the key's base64 that does not depend on what stands before and after the key, for each of its three
 * positions within a group of three bytes.
 */
function base64Forms(apiKey: string): string[] {
	const forms = [0, 1, 2].flatMap((offset) => {
		const text = Buffer.from('\0'.repeat(offset) + apiKey).toString('base64');
		const lastWholeGroup = Math.floor((offset + apiKey.length) / 3) * 4;
		const form = text.slice(offset === 0 ? 0 : offset + 1, lastWholeGroup);
		return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
	});
	// A short form could be part of any text.
	return [...new Set(forms)].filter((form) => form.length >= MIN_KEY_LENGTH);
}

/** Only the beginning of a long text can become part of a message. */
const MAX_SCANNED_LENGTH = 64 * 1024;
/** Removed from the end of a text that was cut, so that no half of an API key remains. */
const MAX_KEY_FORM_LENGTH = 4096;

/** Returns the service's text for messages, hints and the log: one line without markup and API key, truncated. */
export function toPlainText(text: string, redact: Redact, maxLength: number): string {
	const withoutMarkup = text.slice(0, MAX_SCANNED_LENGTH).replace(/<[a-z/!?][^<>]*>/gi, '');
	// Markup first: it may stand inside the key. Truncation last: half a key would no longer match.
	const redacted = toOneLine(redact(withoutMarkup.replace(/\p{Cf}/gu, '')));
	return truncate(
		text.length > MAX_SCANNED_LENGTH ? redacted.slice(0, -MAX_KEY_FORM_LENGTH) : redacted,
		maxLength,
	);
}

/** More than any status or request ID. */
const MAX_QUOTED_LENGTH = 200;

/** Returns short text of the service, such as a status, as it may appear in a message, a hint or the log. */
export const quotable = (text: string, redact: Redact) => toPlainText(text, redact, MAX_QUOTED_LENGTH);

/** Replaces line breaks and other control characters by spaces. */
export const toOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

export function truncate(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// Half a surrogate pair would not be valid text.
	return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** More of the service's own text than a person reads. */
const MAX_SERVER_TEXT_LENGTH = 300;

/** Returns the failure with every text of the service as {@link toPlainText} returns it. */
export function redactFailure(failure: Failure, redact: Redact): Failure {
	const plain = (text: string) => toPlainText(text, redact, MAX_SERVER_TEXT_LENGTH);
	// Only some kinds of failures have these.
	const { requestId, serverMessage, location } = failure as Partial<StatusFailure>;
	return {
		...failure,
		...(requestId !== undefined && { requestId: plain(requestId) }),
		...(serverMessage !== undefined && { serverMessage: plain(serverMessage) }),
		...(location !== undefined && { location: plain(location) }),
	};
}
