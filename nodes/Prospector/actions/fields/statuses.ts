import { isProblem, type Checked } from '../../transport/checked';
import { checkWords } from './words';

/**
 * Checks a list of statuses.
 *
 * @param label the field as it is shown
 * @returns the statuses in lower case
 */
export function checkStatuses(value: unknown, label: string): Checked<string[]> {
	const words = checkWords(value, label, 'completed, done');
	return isProblem(words) ? words : { value: words.value.map((word) => word.toLowerCase()) };
}
