import type { Failure, StatusFailure } from './failure';

const REPLACEMENT = '[API key]';
const OMITTED = '[text with the API key]';
/** A shorter text is no secret, and could be part of any response. */
const MIN_KEY_LENGTH = 8;

/** Removes an API key from a text. */
export type Redact = (text: string) => string;

/**
 * Returns a function for texts of messages. It replaces the API key in the forms that services use: plain, JSON-escaped,
 * percent-encoded, in base64 or base64url. A text from which the key can be decoded in another way is omitted, and so is
 * one that is encoded more often than a service would. Takes linear time.
 */
export function createRedactor(apiKey: string): Redact {
	if (apiKey.length < MIN_KEY_LENGTH) return (text) => text;
	const base64 = base64Forms(apiKey);
	const plain = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
	const forms = [...new Set([...plain, ...plain.map(toLowerAscii), ...plain.map(toUpperAscii), ...base64])];
	// Decoding may change the key itself.
	const decodedKeys = [apiKey, decodeFully(apiKey)]
		.filter((key) => key.length >= MIN_KEY_LENGTH)
		.map(toLowerAscii);
	const holdsKey = (text: string) =>
		decodedKeys.some((key) => toLowerAscii(text).includes(key)) || base64.some((form) => text.includes(form));
	return (text) => {
		const redacted = forms.reduce((rest, form) => rest.replaceAll(form, REPLACEMENT), text);
		let decoded = redacted;
		for (let round = 0; round < MAX_DECODING_ROUNDS; round++) {
			if (holdsKey(decoded)) return OMITTED;
			const next = decode(decoded);
			if (next === decoded) return redacted;
			decoded = next;
		}
		return OMITTED;
	};
}

function decodeFully(text: string): string {
	for (let round = 0; round < MAX_DECODING_ROUNDS; round++) text = decode(text);
	return text;
}

/** A text that still changes then was encoded to hide something. */
const MAX_DECODING_ROUNDS = 6;

const toLowerAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const toUpperAscii = (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

const NAMED_ENTITIES = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
]);

const fromCode = (digits: string, base: number) => {
	const code = parseInt(digits, base);
	return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/** Decodes one level of percent, JSON and HTML encoding, and removes markup and invisible characters. */
const decode = (text: string): string =>
	text
		.replace(/<[^<>]*>|\p{Cf}/gu, '')
		.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => fromCode(hex, 16))
		.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))?/gi, (_, u?: string, x?: string) => {
			const code = u ?? x;
			return code === undefined ? '' : fromCode(code, 16);
		})
		.replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex: string) => fromCode(hex, 16))
		.replace(/&#(\d{1,7});?/g, (_, digits: string) => fromCode(digits, 10))
		.replace(/&(amp|lt|gt|quot|apos);?/gi, (_, name: string) => NAMED_ENTITIES.get(name.toLowerCase()) ?? '');

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

/** Much more than a message shows. Bounds the time that a text of the service takes. */
const MAX_SCANNED_LENGTH = 32 * 1024;
/** As long as the longest API key with each character as `&#x0070;`. */
const MAX_KEY_FORM_LENGTH = 16 * 1024;

/**
 * Returns the beginning of a text without the API key. If the text was cut, as much as the key can take is removed
 * from the end, so that no part of the key remains.
 */
export function redactBeginning(text: string, redact: Redact): string {
	const redacted = redact(text.slice(0, MAX_SCANNED_LENGTH));
	return text.length > MAX_SCANNED_LENGTH ? redacted.slice(0, -MAX_KEY_FORM_LENGTH) : redacted;
}

/** Returns the service's text for messages, hints and the log: one line without markup and API key, truncated. */
export function toPlainText(text: string, redact: Redact, maxLength: number): string {
	const redacted = redactBeginning(text, redact);
	// Truncated last, because a part of the key would no longer match.
	return truncate(toOneLine(redacted.replace(/<[a-z/!?][^<>]*>/gi, '').replace(/\p{Cf}/gu, '')), maxLength);
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
