import { parseTimestamp } from '../utils';

/** From these on, a number is not a duration in seconds but a date in seconds or milliseconds since 1970. */
const DATE_IN_SECONDS = 1e9;
const DATE_IN_MILLISECONDS = 1e12;

/**
 * Parses Retry-After (RFC 9110): seconds, an HTTP date, or a date in seconds or milliseconds since 1970.
 *
 * @param headers with lower-case names
 * @param nowMs milliseconds since 1970 on this machine's clock
 * @returns milliseconds; undefined without a valid header
 */
export function parseRetryAfter(headers: Record<string, unknown>, nowMs: number): number | undefined {
	// The service's dates are compared with its own clock if it sends one.
	return parseDuration(text(headers['retry-after']), parseTimestamp(text(headers.date)) ?? nowMs);
}

const text = (value: unknown): string => String(Array.isArray(value) ? value[0] : (value ?? '')).trim();

/** @returns milliseconds after `base`, never negative */
function parseDuration(value: string, base: number): number | undefined {
	if (/^\d{1,15}(?:\.\d+)?$/.test(value)) {
		const number = Number(value);
		if (number >= DATE_IN_MILLISECONDS) return Math.max(0, number - base);
		if (number >= DATE_IN_SECONDS) return Math.max(0, number * 1000 - base);
		return number * 1000;
	}
	// Date.parse accepts nearly any text with a digit.
	const date = /\d{2}:\d{2}/.test(value) ? parseTimestamp(value) : undefined;
	return date === undefined ? undefined : Math.max(0, date - base);
}
