import type { Checked } from '../../transport/checked';

/**
 * Checks a whole number that a person or an expression gave.
 *
 * @param label the field as it is shown
 */
export function checkWholeNumber(value: unknown, label: string, min: number, max: number): Checked<number> {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		return {
			message: `'${label}' is not a whole number from ${min} to ${max}`,
			description: `Enter such a number in '${label}'; an expression must give one`,
		};
	}
	return { value: number };
}
