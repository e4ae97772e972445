// Reads the names of Prospector workflows for results. Called by the operations that return results; reads each
// Prospector workflow once per execution, or again after a failure. Tests: test/unit/actions/router.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { hashConnection } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import type { Failure } from '../api/failure/failure';
import { type ApiResponse, isFailure } from '../api/response';
import { nameOf, toUsableId } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { definedFields } from '../utils';
import type { ItemContext } from './operation';

interface Reading {
	/** The call of the node that began it. */
	nodeCall: object;
	response: Promise<ApiResponse | Failure>;
}

/** By an object that exists once per execution (n8n-behaviour.md#execution-identity): a loop reads a name once. */
const readingsByExecution = new WeakMap<object, Map<string, Reading>>();

/** Reads a Prospector workflow, once per execution, and again in the next call of the node if that has failed. */
async function readWorkflow(itemContext: ItemContext, workflowId: string): Promise<ApiResponse | Failure> {
	const { client, context, nodeCall } = itemContext;
	const execution = context.getContext('flow');
	const readings = readingsByExecution.get(execution) ?? new Map<string, Reading>();
	readingsByExecution.set(execution, readings);
	const key = `${hashConnection(client.connection)} ${workflowId}`;
	const known = readings.get(key);
	// In the same call of the node, a failure is not read again either.
	if (known?.nodeCall === nodeCall) return await known.response;
	const read = async () => {
		const earlier = await known?.response;
		if (earlier !== undefined && !isFailure(earlier)) return earlier;
		return await client.tryRequest({
			endpoint: endpoints.getWorkflow,
			ids: { workflow_id: workflowId },
			// Short, because the results matter more than the name.
			timeoutMs: 10_000,
			retryForMs: 30_000,
		});
	};
	// Stored before it has ended, because other items may need it at the same time.
	const response = read();
	readings.set(key, { nodeCall, response });
	return await response;
}

/** Returns the known fields that each result gets from its run. The name is the one that the service says. */
export async function fieldsFromRun(itemContext: ItemContext, runId: string, run: IDataObject) {
	const workflowId = toUsableId(run.workflow_id);
	return definedFields({
		run_id: runId,
		run_status: statusOf(run) || undefined,
		workflow_id: run.workflow_id,
		workflow_name: workflowId && (await readName(itemContext, workflowId)),
	});
}

async function readName(itemContext: ItemContext, workflowId: string): Promise<string | undefined> {
	const response = await readWorkflow(itemContext, workflowId);
	return isFailure(response) ? undefined : nameOf(response.data[0], workflowId);
}
