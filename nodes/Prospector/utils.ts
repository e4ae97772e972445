// Small pure functions that fit no other file. They accept any value from outside and take linear time.
import { createHash } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';

/** Whether a node is the tool that n8n derives from it for AI agents (n8n-behaviour.md#nodes). */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object without its fields that are null or undefined. */
export const definedFields = (values: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));

/** Returns text and numbers as text, and nothing for other values: String() throws on some objects. */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether no other whole number is stored as the same value, so that its digits are certain. A decimal may be rounded. */
export const isExactNumber = (value: number): boolean =>
	Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const RFC_9110 =
	/^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d) \d\d:\d\d:\d\d GMT$/;

/**
 * Returns milliseconds since the epoch of a time in ISO 8601 or of a `Date` header (RFC 9110); undefined for other texts,
 * in which Date.parse finds some year. A time without a zone is UTC (contract, section 2.2).
 */
export function parseTimestamp(timestamp: unknown): number | undefined {
	if (typeof timestamp !== 'string' || timestamp.length > 40) return undefined;
	const [, date, time = '00:00', zone = 'Z'] = ISO_8601.exec(timestamp.trim()) ?? [];
	if (date === undefined && !RFC_9110.test(timestamp)) return undefined;
	const fullZone = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.toUpperCase();
	const timeMs = Date.parse(date === undefined ? timestamp : `${date}T${time}${fullZone}`);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Sorts the newest first, and what has no time last. */
export const compareNewestFirst = (one: { createdAtMs?: number }, other: { createdAtMs?: number }): number =>
	(other.createdAtMs ?? 0) - (one.createdAtMs ?? 0);

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export function truncate(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	// Half a surrogate pair would not be valid text.
	return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns eight characters for a text of any length. Among 10,000 IDs, two share theirs once in five million times. */
export const shortHash = (text: string): string =>
	Buffer.from(sha256Hex(text).slice(0, 12), 'hex').toString('base64url');

/** Longer than any name or status. Bounds the time, because Unicode normalization takes quadratic time. */
const MAX_FOLDED_LENGTH = 512;

/**
 * Returns a form of a text in which letter case does not matter, and neither does whether accents are separate characters
 * or whether an I has the Turkish dot. A longer text stays as it is.
 */
export function foldCase(text: string): string {
	if (text.length > MAX_FOLDED_LENGTH) return text;
	// The capital of ß is SS, and that of both forms of sigma is Σ.
	return text
		.normalize('NFD')
		.toLowerCase()
		.toUpperCase()
		.replace(/I\u0307/g, 'I');
}
