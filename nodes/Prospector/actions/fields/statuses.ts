import { isInvalid, type Validated } from '../../messages/userMessage';
import { parseStringList } from './words';

/**
 * Checks a list of statuses.
 *
 * @param label the field as it is shown
 * @returns the statuses in lower case
 */
export function parseStatuses(value: unknown, label: string): Validated<string[]> {
	const words = parseStringList(value, label, 'completed, done');
	return isInvalid(words) ? words : { value: words.value.map((word) => word.toLowerCase()) };
}
