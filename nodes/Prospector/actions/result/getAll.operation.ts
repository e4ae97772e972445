import { matchesStatus, statusOf } from '../../model/runStatus';
import { getManyOptions } from '../../parameters/getMany';
import { runLocator } from '../../parameters/locators';
import { simplifiedSelection } from '../../parameters/outputFields';
import { finishedStatusesForWarning } from '../../parameters/waiting';
import { quotable } from '../../transport/failure/redactSecrets';
import type { Client } from '../../transport/request/client';
import { endpoints } from '../../transport/request/endpoints';
import { isFailure } from '../../transport/request/response';
import { getMany } from '../getMany';
import { defineOperation, type ItemContext } from '../operation';

/** Contract, section 4, operation 10. */
export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many results of run',
		description: 'List what a run found: companies, each linked to a lead',
	},
	concurrent: true,
	parameters: {
		runId: runLocator('The run whose results to list'),
		list: getManyOptions,
		selection: simplifiedSelection,
		finishedStatuses: finishedStatusesForWarning,
	},
	async execute({ runId, list, finishedStatuses }, item) {
		// The first page of a list has warned already.
		if (finishedStatuses !== undefined && list.startCursor === undefined) {
			await warnIfUnfinished(item, runId, finishedStatuses);
		}
		return await getMany(item, { endpoint: endpoints.listResults, ids: { run_id: runId } }, list);
	},
});

/** The results matter more than the warning. */
const STATUS_CHECK_TIMEOUT_MS = 10_000;

/**
 * Adds an unfinished run to the hints. Call it before reading the results: a run that has finished by then has all of
 * them. Never rejects.
 */
async function warnIfUnfinished(
	{ client, hints, statusChecks }: ItemContext,
	runId: string,
	finished: string[],
): Promise<void> {
	const check = statusChecks.get(runId) ?? fetchStatus(client, runId);
	statusChecks.set(runId, check);
	const status = await check;
	if (status === undefined || matchesStatus(status, finished)) return;
	hints.unfinished.set(runId, quotable(status, client.connection.redact));
}

/** Returns undefined after a failure: the request for the results will meet it, too. */
async function fetchStatus(client: Client, runId: string): Promise<string | undefined> {
	const response = await client.safeRequest({
		endpoint: endpoints.getRun,
		ids: { run_id: runId },
		timeout: STATUS_CHECK_TIMEOUT_MS,
		maxWait: 0,
	});
	return isFailure(response) ? undefined : statusOf(response.data[0]);
}
