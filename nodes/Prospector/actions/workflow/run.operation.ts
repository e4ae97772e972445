import { unnamedRunMessage } from '../../messages/runMessages';
import { UserError } from '../../messages/userMessage';
import { parseResourceId, toOutputItem } from '../../model/resource';
import { keyChoice } from '../../parameters/idempotencyKey';
import { workflowLocator } from '../../parameters/locators';
import { simplifiedSelection } from '../../parameters/outputFields';
import { saveRequestIdOption } from '../../parameters/requestSettings';
import { waitOptions } from '../../parameters/waiting';
import { endpoints } from '../../transport/request/endpoints';
import { defineOperation } from '../operation';
import { requestOnce } from '../requestIds';
import { waitAndFetchResults } from '../waitForRun';

/** Contract, section 4, operation 7; with waiting also operations 9 and 10. */
export const run = defineOperation({
	option: {
		name: 'Run',
		value: 'run',
		action: 'Run Prospector workflow',
		description:
			'Start a run of a Prospector workflow right away; a retry of the same execution starts no other',
	},
	parameters: {
		workflowId: workflowLocator('The Prospector workflow to run'),
		wait: waitOptions,
		selection: simplifiedSelection,
		keyChoice,
		saveRequestId: saveRequestIdOption,
	},
	async execute(values, item) {
		const { workflowId, wait } = values;
		const request = { endpoint: endpoints.runWorkflow, ids: { workflow_id: workflowId } };
		const { data, requestId, idempotencyKey } = await requestOnce(item, 'run', request, values);
		const keyField = { idempotency_key: idempotencyKey ?? null };
		if (wait === undefined) return [toOutputItem(data[0], requestId, keyField)];

		const parsed = parseResourceId(data[0].id);
		if (!('id' in parsed)) {
			throw new UserError(unnamedRunMessage(requestId), { redact: item.client.connection.redact });
		}
		const startedRun = { id: parsed.id, idempotencyKey };
		const extraFields = { ...keyField, run_request_id: requestId };
		return await waitAndFetchResults(item, { runId: parsed.id, startedRun, extraFields }, wait);
	},
});
