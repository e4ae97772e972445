import type { IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { endpoints } from '../transport/endpoints';
import { pages } from '../transport/pagination';
import { editorClient } from './editorClient';
import { learnFields } from './learnFields';

/** Enough workflows to see the fields they use, without reading a large workspace through. */
const MAX_WORKFLOWS = 200;

/** The fields that Create and Update offer, learned from the workspace's own Prospector workflows. */
export async function getWorkflowFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const client = await editorClient(this);
	const workflows: IDataObject[] = [];
	for await (const page of pages(client, { endpoint: endpoints.listWorkflows })) {
		workflows.push(...page.resources);
		if (workflows.length >= MAX_WORKFLOWS) break;
	}
	const isUpdate = this.getCurrentNodeParameter('operation') === 'update';
	return { fields: learnFields(workflows, isUpdate ? 'update' : 'create') };
}
