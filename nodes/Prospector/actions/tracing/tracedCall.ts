import type { Call } from '../../transport/failure';
import { isFailure, type Reply } from '../../transport/reply';
import { readSaveRequestId } from '../fields/saveRequestId';
import type { ItemRun } from '../operation';
import { keepRequestId } from './keepRequestId';

/**
 * Makes a request by which its execution can be found later, also where it was refused.
 *
 * @throws NodeApiError that says what happened and what to do
 */
export async function tracedCall({ context, client, itemIndex }: ItemRun, call: Call): Promise<Reply> {
	const saves = readSaveRequestId(context, itemIndex);
	const answer = await client.attempt(call);
	const requestId = 'requestId' in answer ? client.clean(answer.requestId ?? '').trim() : '';
	if (saves && requestId !== '') keepRequestId(context, itemIndex, requestId);
	if (isFailure(answer)) throw client.failure(answer, call);
	return answer;
}
