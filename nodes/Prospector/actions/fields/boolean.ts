import { toText } from '../../transport/values';
import type { Validated } from '../../messages/userMessage';

/**
 * Checks a switch, which an expression or an agent may give as text.
 *
 * @param label the field as it is shown
 */
export function parseBoolean(value: unknown, label: string): Validated<boolean> {
	if (typeof value === 'boolean') return { value };
	if (value === undefined || value === null || value === '') return { value: false };
	const text = toText(value).trim();
	if (/^(?:true|false)$/i.test(text)) return { value: /true/i.test(text) };
	if (text === '1' || text === '0') return { value: text === '1' };
	return {
		message: `'${label}' is neither true nor false`,
		description: `Switch '${label}' on or off; an expression must give true or false`,
	};
}
