import type { Validated } from '../../messages/userMessage';

/**
 * Checks a whole number that a person or an expression gave.
 *
 * @param label the field as it is shown
 */
export function parseInteger(value: unknown, label: string, min: number, max: number): Validated<number> {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
		return {
			message: `'${label}' must be a whole number${range}`,
			description: `Enter such a number in '${label}'; an expression must give one`,
		};
	}
	return { value: number };
}
