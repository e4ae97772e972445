import {
	NodeApiError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type JsonObject,
	type ResourceMapperFields,
} from 'n8n-workflow';
import { endpoints } from '../transport/request/endpoints';
import { paginate } from '../transport/request/pagination';
import { editorClient } from './editorClient';
import { inferWorkflowFields } from './learnFields';

/** Enough workflows to see the fields they use, without reading a large workspace through. */
const MAX_WORKFLOWS = 200;

/**
 * The fields that Create and Update offer, learned from the workspace's own Prospector workflows.
 *
 * @throws NodeApiError when nothing can be read, other than for a missing scope
 */
export async function getWorkflowFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const client = await editorClient(this);
	const workflows: IDataObject[] = [];
	try {
		for await (const page of paginate(client, { endpoint: endpoints.listWorkflows })) {
			for (const workflow of page.resources) workflows.push(workflow);
			if (workflows.length >= MAX_WORKFLOWS) break;
		}
	} catch (error) {
		// A key that may write but not read still gets the known fields, and a list that breaks off what it showed.
		const mayNotRead = (error as NodeApiError).httpCode === '403';
		if (!mayNotRead && workflows.length === 0) throw new NodeApiError(this.getNode(), error as JsonObject);
	}
	const isUpdate = this.getCurrentNodeParameter('operation') === 'update';
	return { fields: inferWorkflowFields(workflows, isUpdate ? 'update' : 'create') };
}
