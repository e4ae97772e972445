/** What an answer tells about the limit. The contract shows no such header (section 8), so each may be absent. */
export interface RateReport {
	/** Milliseconds in which nothing is to be sent. */
	retryAfter?: number;
	/** Requests per window. */
	limit?: number;
	/** Requests left now. */
	remaining?: number;
	/** Milliseconds until there is room again. */
	reset?: number;
}

/** Beyond these a number is no count of seconds, but a date in seconds or in milliseconds since 1970. */
const DATE_IN_SECONDS = 1e9;
const DATE_IN_MILLISECONDS = 1e12;

/**
 * Reads the customary headers: Retry-After (RFC 9110), the drafts of RateLimit and its older spelling with X-.
 *
 * @param headers with lower-case names
 * @param now milliseconds since 1970, by this machine's clock
 */
export function readRateReport(headers: Record<string, unknown>, now: number): RateReport {
	// Dates are the service's: compared with its own clock where it tells it.
	const said = Date.parse(text(headers.date));
	const clock = Number.isNaN(said) ? now : said;
	const older = 'x-ratelimit-limit' in headers || 'x-ratelimit-remaining' in headers ? 'x-' : '';
	const header = (name: string) => text(headers[`${older}ratelimit-${name}`]);
	const { name, values: combined } = tightest(policies(text(headers.ratelimit)));
	const policy = policies(text(headers['ratelimit-policy'])).find((other) => other.name === name);
	return {
		retryAfter: duration(text(headers['retry-after']), clock),
		limit: count(header('limit') || (combined.limit ?? policy?.values.q)),
		remaining: count(header('remaining') || (combined.remaining ?? combined.r)),
		reset: duration(header('reset') || (combined.reset ?? combined.t ?? ''), clock),
	};
}

const text = (value: unknown): string => String(Array.isArray(value) ? value[0] : (value ?? '')).trim();

/** `60`, and the first of `60, 60;w=60`. */
function count(value = ''): number | undefined {
	const [digits] = /^\d{1,9}/.exec(value) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** @returns milliseconds from now, never negative */
function duration(value: string, clock: number): number | undefined {
	if (/^\d{1,15}(\.\d+)?$/.test(value)) {
		const number = Number(value);
		if (number >= DATE_IN_MILLISECONDS) return Math.max(0, number - clock);
		if (number >= DATE_IN_SECONDS) return Math.max(0, number * 1000 - clock);
		return number * 1000;
	}
	// Date.parse takes nearly any text with a digit for a date.
	const date = /\d{2}:\d{2}/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - clock);
}

interface Policy {
	/** Quoted, as in `"default";r=0;t=5`; empty in the older form, `limit=60, remaining=0, reset=5`. */
	name: string;
	values: Partial<Record<string, string>>;
}

function policies(value: string): Policy[] {
	const parts = value.includes('"') ? value.split(/,(?=\s*")/) : [value];
	return parts.map((part) => ({
		name: /"([^"]*)"/.exec(part)?.[1] ?? '',
		values: Object.fromEntries(
			[...part.matchAll(/([a-z]+)=(\d+)/g)].map(([, name, number]) => [name, number]),
		),
	}));
}

/** Of several limits the one that is used up first. */
const tightest = (all: Policy[]) =>
	all.reduce((a, b) => (Number(b.values.r ?? Infinity) < Number(a.values.r ?? Infinity) ? b : a));
