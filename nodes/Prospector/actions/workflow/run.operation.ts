import type { IDataObject } from 'n8n-workflow';
import { isProblem } from '../../transport/checked';
import { endpoints } from '../../transport/endpoints';
import type { Call } from '../../transport/failure';
import { readList } from '../../transport/pagination';
import type { Reply } from '../../transport/reply';
import { idempotencyKeyOptions, readIdempotencyKey } from '../fields/idempotencyKey';
import { readWorkflowId, workflowLocator } from '../fields/locators';
import { maxWaitForRunOption } from '../fields/maxWait';
import { optionsField } from '../fields/options';
import { checkResourceId } from '../../transport/resourceId';
import { readWaitPlan, waitField, waitingOptions } from '../fields/waiting';
import type { ItemRun, Operation } from '../operation';
import { toOutput } from '../output';
import { statusOf, type WaitPlan } from '../waiting/runStatus';
import { waitForRun } from '../waiting/waitForRun';

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
		optionsField(...idempotencyKeyOptions, ...waitingOptions, maxWaitForRunOption),
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
		const started = await client.call({ ...call, idempotencyKey });
		return plan === undefined
			? [toOutput(started.data[0], started.requestId, { idempotency_key: idempotencyKey ?? null })]
			: await follow(itemRun, started, plan, idempotencyKey);
	},
};

/** Waits for a run that was just started, and returns it or its results. */
async function follow(
	{ context, client, itemIndex, signal }: ItemRun,
	{ data, requestId: startRequestId }: Reply,
	plan: WaitPlan,
	idempotencyKey: string | undefined,
): Promise<IDataObject[]> {
	const id = checkResourceId(data[0].id, 'id');
	if (isProblem(id)) {
		throw client.problem({
			message: `A run was started, but the service did not name it (request ${startRequestId})`,
			description:
				"It cannot be waited for. Turn off 'Wait for Completion' and look for it with Run › Get Many",
		});
	}
	const startedRun = { id: id.value, idempotencyKey };
	const { run: finished, requestId } = await waitForRun({
		client,
		runId: id.value,
		startedRun,
		plan,
		signal,
		onLook: (seen) =>
			context.logger.info(`Prospector run ${id.value}: ${client.clean(statusOf(seen))}`, { itemIndex }),
	});
	const origin = { idempotency_key: idempotencyKey ?? null, run_request_id: startRequestId };
	if (!plan.returnResults) return [toOutput(finished, requestId, origin)];

	const call: Call = { endpoint: endpoints.listResults, ids: { run_id: id.value }, startedRun };
	const ofRun = { run_id: id.value, run_status: statusOf(finished), ...origin };
	const found = await readList(client, call, {}, (resource, page) => toOutput(resource, page, ofRun));
	if (found.length === 0) {
		context.addExecutionHints({
			message: `Run '${id.value}' ended as '${client.clean(statusOf(finished))}' without results, so nothing follows for it.`,
			type: 'info',
			location: 'outputPane',
		});
	}
	return found;
}
