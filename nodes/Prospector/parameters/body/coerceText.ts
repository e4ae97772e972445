import type { FieldType } from 'n8n-workflow';
import { typeLabel } from '../../messages/format';
import { isObject } from '../../utils';
import { parseJson } from '../json';
import { invalid } from '../parse';

/** Returns text as the type of its field. @throws UserError */
export function coerceText(text: string, type: FieldType | undefined, name: string): unknown {
	switch (type) {
		case 'number':
			if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
			return invalid(
				`'${name}' holds text where a number is expected`,
				"Enter a number, or use 'JSON' under 'Specify Body'",
			);
		case 'boolean':
			if (/^(?:true|false)$/i.test(text.trim())) return /true/i.test(text);
			return invalid(
				`'${name}' holds text where a boolean is expected`,
				"Enter true or false, or use 'JSON' under 'Specify Body'",
			);
		case 'array':
		case 'object': {
			const value = parseJson(text, name);
			if (type === 'array' ? Array.isArray(value) : isObject(value)) return value;
			return invalid(
				`'${name}' holds ${typeLabel(value)} where ${type === 'array' ? 'a list' : 'an object'} is expected`,
				`Enter JSON such as ${type === 'array' ? '["a", "b"]' : '{ "a": 1 }'}, or use 'JSON' under 'Specify Body'`,
			);
		}
		default:
			return text;
	}
}
