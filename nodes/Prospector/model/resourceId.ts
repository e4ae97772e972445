import { isInvalid, type Validated } from '../messages/userMessage';
import { typeLabel } from '../transport/values';

/** Longer than any id of any service; keeps a pasted document out of the address. */
const MAX_LENGTH = 512;

/**
 * Checks an id before it becomes part of an address. The contract says only that ids are text.
 *
 * @param value from a resource locator or an expression
 * @param label the field as it is shown
 */
export function checkResourceId(value: unknown, label: string): Validated<string> {
	const text = asText(value, label);
	if (isInvalid(text)) return text;
	const id = text.value.trim();
	if (id === '') {
		return {
			message: `'${label}' is empty`,
			description: `Pick one from the list, or give an ID; an expression in '${label}' must give text`,
		};
	}
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(id)) {
		return {
			message: `'${label}' got a web address instead of an ID`,
			description: "Give the ID alone: the part of the address that names it, without 'https://' and slashes",
		};
	}
	if (id === '.' || id === '..' || /[\p{Cc}\p{Cf}]/u.test(id) || !isWellFormed(id)) {
		return {
			message: `'${label}' holds something that is not an ID`,
			description: `Pick one from the list, or copy the ID again: an ID is not '.' or '..' and has no line breaks or invisible characters`,
		};
	}
	if (id.includes('[object ')) {
		return {
			message: `'${label}' got an object instead of an ID`,
			description: 'Use the ID inside it, e.g. {{ $json.id }}',
		};
	}
	if (id.length > MAX_LENGTH) {
		return {
			message: `'${label}' has ${id.length} characters, which is too long for an ID`,
			description: 'Give the ID alone',
		};
	}
	return { value: id };
}

function asText(value: unknown, label: string): Validated<string> {
	if (typeof value === 'string') return { value };
	// A larger number has lost its last digits, and would name something else.
	if (typeof value === 'number' && Number.isSafeInteger(value)) return { value: String(value) };
	if (value === undefined || value === null) return { value: '' };
	return {
		message: `'${label}' got ${typeLabel(value)} instead of an ID`,
		description: `Use the ID inside it, e.g. {{ $json.id }}`,
	};
}

/** Half of a surrogate pair cannot be encoded into an address. */
function isWellFormed(text: string): boolean {
	return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
