import { isInvalid } from '../../messages/userMessage';
import { endpoints } from '../../transport/request/endpoints';
import type { ApiRequest } from '../../transport/failure/failure';
import { checkResourceId } from '../../model/resourceId';
import { idempotencyKeyOptions, readIdempotencyKey } from '../../parameters/idempotencyKey';
import { readWorkflowId, workflowLocator } from '../../parameters/locators';
import { maxWaitForRunOption } from '../fields/maxWait';
import { optionsField } from '../fields/options';
import { saveRequestIdOption } from '../fields/saveRequestId';
import { simplifyField } from '../../parameters/outputFields';
import { readWaitPlan, waitField, waitingOptions } from '../../parameters/waiting';
import type { Operation } from '../operation';
import { toOutput } from '../../model/resource';
import { requestAndSaveId } from '../tracing/tracedCall';
import { waitAndFetchResults } from '../run/waitAndFetchResults';

/** Contract, section 4, operation 7; with waiting also operations 9 and 10. */
export const run: Operation = {
	option: {
		name: 'Run',
		value: 'run',
		action: 'Run Prospector workflow',
		description:
			'Start a run of a Prospector workflow right away; a retry of the same execution starts no other',
	},
	properties: [
		workflowLocator('The Prospector workflow to run'),
		waitField,
		simplifyField,
		optionsField(...idempotencyKeyOptions, ...waitingOptions, maxWaitForRunOption, saveRequestIdOption),
	],
	async execute(itemRun) {
		const { context, client, itemIndex, notes } = itemRun;
		const call: ApiRequest = {
			endpoint: endpoints.runWorkflow,
			ids: { workflow_id: readWorkflowId(context, itemIndex) },
		};
		// Read first: a run must not be started only to find that it cannot be waited for.
		const plan = readWaitPlan(context, itemIndex);
		const idempotencyKey = readIdempotencyKey(context, 'run', call, itemIndex, notes);
		const { data, requestId } = await requestAndSaveId(itemRun, { ...call, idempotencyKey });
		const key = { idempotency_key: idempotencyKey ?? null };
		if (plan === undefined) return [toOutput(data[0], requestId, key)];

		const id = checkResourceId(data[0].id, 'id');
		if (isInvalid(id)) {
			throw client.problem({
				message: `A run was started, but the service did not name it (request ${requestId})`,
				description:
					"It cannot be waited for. Turn off 'Wait for Completion' and look for it with Run › Get Many",
			});
		}
		const startedRun = { id: id.value, idempotencyKey };
		const origin = { ...key, run_request_id: requestId };
		return await waitAndFetchResults(itemRun, { runId: id.value, startedRun, origin }, plan);
	},
};
