import type { Failure } from './failure';
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

/** More than any status or request ID. */
const MAX_QUOTED_LENGTH = 200;

/** Returns short text of the service, such as a status, as it may appear in a message, a hint or the log. */
export const quotable = (text: string, redact: Redact) => toPlainText(text, redact, MAX_QUOTED_LENGTH);

/** Replaces line breaks and other control characters by spaces. */
export const toOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** @returns the text, or its beginning and an ellipsis */
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
	switch (failure.kind) {
		case 'status': {
			const { requestId, serverMessage, location } = failure;
			return {
				...failure,
				...(requestId !== undefined && { requestId: plain(requestId) }),
				...(serverMessage !== undefined && { serverMessage: plain(serverMessage) }),
				...(location !== undefined && { location: plain(location) }),
			};
		}
		case 'unexpectedResponse':
		case 'invalidPagination': {
			const { requestId } = failure;
			return requestId === undefined ? failure : { ...failure, requestId: plain(requestId) };
		}
		default:
			return failure;
	}
}
