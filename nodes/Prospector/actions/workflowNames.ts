// Reads the names of Prospector workflows for results. Called by the operations that return results; reads each
// Prospector workflow once per execution, or again after a failure. Tests: test/unit/actions/router.test.ts.
import type { IDataObject } from 'n8n-workflow';
import { hashConnection } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { isFailure } from '../api/response';
import { nameOf, toUsableId } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { definedFields } from '../utils';
import type { ItemContext } from './operation';

type Name = Promise<string | undefined>;

const namesByOwner = new WeakMap<object, Map<string, Name>>();

/** @param owner an execution, or a call of the node; its names live as long */
function namesOf(owner: object): Map<string, Name> {
	const names = namesByOwner.get(owner) ?? new Map<string, Name>();
	namesByOwner.set(owner, names);
	return names;
}

/** Reads a name once per execution, so once in a loop too, and again in the next call of the node if that has failed. */
async function readName({ client, context, nodeCall }: ItemContext, workflowId: string): Name {
	// This object exists once per execution (n8n-behaviour.md#execution-identity).
	const ofExecution = namesOf(context.getContext('flow'));
	const ofCall = namesOf(nodeCall);
	const key = `${hashConnection(client.connection)} ${workflowId}`;
	const read = async () => {
		const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: workflowId } };
		// Short, because the results matter more than the name.
		const response = await client.tryRequest({ ...request, timeoutMs: 10_000, retryForMs: 30_000 });
		if (!isFailure(response)) return nameOf(response.data[0], workflowId);
		// It stays in `ofCall`, so that the same call does not read it again.
		ofExecution.delete(key);
		return undefined;
	};
	const known = ofCall.get(key) ?? ofExecution.get(key);
	const name = known ?? read();
	// Stored before it has been read, because other items may need it at the same time.
	ofCall.set(key, name);
	if (known === undefined) ofExecution.set(key, name);
	return await name;
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
