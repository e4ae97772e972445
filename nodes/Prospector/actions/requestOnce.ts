import type { IDataObject } from 'n8n-workflow';
import { missingKeysHint } from '../messages/hintMessages';
import { unnamedMessage, type WrongWorkflow, wrongWorkflowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { isOtherId, parseResourceId, toOutputItem } from '../model/resource';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import { RequestError } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { endpointPath } from '../api/endpoints';
import { HOUR_MS, parseTimestamp, sha256Hex, toText } from '../utils';
import type { ItemContext } from './operation';

/**
 * Starts a run or creates a Prospector workflow: sends the request with its idempotency key, and checks that the
 * resource in the response is the one that was asked for. Collects hints if it may be another one.
 *
 * @returns the resource's ID and output item, and the request that returned it
 * @throws RequestError; UserError if the resource is not the requested one or has no ID
 */
export async function requestOnce(
	item: ItemContext,
	unkeyedRequest: ApiRequest,
	prevention: DuplicatePrevention,
) {
	const { client, context, dependencies, hints } = item;
	const idempotencyKey = resolveIdempotencyKey(item, prevention, unkeyedRequest);
	const isUserKey = prevention.mode === 'key';
	const request: ApiRequest = { ...unkeyedRequest, idempotencyKey };
	const response = await addToRequestError(client.request(request), { isUserKey });
	const { data, requestId, serviceTimeMs = dependencies.wallClock.now() } = response;
	const [resource] = data;
	const requested = request.ids?.workflow_id;
	const what = requested === undefined ? 'workflow' : 'run';
	const parsed = parseResourceId(resource.id);
	if (!('id' in parsed)) throw new UserError(unnamedMessage(what, requestId));
	const { id } = parsed;
	if (requested !== undefined) requireWorkflow(resource, { runId: id, requested, requestId, isUserKey });
	const { name: sent } = (request.body ?? {}) as IDataObject;
	if (isOtherName(resource.name, sent)) hints.otherNames = { sent, received: toText(resource.name) };
	const createdAt = parseTimestamp(resource.created_at) ?? Infinity;
	// An older one was not made by the request, even if the clocks differ. The retry of an execution gets what it has made.
	const isOlder = serviceTimeMs - createdAt > HOUR_MS && context.getMode() !== 'retry';
	if (isOlder) hints.existing.set(id, { what, createdAt, isUserKey });
	const output = toOutputItem(resource, requestId, { idempotency_key: idempotencyKey ?? null });
	return { id, output, requestId, idempotencyKey, isUserKey };
}

/** Adds what only the operation knows to the error of a failed request, for the advice. */
export const addToRequestError = async <T>(request: Promise<T>, context: Partial<RequestError>): Promise<T> =>
	await request.catch((thrown: Error) => {
		if (thrown instanceof RequestError) Object.assign(thrown, context);
		throw thrown;
	});

/** @throws UserError if a run belongs to another Prospector workflow */
export function requireWorkflow(run: IDataObject, expected: Omit<WrongWorkflow, 'received'>): void {
	const { workflow_id: received } = run;
	if (!isOtherId(received, expected.requested)) return;
	throw new UserError(wrongWorkflowMessage({ ...expected, received: toText(received) }));
}

/** Whether the name of a created resource is not the one that was sent: a key may have returned an earlier resource. */
const isOtherName = (received: unknown, sent: unknown): sent is string =>
	typeof received === 'string' && typeof sent === 'string' && sent.trim() !== '' && isOtherId(received, sent);

/**
 * Returns the idempotency key for a write, and collects the hint about a missing one. Call it once per write, before the
 * first attempt. The key of an execution is the same for the same write, in every process (contract, section 4, rule 3).
 */
function resolveIdempotencyKey(
	{ context, itemIndex, hints, call }: ItemContext,
	prevention: DuplicatePrevention,
	{ endpoint, ids }: ApiRequest,
): string | undefined {
	if (prevention.mode === 'off') return undefined;
	if (prevention.mode === 'key') {
		const { key } = prevention;
		hints.userKeys.set(key, (hints.userKeys.get(key) ?? 0) + 1);
		return key;
	}
	const node = context.getNode();
	const execution = call.executionId(itemIndex);
	if (execution === undefined) {
		if (hints.missingKeys++ === 0) context.logger.warn(`${node.name}: ${missingKeysHint(1)}`);
		return undefined;
	}
	// JSON keeps ["a","bc"] and ["ab","c"] apart. Without the payload: a retry with another one must end in a 409.
	const identity = JSON.stringify([
		context.getInstanceId(),
		// The n8n workflow, not the Prospector workflow.
		context.getWorkflow().id ?? '',
		execution,
		node.id || node.name,
		endpoint.name,
		endpointPath(endpoint, ids),
		call.ordinal(),
		itemIndex,
	]);
	// 32 digits, because n8n's message box is narrow.
	return `n8n-${sha256Hex(identity).slice(0, 32)}`;
}
