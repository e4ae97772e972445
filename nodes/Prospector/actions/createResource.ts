import type { IDataObject } from 'n8n-workflow';
import { missingIdMessage, type WrongWorkflow, wrongWorkflowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { differs, toOutputItem, toUsableId } from '../model/resource';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import { RequestError } from '../api/failure/requestError';
import type { ApiRequest } from '../api/apiRequest';
import { HOUR_MS, parseTimestamp, toText } from '../utils';
import type { ItemContext } from './operation';
import { sendWrite } from './sendWrite';

/**
 * Starts a run or creates a Prospector workflow: sends the request with its idempotency key, and checks that the
 * resource in the response is the one that was asked for. Collects hints if it may be another one.
 *
 * @param sentName of a Prospector workflow
 * @returns the resource's ID and output item, and the request that returned it
 * @throws RequestError; UserError if the resource is not the requested one or has no ID
 */
export async function createResource(
	itemContext: ItemContext,
	requestWithoutKey: ApiRequest,
	duplicatePrevention: DuplicatePrevention,
	sentName?: unknown,
) {
	const { context, dependencies, hints } = itemContext;
	const { clock, wallClock } = dependencies;
	const isUserKey = duplicatePrevention.mode === 'key';
	const beginMs = clock.now();
	const expectedWorkflowId = requestWithoutKey.ids?.workflow_id;
	const resourceKind = expectedWorkflowId === undefined ? 'workflow' : 'run';
	const check = (resource: IDataObject, requestId: string) => {
		const runId = toUsableId(resource.id);
		if (runId === undefined) throw new UserError(missingIdMessage(resourceKind, requestId));
		if (expectedWorkflowId !== undefined)
			requireRunOfWorkflow(resource, { runId, expectedWorkflowId, requestId, isUserKey });
	};
	const sending = sendWrite(itemContext, requestWithoutKey, check, duplicatePrevention);
	const { data: resource, requestId, ...result } = await withErrorDetails(sending, { isUserKey });
	const { idempotencyKey, isRepeated, serviceTimeMs } = result;
	const id = String(toUsableId(resource.id));
	if (isWrongName(resource.name, sentName))
		hints.add('wrongName', id, { sentName, receivedName: toText(resource.name) });
	const createdAtMs = parseTimestamp(resource.created_at) ?? Infinity;
	const ageMs = (serviceTimeMs ?? wallClock.now()) - createdAtMs;
	// A key of the user can belong to another job. The service's own clock shows whether the request made the resource.
	const isExact = isUserKey && serviceTimeMs !== undefined;
	const maxAgeMs = isExact ? clock.now() - beginMs + CLOCK_TOLERANCE_MS : HOUR_MS;
	// The retry of an execution gets what it has made.
	if (ageMs > maxAgeMs && !isRepeated && context.getMode() !== 'retry')
		hints.add('existingResources', id, { resourceKind, createdAtMs, isUserKey });
	const outputItem = toOutputItem(resource, requestId, { idempotency_key: idempotencyKey ?? null });
	return { id, outputItem, requestId, idempotencyKey, isUserKey };
}

/** A service can have several clocks, and its `Date` has no milliseconds. */
const CLOCK_TOLERANCE_MS = 2000;

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
