import { isObject } from '../values';

/** Where services put the sentence that a person should read. The contract does not show it (section 7). */
const COMMON_MESSAGE_FIELDS = [
	'message',
	'error',
	'detail',
	'error_description',
	'errors',
	'title',
	'msg',
	'reason',
] as const;

/** Whether an answer was meant for a browser. */
export const isHtml = (body: unknown) =>
	typeof body === 'string' && /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body);

/**
 * The service's own words about a refusal, whatever shape they come in.
 *
 * @returns undefined for a web page and for an empty body
 */
export function extractErrorText(body: unknown): string | undefined {
	if (isHtml(body)) return undefined;
	const words = findText(body, 0);
	if (words !== undefined) return words;
	// No sentence in any customary place: whatever it is, it is more than nothing.
	const rest = isObject(body) ? { ...body, request_id: undefined } : body;
	const json = typeof rest === 'object' ? asJson(rest) : '';
	return ['', '{}', '[]', 'null'].includes(json) ? undefined : json;
}

/** JSON can be nested so deeply that it can be read but not written. */
function asJson(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		return '';
	}
}

function findText(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (depth > 3) return undefined;
	const inside = Array.isArray(value)
		? value.slice(0, 1)
		: isObject(value)
			? COMMON_MESSAGE_FIELDS.map((name) => value[name])
			: [];
	for (const candidate of inside) {
		const words = findText(candidate, depth + 1);
		if (words !== undefined) return words;
	}
	return undefined;
}
