import type { IExecuteFunctions } from 'n8n-workflow';
import { isProblem, type Checked } from '../../transport/checked';
import { inputError } from '../../transport/errors';

/**
 * The value of a check that passed.
 *
 * @throws NodeOperationError with the check's words where it did not
 */
export function unwrap<T>(context: Pick<IExecuteFunctions, 'getNode'>, checked: Checked<T>): T {
	if (isProblem(checked)) throw inputError(context.getNode(), checked);
	return checked.value;
}
