import type { IDataObject } from 'n8n-workflow';
import { toLogLine } from '../messages/redact';
import { unnamedMessage, type WrongWorkflow, wrongWorkflowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { isOtherId, parseResourceId } from '../model/resource';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import { RequestError } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { type ApiResponse, isFailure } from '../api/response';
import { parseTimestamp, toText } from '../utils';
import { resolveIdempotencyKey } from './idempotencyKey';
import type { ItemContext } from './operation';
import { saveRequestId } from './requestIds';

/**
 * Sends a request with its idempotency key, saves its request ID with the execution, also if the service refuses the
 * request, and checks that the resource in the response is what was asked for.
 *
 * @returns the resource, its ID, and what was sent
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
	const response = await item.client.safeRequest(request);
	const requestId = 'requestId' in response ? toLogLine(item.context, response.requestId ?? '') : '';
	if (requestId !== '') saveRequestId(item, requestId);
	if (isFailure(response)) throw Object.assign(new RequestError(response, request), { isUserKey });
	const id = checkResource(item, request, response, isUserKey);
	return { resource: response.data[0], id, requestId: response.requestId, idempotencyKey, isUserKey };
}

/** A resource that is older than this was not made by the request, even if the clocks differ a little. */
const MAX_AGE_MS = 60 * 60_000;

/** Returns the ID. @throws UserError */
function checkResource(
	{ context, dependencies, hints }: ItemContext,
	request: ApiRequest,
	response: ApiResponse,
	isUserKey: boolean,
): string {
	const [resource] = response.data;
	const { requestId } = response;
	const requested = request.ids?.workflow_id;
	const what = requested === undefined ? 'workflow' : 'run';
	const parsed = parseResourceId(resource.id);
	if (!('id' in parsed)) throw new UserError(unnamedMessage(what, requestId));
	if (requested !== undefined) {
		requireWorkflow(resource, { runId: parsed.id, requested, requestId, isUserKey });
	}
	const { name: sent } = (request.body ?? {}) as IDataObject;
	if (isOtherName(resource.name, sent)) {
		hints.otherNames = { sent: toText(sent), received: toText(resource.name) };
	}
	const createdAt = parseTimestamp(resource.created_at) ?? Infinity;
	const now = response.serviceTimeMs ?? dependencies.wallClock.now();
	// The retry of an execution gets what the execution has made.
	if (now - createdAt > MAX_AGE_MS && context.getMode() !== 'retry') {
		hints.existing.set(parsed.id, { what, createdAt, isUserKey });
	}
	return parsed.id;
}

/** @throws UserError if a run belongs to another Prospector workflow */
export function requireWorkflow(run: IDataObject, expected: Omit<WrongWorkflow, 'received'>): void {
	const { workflow_id: received } = run;
	if (!isOtherId(received, expected.requested)) return;
	throw new UserError(wrongWorkflowMessage({ ...expected, received: toText(received) }));
}

/** Whether the name of a created resource is not the one that was sent: a key may have returned an earlier resource. */
function isOtherName(received: unknown, sent: unknown): boolean {
	const isComparable = typeof received === 'string' && typeof sent === 'string' && sent.trim() !== '';
	return isComparable && isOtherId(received, sent);
}
