import type { IDataObject } from 'n8n-workflow';
import { isProblem } from '../../transport/checked';
import { endpoints } from '../../transport/endpoints';
import type { Call } from '../../transport/failure';
import { readList } from '../../transport/pagination';
import { idempotencyKeyOptions, readIdempotencyKey } from '../fields/idempotencyKey';
import { readWorkflowId, workflowLocator } from '../fields/locators';
import { optionsField } from '../fields/options';
import { requestTimeoutOption } from '../fields/requestTimeout';
import { checkResourceId } from '../fields/resourceId';
import { readReturnResults, readWaitPlan, waitField, waitingOptions } from '../fields/waiting';
import type { ItemRun, Operation } from '../operation';
import { toOutput } from '../output';
import { statusOf } from '../waiting/runStatus';
import { waitForRun } from '../waiting/waitForRun';

/** Contract, section 4, operation 7; with waiting also operations 9 and 10. */
export const run: Operation = {
	option: {
		name: 'Run',
		value: 'run',
		action: 'Run workflow',
		description: 'Start a run of a Prospector workflow at once, once however often it is retried',
	},
	properties: [
		workflowLocator('The Prospector workflow to run'),
		waitField,
		optionsField(...idempotencyKeyOptions, ...waitingOptions, requestTimeoutOption),
	],
	async execute(itemRun) {
		const { context, client, itemIndex } = itemRun;
		const call: Call = {
			endpoint: endpoints.runWorkflow,
			ids: { workflow_id: readWorkflowId(context, itemIndex) },
		};
		// Read first: a run must not be started only to find that it cannot be waited for.
		const plan = readWaitPlan(context, itemIndex);
		const idempotencyKey = readIdempotencyKey(context, 'run', call, itemIndex);
		const extra = { idempotency_key: idempotencyKey ?? null };
		const started = await client.call({ ...call, idempotencyKey });
		if (plan === undefined) return [toOutput(started.data[0], started.requestId, extra)];

		const id = checkResourceId(started.data[0].id, 'id');
		if (isProblem(id)) {
			throw client.problem({
				message: `A run was started, but the service did not name it (request ${started.requestId})`,
				description:
					"It cannot be waited for. Turn off 'Wait for Completion' and look for it with Run › Get Many",
			});
		}
		const runId = id.value;
		const { run: finished, requestId } = await waitForRun({
			client,
			runId,
			plan,
			signal: context.getExecutionCancelSignal(),
			onLook: (seen) => context.logger.info(`Prospector run ${runId}: ${statusOf(seen)}`, { itemIndex }),
		});
		const origin = { ...extra, run_request_id: started.requestId };
		if (!readReturnResults(context, itemIndex)) return [toOutput(finished, requestId, origin)];
		return await resultsOf(itemRun, finished, { run_id: runId, ...origin });
	},
};

/** A finished run's results, each with the run it comes from and the request that started it. */
async function resultsOf({ client }: ItemRun, run: IDataObject, origin: { run_id: string }) {
	const call: Call = { endpoint: endpoints.listResults, ids: { run_id: origin.run_id } };
	const found = await readList(client, call, {});
	const extra = { run_status: statusOf(run), ...origin };
	return found.map(({ resource, requestId }) => toOutput(resource, requestId, extra));
}
