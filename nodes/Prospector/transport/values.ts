import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object: neither a list nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns text and numbers as text, and nothing for other values: String() throws on some objects. */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What kind of thing a value is, in words for a message. */
export function typeLabel(value: unknown): string {
	if (value === undefined || value === null) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** Returns milliseconds since the epoch; undefined if the text is no timestamp. */
export function parseTimestamp(timestamp: unknown): number | undefined {
	const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
	return Number.isNaN(time) ? undefined : time;
}
