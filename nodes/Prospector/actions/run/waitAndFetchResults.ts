import type { IDataObject } from 'n8n-workflow';
import { progressLine } from '../../messages/runMessages';
import { toOutputItem } from '../../model/resource';
import { statusOf } from '../../model/runStatus';
import type { WaitOptions } from '../../parameters/waiting';
import { quotable } from '../../transport/failure/redactSecrets';
import type { ApiRequest, StartedRun } from '../../transport/request/apiRequest';
import { endpoints } from '../../transport/request/endpoints';
import { collectItems } from '../../transport/request/pagination';
import type { ItemContext } from '../operation';
import { type StatusCheck, waitForRun } from './waitForRun';

/** A run to wait for. */
export interface WaitTarget {
	runId: string;
	/** Set if this operation has started the run. */
	startedRun?: StartedRun;
	/** Further fields of every output item. */
	extraFields?: IDataObject;
}

/**
 * Waits for a run, and returns it or its results as output items.
 *
 * @throws as {@link waitForRun} does, and RequestError when the results can't be read
 */
export async function waitAndFetchResults(
	{ client, hints, signal, dependencies, log }: ItemContext,
	{ runId, startedRun, extraFields = {} }: WaitTarget,
	options: WaitOptions,
): Promise<IDataObject[]> {
	const { redact } = client.connection;
	const { run, requestId } = await waitForRun({
		client,
		runId,
		startedRun,
		options,
		signal,
		dependencies,
		onStatusCheck: createProgressLogger(quotable(runId, redact), log),
	});
	if (!options.returnResults) return [toOutputItem(run, requestId, extraFields)];

	const status = statusOf(run);
	const request: ApiRequest = { endpoint: endpoints.listResults, ids: { run_id: runId }, startedRun };
	const runFields = { run_id: runId, run_status: status, ...extraFields };
	const results = await collectItems(client, request, {}, (resource, pageRequestId) =>
		toOutputItem(resource, pageRequestId, runFields),
	);
	if (results.length === 0) hints.withoutResults.set(runId, quotable(status, redact));
	return results;
}

/** The same status is logged again after this time at the latest. */
const MAX_LOG_INTERVAL_MS = 5 * 60_000;

/** Logs every new status, and the same one at growing intervals, so that the log of a long run stays readable. */
function createProgressLogger(runId: string, log: (line: string) => void): (check: StatusCheck) => void {
	let lastLogged: StatusCheck | undefined;
	return (check) => {
		const { status, elapsed, nextCheck } = check;
		const isRepeated =
			status === lastLogged?.status &&
			elapsed - lastLogged.elapsed < Math.min(lastLogged.elapsed / 2, MAX_LOG_INTERVAL_MS);
		if (nextCheck !== undefined && isRepeated) return;
		lastLogged = check;
		log(progressLine(runId, status, elapsed, nextCheck));
	};
}
