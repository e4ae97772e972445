import { isObject } from '../../transport/values';

/** A locator in a locator, and JSON text around both: nobody sends more. */
const MAX_DEPTH = 4;

/**
 * The ID in what stands where one is expected. n8n gives the object of its resource locator; an expression over the
 * whole field or an AI agent also gives plain text, `{ "id": … }`, `{ "value": … }`, or JSON text of these. From an
 * object with more in it nothing is taken: it may be another thing than the one that is asked for.
 *
 * @returns whatever was found, unchecked
 */
export function extractId(parameter: unknown): unknown {
	let value = parameter;
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		if (typeof value === 'string') value = fromJson(value);
		if (!isObject(value)) return value;
		const inner = unwrapSingleKey(value);
		if (inner === undefined) return value;
		[value] = inner;
	}
	return value;
}

/** @returns the value that the object is only the wrapping of, in a list, or undefined */
function unwrapSingleKey(object: Record<string, unknown>): [unknown] | undefined {
	if ('__rl' in object || ('mode' in object && 'value' in object)) return [object.value];
	const [key, ...others] = Object.keys(object);
	return others.length === 0 && (key === 'id' || key === 'value') ? [object[key]] : undefined;
}

/** No ID begins like a JSON object or quoted text. */
function fromJson(text: string): unknown {
	if (!/^\s*[{"]/.test(text)) return text;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
