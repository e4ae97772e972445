import type { IExecuteFunctions } from 'n8n-workflow';
import { isInvalid, type Validated } from '../../messages/userMessage';
import { inputError } from '../../messages/nodeErrors';

/**
 * The value of a check that passed.
 *
 * @throws NodeOperationError with the check's words where it did not
 */
export function valueOrThrow<T>(context: Pick<IExecuteFunctions, 'getNode'>, checked: Validated<T>): T {
	if (isInvalid(checked)) throw inputError(context.getNode(), checked);
	return checked.value;
}
