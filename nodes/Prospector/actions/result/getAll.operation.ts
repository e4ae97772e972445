import { isOtherId } from '../../model/resource';
import { runOutcome, statusOf } from '../../model/runStatus';
import { listFilters } from '../../parameters/listFilters';
import { getManyOptions } from '../../parameters/getManyOptions';
import { runLocator } from '../../parameters/locators';
import { RESULT_FIELDS_EXAMPLE, selectionWithSimplify } from '../../parameters/fieldSelection';
import type { Client } from '../../transport/request/client';
import { endpoints } from '../../api/endpoints';
import { isFailure } from '../../api/response';
import { getMany } from '../getMany';
import { defineOperation, type ItemContext } from '../operation';

/** Contract, section 4, operation 10. */
export const getManyResults = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many results',
		description: 'List the companies that a run found, each with its lead',
	},
	concurrent: true,
	parameters: {
		runId: runLocator('The run to list the results of'),
		list: getManyOptions,
		selection: selectionWithSimplify(RESULT_FIELDS_EXAMPLE),
		filters: listFilters,
	},
	async execute({ runId, list, filters }, item) {
		// The first page of a list has checked already.
		const status = list.startCursor === undefined ? await checkStatus(item, runId) : '';
		const request = { endpoint: endpoints.listResults, ids: { run_id: runId } };
		const runFields = { run_id: runId, ...(status !== '' && { run_status: status }) };
		return await getMany(item, request, list, filters, runFields);
	},
});

/** The results matter more than the hint. */
const STATUS_CHECK_TIMEOUT_MS = 10_000;

/** By client and run ID, so that items share the check of a run only if they also share the credential. */
const statusChecks = new WeakMap<Client, Map<string, Promise<string>>>();

/**
 * Adds an unfinished run to the hints. Call it before reading the results: a run that has finished by then has all of
 * them. Never rejects.
 *
 * @returns the status, or '' if it is unknown
 */
async function checkStatus({ client, hints }: ItemContext, runId: string): Promise<string> {
	const checks = statusChecks.get(client) ?? new Map<string, Promise<string>>();
	statusChecks.set(client, checks);
	const check = checks.get(runId) ?? fetchStatus(client, runId);
	checks.set(runId, check);
	const status = await check;
	if (status !== '' && runOutcome(status) === undefined) {
		hints.unfinished.set(runId, status);
	}
	return status;
}

/** Returns '' if the run has no status, or can't be read. */
async function fetchStatus(client: Client, runId: string): Promise<string> {
	const response = await client.safeRequest({
		endpoint: endpoints.getRun,
		ids: { run_id: runId },
		timeoutMs: STATUS_CHECK_TIMEOUT_MS,
		retryForMs: 0,
	});
	const isUnknown = isFailure(response) || isOtherId(response.data[0].id, runId);
	return isUnknown ? '' : statusOf(response.data[0]);
}
