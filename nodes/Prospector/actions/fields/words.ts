import { isInvalid, type Validated } from '../../messages/userMessage';
import { parseJson } from '../../parameters/json';

/**
 * Checks a list of words, such as statuses: text with commas or line breaks, the list that an expression gives, or the
 * JSON text of one, as a language model likes to write it.
 *
 * @param label the field as it is shown
 * @param example what could be entered
 * @returns the words without the space around them; none of an empty value
 */
export function parseStringList(value: unknown, label: string, example: string): Validated<string[]> {
	const entries = [toList(value, label)].flat();
	if (!entries.every((entry) => typeof entry === 'string' || typeof entry === 'number')) {
		return {
			message: `'${label}' is not a list of words`,
			description: `Give the words as text, separated by commas, e.g. ${example}`,
		};
	}
	const words: string[] = [];
	for (const part of entries.join(',').replaceAll('\n', ',').split(',')) {
		const word = part.trim();
		if (word !== '') words.push(word);
	}
	return { value: words };
}

function toList(value: unknown, label: string): unknown {
	if (typeof value !== 'string' || !/^\s*(?:\[|```)/.test(value)) return value ?? [];
	const parsed = parseJson(value, label);
	// Neither text with commas nor a list: refused by what it is.
	return isInvalid(parsed) ? {} : parsed.value;
}
