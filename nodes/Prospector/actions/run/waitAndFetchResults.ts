import type { IDataObject } from 'n8n-workflow';
import { endpoints } from '../../transport/request/endpoints';
import type { ApiRequest, StartedRun } from '../../transport/failure/failure';
import { collectItems } from '../../transport/request/pagination';
import type { ItemContext } from '../operation';
import { toOutput } from '../../model/resource';
import { createProgressLogger, type StatusCheck } from './progressLog';
import { statusOf, type WaitOptions } from '../../model/runStatus';
import { waitForRun } from './waitForRun';

/** A run that is to be waited for. */
export interface WaitTarget {
	runId: string;
	/** Where this operation has started the run itself. */
	startedRun?: StartedRun;
	/** What every output item says of where the run came from. */
	origin?: IDataObject;
}

/**
 * Waits for a run, and returns it or its results.
 *
 * @throws as {@link waitForRun} does, and NodeApiError when the results cannot be read
 */
export async function waitAndFetchResults(
	{ context, client, itemIndex, notes, signal }: ItemContext,
	{ runId, startedRun, origin = {} }: WaitTarget,
	plan: WaitOptions,
): Promise<IDataObject[]> {
	const { name } = context.getNode();
	const logProgress = createProgressLogger(client.clean(runId), (line) =>
		context.logger.info(`${name}: ${line}`, { itemIndex }),
	);
	const onLook = (look: StatusCheck) =>
		logProgress({ ...look, run: { status: client.clean(statusOf(look.run)) } });
	const { run, requestId } = await waitForRun({
		client,
		runId,
		startedRun,
		plan,
		signal,
		onStatusCheck: onLook,
	});
	if (!plan.returnResults) return [toOutput(run, requestId, origin)];

	const call: ApiRequest = { endpoint: endpoints.listResults, ids: { run_id: runId }, startedRun };
	const ofRun = { run_id: runId, run_status: statusOf(run), ...origin };
	const found = await collectItems(client, call, {}, (resource, page) => toOutput(resource, page, ofRun));
	if (found.length === 0) notes.withoutResults.set(runId, client.clean(statusOf(run)));
	return found;
}
