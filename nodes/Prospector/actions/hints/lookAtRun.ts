import type { Client } from '../../transport/client';
import { endpoints } from '../../transport/endpoints';
import { isFailure } from '../../transport/reply';
import { endingOf, statusOf } from '../waiting/runStatus';
import type { Notes } from './notes';

/** Milliseconds: the results matter, this only adds a word to them. */
const PATIENCE = 10_000;

/**
 * Notes a run that has not finished. To be told before its results are read: a run that has finished by then has all of
 * them. Looks once per run and execution of the node, tries that once, and never rejects.
 *
 * @param finished statuses in lower case
 */
export async function noteIfUnfinished(
	client: Client,
	runId: string,
	finished: string[],
	{ looks, unfinished }: Notes,
): Promise<void> {
	const look = looks.get(runId) ?? statusNow(client, runId);
	looks.set(runId, look);
	const status = await look;
	if (status === undefined || endingOf({ status }, { finished, failed: [] })) return;
	unfinished.set(runId, client.clean(status));
}

/** @returns undefined where the service does not say; why, it will say again when asked for the results */
async function statusNow(client: Client, runId: string): Promise<string | undefined> {
	const call = { endpoint: endpoints.getRun, ids: { run_id: runId }, timeout: PATIENCE, maxWait: 0 };
	const reply = await client.attempt(call);
	return isFailure(reply) ? undefined : statusOf(reply.data[0]);
}
