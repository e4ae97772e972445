// Starts a run or creates a Prospector workflow, for the operations that do so. If the response has another resource, it
// throws or adds a hint. More tests: test/unit/actions/nodeCall.test.ts, test/workflow/startedRuns.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { missingIdMessage, wrongWorkflowMessage } from '../messages/runMessages';
import { redactAndTruncate } from '../messages/redact';
import { UserError } from '../messages/userMessage';
import { namesAnother, toUsableId } from '../model/resource';
import type { DuplicatePrevention } from '../parameters/preventDuplicates';
import type { ApiRequest } from '../api/apiRequest';
import type { AwaitedRun } from '../api/failure/requestError';
import { DAY_MS, HOUR_MS, MINUTE_MS, parseTimestamp, toText } from '../utils';
import type { ItemContext } from './operation';
import { sendWrite, type WriteResult } from './sendWrite';

/**
 * Starts a run or creates a Prospector workflow. Adds a hint if the response may have an earlier one.
 *
 * @param write without an idempotency key
 * @throws RequestError; UserError if the resource is not the requested one or has no ID
 */
export async function createResource(
	itemContext: ItemContext,
	write: ApiRequest,
	duplicatePrevention: DuplicatePrevention,
) {
	const { context, dependencies, hints, itemIndex, redactor } = itemContext;
	const { clock } = dependencies;
	const beginMs = clock.now();
	const isUserKey = duplicatePrevention.mode === 'key';
	const { creates: resourceKind = 'workflow' } = write.endpoint;
	const expectedWorkflowId = resourceKind === 'run' ? write.ids?.workflow_id : undefined;
	const onResponse = (resource: IDataObject, requestId: string) => {
		const receivedId = toUsableId(resource.id);
		if (receivedId === undefined) throw new UserError(missingIdMessage(resourceKind, requestId));
		if (expectedWorkflowId !== undefined) {
			const start = { requestId, isUserKey };
			requireRunOfWorkflow(resource, { runId: receivedId, expectedWorkflowId, start }, requestId);
			// If the execution ends early, nothing else names the run (docs/guarantees.md#complete-results).
			const line = `run '${receivedId}' was started (request ${requestId})`;
			const safeLine = redactAndTruncate(line, redactor.redact, 1000);
			context.logger.info(`${context.getNode().name}: ${safeLine}`, { itemIndex });
		}
	};
	const written = await sendWrite(itemContext, write, onResponse, duplicatePrevention);
	const id = String(toUsableId(written.data.id));
	hints.add('sharedResources', written.idempotencyKey ?? String(itemContext.itemIndex), id);
	const createdAtMs = earlierCreationMs(itemContext, written, clock.now() - beginMs, isUserKey);
	if (createdAtMs !== undefined) hints.add('existingResources', id, { resourceKind, createdAtMs, isUserKey });
	return { ...written, id, isUserKey };
}

/** Like {@link createResource}, but returns the output item. @param addDerivedFields adds fields that follow from others */
export async function createItem(
	itemContext: ItemContext,
	write: ApiRequest,
	duplicatePrevention: DuplicatePrevention,
	addDerivedFields = (resource: IDataObject) => resource,
): Promise<IDataObject[]> {
	const created = await createResource(itemContext, write, duplicatePrevention);
	const { data, requestId, idempotencyKey: idempotency_key = null } = created;
	return [itemContext.selector.toItem(addDerivedFields(data), requestId, { idempotency_key })];
}

/** A service can have several clocks (contract, section 2.2), and its `Date` has no milliseconds. */
const CLOCK_TOLERANCE_MS = 2000;

/** Returns when a resource was created, if that seems to be before the request. @param elapsedMs since the request */
function earlierCreationMs(
	{ context, dependencies }: ItemContext,
	{ data, serviceTimeMs, mayBeDoneBefore }: WriteResult,
	elapsedMs: number,
	isUserKey: boolean,
): number | undefined {
	const createdAtMs = parseTimestamp(data.created_at);
	// A retry gets what its own execution has made before.
	if (createdAtMs === undefined || mayBeDoneBefore || context.getMode() === 'retry') return undefined;
	// A derived key can return what this execution has made before a kill, and without the service's time, clocks may
	// differ: only what is more than an hour older surely existed before.
	const toleranceMs = isUserKey && serviceTimeMs !== undefined ? CLOCK_TOLERANCE_MS : HOUR_MS;
	// A service can leave out the seconds, or the time.
	const precisionMs = [DAY_MS, MINUTE_MS].find((unitMs) => createdAtMs % unitMs === 0) ?? 0;
	const ageMs = (serviceTimeMs ?? dependencies.wallClock.now()) - createdAtMs;
	return ageMs > elapsedMs + toleranceMs + precisionMs ? createdAtMs : undefined;
}

/** @throws UserError if a run belongs to another Prospector workflow */
export function requireRunOfWorkflow(run: IDataObject, expectedRun: AwaitedRun, requestId: string): void {
	const { workflow_id: receivedId } = run;
	const { expectedWorkflowId } = expectedRun;
	if (expectedWorkflowId === undefined || !namesAnother(receivedId, expectedWorkflowId)) return;
	throw new UserError(wrongWorkflowMessage(expectedRun, toText(receivedId), requestId));
}
