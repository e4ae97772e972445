import type { ApiRequest } from '../../transport/failure/failure';
import { isFailure, type ApiResponse } from '../../transport/request/response';
import { readSaveRequestId } from '../fields/saveRequestId';
import type { ItemContext } from '../operation';
import { saveRequestId } from '../requestIds';

/**
 * Makes a request by which its execution can be found later, also where it was refused.
 *
 * @throws NodeApiError that says what happened and what to do
 */
export async function requestAndSaveId(
	{ context, client, itemIndex }: ItemContext,
	call: ApiRequest,
): Promise<ApiResponse> {
	const saves = readSaveRequestId(context, itemIndex);
	const answer = await client.safeRequest(call);
	const requestId = 'requestId' in answer ? client.clean(answer.requestId ?? '').trim() : '';
	if (saves && requestId !== '') saveRequestId(context, itemIndex, requestId);
	if (isFailure(answer)) throw client.failure(answer, call);
	return answer;
}
