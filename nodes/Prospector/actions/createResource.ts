import type { IDataObject } from 'n8n-workflow';
import { MISSING_IDEMPOTENCY_KEY_HINT } from '../messages/hintMessages';
import { missingIdMessage, type WrongWorkflow, wrongWorkflowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { differs, parseResourceId, toOutputItem } from '../model/resource';
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
export async function createResource(
	itemContext: ItemContext,
	requestWithoutKey: ApiRequest,
	duplicatePrevention: DuplicatePrevention,
) {
	const { client, context, dependencies, hints } = itemContext;
	const idempotencyKey = resolveIdempotencyKey(itemContext, duplicatePrevention, requestWithoutKey);
	const isUserKey = duplicatePrevention.mode === 'key';
	const request: ApiRequest = { ...requestWithoutKey, idempotencyKey };
	const response = await withErrorDetails(client.request(request), { isUserKey });
	const { data, requestId, serviceTimeMs = dependencies.wallClock.now() } = response;
	const [resource] = data;
	const expectedWorkflowId = request.ids?.workflow_id;
	const resourceKind = expectedWorkflowId === undefined ? 'workflow' : 'run';
	const parsedId = parseResourceId(resource.id);
	if (!('id' in parsedId)) throw new UserError(missingIdMessage(resourceKind, requestId));
	const { id } = parsedId;
	if (expectedWorkflowId !== undefined)
		requireRunOfWorkflow(resource, { runId: id, expectedWorkflowId, requestId, isUserKey });
	const { name: sentName } = (request.body ?? {}) as IDataObject;
	if (isWrongName(resource.name, sentName))
		hints.wrongName = { sentName, receivedName: toText(resource.name) };
	const createdAtMs = parseTimestamp(resource.created_at) ?? Infinity;
	// An older one was not made by the request, even if the clocks differ. The retry of an execution gets what it has made.
	const isUnexpectedlyOld = serviceTimeMs - createdAtMs > HOUR_MS && context.getMode() !== 'retry';
	if (isUnexpectedlyOld) hints.existingResources.set(id, { resourceKind, createdAtMs, isUserKey });
	const outputItem = toOutputItem(resource, requestId, { idempotency_key: idempotencyKey ?? null });
	return { id, outputItem, requestId, idempotencyKey, isUserKey };
}

/** Adds what only the operation knows to the error of a failed request, for the advice. */
export const withErrorDetails = async <T>(request: Promise<T>, details: Partial<RequestError>): Promise<T> =>
	await request.catch((thrown: Error) => {
		if (thrown instanceof RequestError) Object.assign(thrown, details);
		throw thrown;
	});

/** @throws UserError if a run belongs to another Prospector workflow */
export function requireRunOfWorkflow(run: IDataObject, expectedRun: Omit<WrongWorkflow, 'receivedId'>): void {
	const { workflow_id: receivedId } = run;
	if (!differs(receivedId, expectedRun.expectedWorkflowId)) return;
	throw new UserError(wrongWorkflowMessage({ ...expectedRun, receivedId: toText(receivedId) }));
}

/** Whether the name of a created resource is not the one that was sent: a key may have returned an earlier resource. */
const isWrongName = (received: unknown, sent: unknown): sent is string =>
	typeof received === 'string' && typeof sent === 'string' && sent.trim() !== '' && differs(received, sent);

/**
 * Returns the idempotency key for a write, and collects the hint about a missing one. Call it once per write, before the
 * first attempt. The key of an execution is the same for the same write, in every process (contract, section 4, rule 3).
 */
function resolveIdempotencyKey(
	{ context, itemIndex, hints, nodeCall }: ItemContext,
	duplicatePrevention: DuplicatePrevention,
	{ endpoint, ids }: ApiRequest,
): string | undefined {
	if (duplicatePrevention.mode === 'off') return undefined;
	if (duplicatePrevention.mode === 'key') {
		const { key } = duplicatePrevention;
		hints.itemCountByUserKey.set(key, (hints.itemCountByUserKey.get(key) ?? 0) + 1);
		return key;
	}
	const node = context.getNode();
	const executionId = nodeCall.executionIdAcrossRetries(itemIndex);
	if (executionId === undefined) {
		if (!hints.isIdempotencyKeyMissing) context.logger.warn(`${node.name}: ${MISSING_IDEMPOTENCY_KEY_HINT}`);
		hints.isIdempotencyKeyMissing = true;
		return undefined;
	}
	// JSON keeps ["a","bc"] and ["ab","c"] apart. Without the payload: a retry with another one must end in a 409.
	const hashInput = JSON.stringify([
		context.getInstanceId(),
		// The n8n workflow, not the Prospector workflow.
		context.getWorkflow().id ?? '',
		executionId,
		node.id || node.name,
		endpoint.name,
		endpointPath(endpoint, ids),
		nodeCall.callIndex(),
		itemIndex,
	]);
	// 32 digits, because n8n's message box is narrow.
	return `n8n-${sha256Hex(hashInput).slice(0, 32)}`;
}
