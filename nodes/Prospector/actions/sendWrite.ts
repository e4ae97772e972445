// Sends what changes something in the service. Called for every write of an operation: a resource is made at most once
// per execution and its retries, unless *Prevent Duplicates* is off, and a change that has succeeded is not sent again
// (limits: docs/guarantees.md#what-it-cannot-cover). A response with another resource is an exception or a hint.
// More tests: test/unit/actions/nodeCall.test.ts, test/workflow/startedRuns.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { type ApiRequest, hashConnection } from '../api/apiRequest';
import { isFinalRefusal, isOutcomeUnknown, isStatus } from '../api/failure/evidence';
import type { Failure } from '../api/failure/failure';
import { RequestError } from '../api/failure/requestError';
import { type ApiResponse, isFailure } from '../api/response';
import { redactAndTruncate } from '../messages/redact';
import { missingIdMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { toUsableId } from '../model/resource';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseTimestamp, sha256Hex, shortHash } from '../utils';
import type { WriteRecord } from './nodeCall';
import { type ItemContext, requireExpectedId, requireRunOfWorkflow } from './operation';

/** What a write has done. */
export interface WriteResult extends Pick<ApiResponse, 'requestId' | 'serviceTimeMs'> {
	/** The resource in the response. */
	data: IDataObject;
	idempotencyKey?: string;
	/** Whether an earlier attempt of this execution may have done it. */
	mayBeDoneBefore: boolean;
}

/**
 * Sends a write unless this execution, or an earlier attempt of it, has seen it succeed, and no other item has updated the
 * resource with other values since. All attempts have the same idempotency key, unless the service has refused the
 * earlier values.
 *
 * @param write without an idempotency key
 * @param duplicatePrevention of a write that makes a resource
 * @throws RequestError; UserError if the resource is not the requested one or has no ID
 */
export async function sendWrite(
	itemContext: ItemContext,
	write: ApiRequest,
	duplicatePrevention?: DuplicatePrevention,
): Promise<WriteResult> {
	const { dependencies, hints, itemIndex } = itemContext;
	const beginMs = dependencies.clock.now();
	const { mode, key: userKey, hasUnusedKey } = duplicatePrevention ?? {};
	if (hasUnusedKey) hints.add('unusedKey');
	if (/^\s*\{\s*\}\s*$/.test(write.body ?? '')) hints.add('noFields');
	// A service can have templates such as `{{ name }}` of its own, but only an expression has the `$`.
	if (/\{\{\s*\$/.test(write.body ?? '')) hints.add('expressionAsText');
	if (userKey !== undefined) hints.add('userKeys', String(itemIndex), userKey);
	const send = mode === 'off' ? sendUnrecordedWrite : sendRecordedWrite;
	const writeWithUserKey = { ...write, idempotencyKey: userKey };
	const written = await send(itemContext, writeWithUserKey);
	addCreationHints(itemContext, writeWithUserKey, written, dependencies.clock.now() - beginMs);
	return written;
}

interface WriteOptions {
	/** Of a write that makes a resource. */
	preventDuplicates?: DuplicatePrevention;
	/** Adds fields that follow from those of the resource. */
	addDerivedFields?: (resource: IDataObject) => IDataObject;
}

/** Like {@link sendWrite}, but returns the output item. */
export async function writeItem(
	itemContext: ItemContext,
	write: ApiRequest,
	{ preventDuplicates, addDerivedFields = (resource) => resource }: WriteOptions = {},
): Promise<IDataObject[]> {
	const written = await sendWrite(itemContext, write, preventDuplicates);
	const { data, requestId, idempotencyKey: idempotency_key = null } = written;
	const extraFields = write.endpoint.creates && { idempotency_key };
	return [itemContext.selector.toItem(addDerivedFields(data), requestId, extraFields)];
}

/** Every time it is called, the service may make another resource. */
async function sendUnrecordedWrite(itemContext: ItemContext, write: ApiRequest): Promise<WriteResult> {
	const { data, ...response } = await itemContext.client.request(write);
	checkResponse(itemContext, write, data[0], response.requestId);
	return { ...response, data: data[0], mayBeDoneBefore: false };
}

/** @param write with the idempotency key of the user, if there is one */
async function sendRecordedWrite(itemContext: ItemContext, write: ApiRequest): Promise<WriteResult> {
	const { client, hints, itemIndex, nodeCall } = itemContext;
	const makesResource = write.endpoint.creates !== undefined;
	const record = nodeCall.findOrAddWrite(write, itemIndex);
	const payloadHash = shortHash(write.body ?? '');
	const connectionHash = shortHash(hashConnection(client.connection));
	const hasSameValues = record.payloadHash === payloadHash;
	const idempotencyKey =
		write.idempotencyKey ?? (makesResource ? deriveKey(itemContext, record, hasSameValues) : undefined);
	// Another Base URL or API key can belong to another workspace, in which the write was not done.
	if (record.connectionHash !== connectionHash) delete record.response;
	// What was updated with other values is updated again; what was created is not created again.
	if (record.response && (hasSameValues || makesResource)) {
		if (!hasSameValues) hints.add('keptOldValues');
		return { ...record.response, idempotencyKey, mayBeDoneBefore: true };
	}
	if (!makesResource) nodeCall.forgetOverwritten(record, payloadHash);
	Object.assign(record, { payloadHash, connectionHash });
	const mayBeDoneBefore = record.outcome === 'mayBeDone';
	const request = { ...write, idempotencyKey };
	const result = await client.tryRequest(request);
	if (!isFailure(result)) {
		const { data, requestId, serviceTimeMs } = result;
		// If the check throws, the next attempt sends the write again. Otherwise, it returns the stored `response`.
		record.outcome = 'mayBeDone';
		checkResponse(itemContext, write, data[0], requestId);
		nodeCall.recordDone(record, data[0], result);
		return { data: data[0], requestId, serviceTimeMs, idempotencyKey, mayBeDoneBefore };
	}
	if (isMissingResource(request, result) && mayBeDeleted(itemContext, record)) {
		const data: IDataObject = { id: write.ids?.workflow_id };
		hints.add('deletedEarlier', String(data.id), true);
		return { data, requestId: result.requestId ?? '', mayBeDoneBefore };
	}
	const failure = recordFailure(itemContext, record, request, result);
	throw new RequestError(failure, request, write.idempotencyKey !== undefined);
}

/** @throws UserError if the resource in a response is not the one that was asked for */
function checkResponse(
	{ context, itemIndex, redactor }: ItemContext,
	write: ApiRequest,
	resource: IDataObject,
	requestId: string,
): void {
	const { creates: resourceKind } = write.endpoint;
	if (resourceKind === undefined) return requireExpectedId(resource, write, requestId);
	const receivedId = toUsableId(resource.id);
	if (receivedId === undefined) throw new UserError(missingIdMessage(resourceKind, requestId));
	if (resourceKind !== 'run') return;
	const start = { requestId, isUserKey: write.idempotencyKey !== undefined };
	const startedRun = { runId: receivedId, expectedWorkflowId: write.ids?.workflow_id, start };
	requireRunOfWorkflow(resource, startedRun, requestId);
	// If the execution ends early, nothing else names the run (docs/guarantees.md#complete-results).
	const line = `run '${receivedId}' was started (request ${requestId})`;
	const safeLine = redactAndTruncate(line, redactor.redact, 1000);
	context.logger.info(`${context.getNode().name}: ${safeLine}`, { itemIndex });
}

/** A service can have several clocks (contract, section 2.2), and its `Date` has no milliseconds. */
const CLOCK_TOLERANCE_MS = 2000;

/** Adds hints if a resource seems to be of another item, or from before the request. @param elapsedMs since the request */
function addCreationHints(
	{ context, dependencies, hints, itemIndex }: ItemContext,
	{ endpoint, idempotencyKey: userKey }: ApiRequest,
	{ data, serviceTimeMs, idempotencyKey, mayBeDoneBefore }: WriteResult,
	elapsedMs: number,
): void {
	const { creates: resourceKind } = endpoint;
	if (resourceKind === undefined) return;
	const id = String(toUsableId(data.id));
	hints.add('sharedResources', idempotencyKey ?? String(itemIndex), id);
	const createdAtMs = parseTimestamp(data.created_at);
	// A retry gets what its own execution has made before.
	if (createdAtMs === undefined || mayBeDoneBefore || context.getMode() === 'retry') return;
	const isUserKey = userKey !== undefined;
	// A derived key can return what this execution has made before a kill, and without the service's time, clocks may
	// differ: only what is more than an hour older surely existed before.
	const toleranceMs = isUserKey && serviceTimeMs !== undefined ? CLOCK_TOLERANCE_MS : HOUR_MS;
	// A service can leave out the seconds, or the time.
	const precisionMs = [DAY_MS, MINUTE_MS].find((unitMs) => createdAtMs % unitMs === 0) ?? 0;
	const ageMs = (serviceTimeMs ?? dependencies.wallClock.now()) - createdAtMs;
	if (ageMs > elapsedMs + toleranceMs + precisionMs)
		hints.add('existingResources', id, { resourceKind, createdAtMs, isUserKey });
}

const isMissingResource = ({ endpoint }: ApiRequest, failure: Failure): boolean =>
	endpoint.method === 'DELETE' && isStatus(failure, 404);

/** Whether the resource to delete may be missing because this execution has deleted it. */
function mayBeDeleted({ context, isTool }: ItemContext, { outcome, wasMissing }: WriteRecord): boolean {
	// A process that was killed has left no record (n8n-behaviour.md#restarts).
	return outcome === 'mayBeDone' || (!isTool && context.getMode() === 'retry' && !wasMissing);
}

/** Returns the failure. Its outcome is unknown if an earlier attempt may have taken effect. */
function recordFailure(
	{ context }: ItemContext,
	record: WriteRecord,
	request: ApiRequest,
	failure: Failure,
): Failure {
	if (isMissingResource(request, failure)) record.wasMissing = true;
	// Whatever this attempt says, an earlier one may have been done.
	if (record.outcome === 'mayBeDone') return { ...failure, hasUnknownEarlierAttempt: true };
	if (failure.hasUnknownEarlierAttempt || isOutcomeUnknown(failure, request)) record.outcome = 'mayBeDone';
	if (!isFinalRefusal(failure)) return failure;
	// A retry has no record of an attempt before a kill (n8n-behaviour.md#restarts).
	const isCertainlyFirst = context.getMode() !== 'retry';
	record.outcome = { refusedIn: context.getExecutionId(), isCertainlyFirst };
	return failure;
}

/**
 * Returns the suffix of a write's key. It changes, and the key with it, only in an execution after the one in which the
 * service has refused the write, and only if the values have changed or no earlier attempt can have taken effect: a
 * service may tie a key to its first values or its first response (contract, section 8).
 */
function chooseKeySuffix(record: WriteRecord, hasSameValues: boolean, executionId: string) {
	const { outcome, keySuffix } = record;
	if (typeof outcome !== 'object' || outcome.refusedIn === executionId) return keySuffix;
	// The suffix does not contain the values, which can differ again in the next retry.
	return outcome.isCertainlyFirst || !hasSameValues ? outcome.refusedIn : keySuffix;
}

/**
 * Returns the idempotency key of an execution, which is the same for the same write in every process (contract, section
 * 4, rule 3); undefined, with a hint, if n8n names no execution.
 */
function deriveKey(
	{ context, hints, itemIndex, nodeCall }: ItemContext,
	record: WriteRecord,
	hasSameValues: boolean,
): string | undefined {
	const node = context.getNode();
	record.keySuffix = chooseKeySuffix(record, hasSameValues, context.getExecutionId());
	const executionId = nodeCall.executionIdAcrossRetries(itemIndex);
	if (executionId === undefined) {
		hints.add('missingIdempotencyKey');
		return undefined;
	}
	// JSON keeps ["a","bc"] and ["ab","c"] apart.
	const hashInput = JSON.stringify([
		context.getInstanceId(),
		// The n8n workflow, not the Prospector workflow.
		context.getWorkflow().id ?? '',
		executionId,
		node.id || node.name,
		record.target,
		record.position,
		record.keySuffix,
	]);
	// 32 digits, because messages are shown in a narrow box.
	return `n8n-${sha256Hex(hashInput).slice(0, 32)}`;
}
