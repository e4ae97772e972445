import {
	NodeApiError,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	type JsonObject,
} from 'n8n-workflow';
import { endpoints } from '../transport/request/endpoints';
import { paginate } from '../transport/request/pagination';
import { editorClient } from './editorClient';
import { disambiguateNames, hasValidId, workflowListEntry, type ListEntry } from './listEntries';

/** A list that is not searched on the service's side is read through, but not without end. */
const MAX_WORKFLOWS = 1000;

/**
 * All Prospector workflows, for a field that takes several of them.
 *
 * @throws NodeApiError when the list cannot be had
 */
export async function getWorkflows(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const client = await editorClient(this);
	const options: ListEntry[] = [];
	try {
		for await (const { resources } of paginate(client, { endpoint: endpoints.listWorkflows })) {
			for (const workflow of resources.filter(hasValidId)) options.push(workflowListEntry(workflow));
			if (options.length >= MAX_WORKFLOWS) break;
		}
	} catch (error) {
		throw new NodeApiError(this.getNode(), error as JsonObject);
	}
	return disambiguateNames(options).map(({ name, value }) => ({ name, value }));
}
