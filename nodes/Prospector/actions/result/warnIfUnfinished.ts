import type { Client } from '../../transport/request/client';
import { endpoints } from '../../transport/request/endpoints';
import { isFailure } from '../../transport/request/response';
import { runOutcome, statusOf } from '../../model/runStatus';
import type { HintCollector } from '../hintCollector';

/** Milliseconds: the results matter, this only adds a word to them. */
const STATUS_CHECK_TIMEOUT_MS = 10_000;

/**
 * Notes a run that has not finished. To be told before its results are read: a run that has finished by then has all of
 * them. Looks once per run and execution of the node, tries that once, and never rejects.
 *
 * @param finished statuses in lower case
 */
export async function warnIfUnfinished(
	client: Client,
	runId: string,
	finished: string[],
	{ looks, unfinished }: HintCollector,
): Promise<void> {
	const look = looks.get(runId) ?? fetchStatus(client, runId);
	looks.set(runId, look);
	const status = await look;
	if (status === undefined || runOutcome({ status }, { finished, failed: [] })) return;
	unfinished.set(runId, client.clean(status));
}

/** @returns undefined where the service does not say; why, it will say again when asked for the results */
async function fetchStatus(client: Client, runId: string): Promise<string | undefined> {
	const call = {
		endpoint: endpoints.getRun,
		ids: { run_id: runId },
		timeout: STATUS_CHECK_TIMEOUT_MS,
		maxWait: 0,
	};
	const reply = await client.safeRequest(call);
	return isFailure(reply) ? undefined : statusOf(reply.data[0]);
}
