import type { IDataObject } from 'n8n-workflow';
import { unnamedMessage, type WrongWorkflow, wrongWorkflowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { isOtherId, parseResourceId, toOutputItem } from '../model/resource';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import { RequestError } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import type { ApiResponse } from '../api/response';
import { HOUR_MS, parseTimestamp, toText } from '../utils';
import { resolveIdempotencyKey } from './idempotencyKey';
import type { ItemContext } from './operation';

/**
 * Starts a run or creates a Prospector workflow: sends the request with its idempotency key, and checks that the
 * resource in the response is the one that was asked for.
 *
 * @returns the resource's ID and output item, and the request that returned it
 * @throws RequestError; UserError if the resource is not the requested one or has no ID
 */
export async function requestOnce(
	item: ItemContext,
	unkeyedRequest: ApiRequest,
	prevention: DuplicatePrevention,
) {
	const idempotencyKey = resolveIdempotencyKey(item, prevention, unkeyedRequest);
	const isUserKey = prevention.mode === 'key';
	const request = { ...unkeyedRequest, idempotencyKey };
	const response = await addToRequestError(item.client.request(request), { isUserKey });
	const { data, requestId } = response;
	const id = checkResource(item, request, response, isUserKey);
	const output = toOutputItem(data[0], requestId, { idempotency_key: idempotencyKey ?? null });
	return { id, output, requestId, idempotencyKey, isUserKey };
}

/** Adds what only the operation knows to the error of a failed request, for the advice. */
export const addToRequestError = async <T>(request: Promise<T>, context: Partial<RequestError>): Promise<T> =>
	await request.catch((thrown: Error) => {
		if (thrown instanceof RequestError) Object.assign(thrown, context);
		throw thrown;
	});

/** Returns the ID. Collects hints if the resource may be another one. @throws UserError */
function checkResource(
	{ context, dependencies, hints }: ItemContext,
	request: ApiRequest,
	response: ApiResponse,
	isUserKey: boolean,
): string {
	const { requestId, data, serviceTimeMs } = response;
	const [resource] = data;
	const requested = request.ids?.workflow_id;
	const what = requested === undefined ? 'workflow' : 'run';
	const parsed = parseResourceId(resource.id);
	if (!('id' in parsed)) throw new UserError(unnamedMessage(what, requestId));
	const { id } = parsed;
	if (requested !== undefined) {
		requireWorkflow(resource, { runId: id, requested, requestId, isUserKey });
	}
	const { name: sent } = (request.body ?? {}) as IDataObject;
	if (isOtherName(resource.name, sent)) {
		hints.otherNames = { sent, received: toText(resource.name) };
	}
	const createdAt = parseTimestamp(resource.created_at) ?? Infinity;
	const ageMs = (serviceTimeMs ?? dependencies.wallClock.now()) - createdAt;
	// An older one was not made by the request, even if the clocks differ. The retry of an execution gets what it has made.
	if (ageMs > HOUR_MS && context.getMode() !== 'retry') {
		hints.existing.set(id, { what, createdAt, isUserKey });
	}
	return id;
}

/** @throws UserError if a run belongs to another Prospector workflow */
export function requireWorkflow(run: IDataObject, expected: Omit<WrongWorkflow, 'received'>): void {
	const { workflow_id: received } = run;
	if (!isOtherId(received, expected.requested)) return;
	throw new UserError(wrongWorkflowMessage({ ...expected, received: toText(received) }));
}

/** Whether the name of a created resource is not the one that was sent: a key may have returned an earlier resource. */
const isOtherName = (received: unknown, sent: unknown): sent is string =>
	typeof received === 'string' && typeof sent === 'string' && sent.trim() !== '' && isOtherId(received, sent);
