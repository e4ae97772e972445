import { isObject } from '../../utils';

/** Common names of fields with an explanation. The contract does not show the body of a refusal (section 7). */
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

/** Whether a body is a web page. */
export const isHtml = (body: unknown) =>
	typeof body === 'string' && /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body);

/** Returns the service's explanation of a refusal; undefined for a web page or an empty body. */
export function extractErrorText(body: unknown): string | undefined {
	if (isHtml(body)) return undefined;
	const text = findText(body, 0);
	if (text !== undefined) return text;
	const rest = isObject(body) ? { ...body, request_id: undefined } : body;
	const json = typeof rest === 'object' ? asJson(rest) : '';
	return ['', '{}', '[]', 'null'].includes(json) ? undefined : json;
}

/** JSON.parse accepts JSON that is nested too deeply for JSON.stringify. */
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
	const candidates = Array.isArray(value)
		? value.slice(0, 1)
		: isObject(value)
			? COMMON_MESSAGE_FIELDS.map((name) => value[name])
			: [];
	for (const candidate of candidates) {
		const text = findText(candidate, depth + 1);
		if (text !== undefined) return text;
	}
	return undefined;
}
