import type { INodePropertyOptions } from 'n8n-workflow';
import { hasValidId } from '../model/resource';
import { endpoints } from '../transport/request/endpoints';
import { paginate } from '../transport/request/pagination';
import type { Editor } from './editorMethod';
import { disambiguateNames, type ListEntry, workflowListEntry } from './listEntries';

/** n8n shows a list of options as a whole. */
const MAX_WORKFLOWS = 1000;

/** @throws RequestError */
export async function getWorkflows({ client }: Editor): Promise<INodePropertyOptions[]> {
	const entries: ListEntry[] = [];
	for await (const { resources } of paginate(client, { endpoint: endpoints.listWorkflows })) {
		for (const workflow of resources.filter(hasValidId)) entries.push(workflowListEntry(workflow));
		if (entries.length >= MAX_WORKFLOWS) break;
	}
	return disambiguateNames(entries).map(({ name, value }) => ({ name, value }));
}
