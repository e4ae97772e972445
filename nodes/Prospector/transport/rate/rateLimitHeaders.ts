import { parseTimestamp } from '../../utils';

/** Rate limit headers of a response. The contract names none (section 8), so each may be absent. */
export interface RateLimitHeaders {
	/** Milliseconds during which no request may be sent. */
	retryAfter?: number;
	/** Requests per window. */
	limit?: number;
	/** Requests left in this window. */
	remaining?: number;
	/** Milliseconds until requests are allowed again. */
	reset?: number;
}

/** From these on, a number is not a duration in seconds but a date in seconds or milliseconds since 1970. */
const DATE_IN_SECONDS = 1e9;
const DATE_IN_MILLISECONDS = 1e12;

/**
 * Parses Retry-After (RFC 9110), the drafts of RateLimit, and the older headers that start with X-RateLimit.
 *
 * @param headers with lower-case names
 * @param now milliseconds since 1970 on this machine's clock
 */
export function parseRateLimitHeaders(headers: Record<string, unknown>, now: number): RateLimitHeaders {
	// Compare the service's dates with its own clock if it sends one.
	const base = parseTimestamp(text(headers.date)) ?? now;
	const prefix = 'x-ratelimit-limit' in headers || 'x-ratelimit-remaining' in headers ? 'x-' : '';
	const header = (name: string) => text(headers[`${prefix}ratelimit-${name}`]);
	const { name, values } = strictestPolicy(parsePolicies(text(headers.ratelimit)));
	const policy = parsePolicies(text(headers['ratelimit-policy'])).find((other) => other.name === name);
	return {
		retryAfter: parseDuration(text(headers['retry-after']), base),
		limit: parseCount(header('limit') || (values.get('limit') ?? policy?.values.get('q'))),
		remaining: parseCount(header('remaining') || (values.get('remaining') ?? values.get('r'))),
		reset: parseDuration(header('reset') || (values.get('reset') ?? values.get('t') ?? ''), base),
	};
}

const text = (value: unknown): string => String(Array.isArray(value) ? value[0] : (value ?? '')).trim();

/** Parses `60`, and the first number of `60, 60;w=60`. */
function parseCount(value = ''): number | undefined {
	const [digits] = /^\d{1,9}/.exec(value) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

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

interface Policy {
	/** Quoted in the header, e.g. `"default";r=0;t=5`; empty in the older form, `limit=60, remaining=0, reset=5`. */
	name: string;
	values: Map<string, string>;
}

/** Splits instead of matching, which takes linear time for any text. */
function parsePolicies(value: string): Policy[] {
	const policies: Policy[] = [];
	for (const part of value.split(/[,;]/).map((untrimmed) => untrimmed.trim())) {
		const isName = part.startsWith('"');
		if (isName || policies.length === 0) {
			policies.push({ name: isName ? part.split('"')[1] : '', values: new Map() });
		}
		const [key, number = ''] = part.split('=', 2);
		if (/^\d/.test(number)) policies[policies.length - 1].values.set(key, number);
	}
	return policies;
}

const strictestPolicy = (policies: Policy[]) =>
	policies.reduce((a, b) => (requestsLeft(b) < requestsLeft(a) ? b : a));

const requestsLeft = ({ values }: Policy) => parseCount(values.get('r')) ?? Infinity;
