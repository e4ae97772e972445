// What Fetch Test Event shows in the editor. Called by `pollTrigger.ts`; reads no state, and changes none.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { NOT_READY_STATUSES } from '../api/failure/evidence';
import { ignoreStatuses } from '../api/failure/requestError';
import type { N8nCall } from '../messages/nodeErrors';
import { noRunWithStatusMessage, nothingToShowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { FieldSelector, hasValidId, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import { collectItems } from '../transport/request/pagination';
import { compareNewestFirst } from '../utils';
import { type ListItem, toListItem } from './list';
import {
	addWorkflowName,
	completeWorkflowNames,
	isWantedStatus,
	readTriggerSettings,
	runOutputFields,
	workflowOutputFields,
} from './settings';

/** Limits of a test in the editor, for which a person waits. */
const MAX_LISTS_READ = 5;
const MAX_ITEMS_PER_LIST = 50;
const MAX_ITEMS_SHOWN = 10;
const MAX_WAIT_MS = 10_000;

type WithExtraFields = { extraFields?: IDataObject };
type ListToRead = ApiRequest & WithExtraFields;
type PreviewItem = ListItem & WithExtraFields;

/** Returns the beginning of each list as the trigger emits it, for a test in the editor. @throws UserError, RequestError */
export async function readPreview(
	call: N8nCall<IPollFunctions>,
	dependencies: Dependencies,
): Promise<IDataObject[]> {
	const { context } = call;
	const settings = await readTriggerSettings(context, dependencies);
	const { event, returnsResults, returnsResultsTogether, runStatuses, fieldSelection, pageSize } = settings;
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	const requestSettings = { timeoutMs: MAX_WAIT_MS, retryForMs: MAX_WAIT_MS };
	const client = openClient(call, credential, requestSettings, dependencies);
	const collectItemsOfLists = async (lists: ListToRead[]) => {
		const foundItems: PreviewItem[] = [];
		for (const { extraFields, ...request } of lists.slice(0, MAX_LISTS_READ)) {
			const items = collectItems(client, request, { limit: MAX_ITEMS_PER_LIST, pageSize }, toListItem);
			const statuses = request.endpoint === endpoints.listResults ? NOT_READY_STATUSES : [];
			for (const item of (await ignoreStatuses(items, statuses)) ?? [])
				if (hasValidId(item.resource)) foundItems.push({ ...item, extraFields });
			// The trigger returns the results of one run together, and so does the test.
			if (returnsResultsTogether && extraFields?.run_id && foundItems.length > 0) break;
		}
		return foundItems.sort(compareNewestFirst);
	};

	const workflowLists = settings.workflowIds ? [] : [{ endpoint: endpoints.listWorkflows }];
	const workflows = await collectItemsOfLists(workflowLists);
	for (const { resource } of workflows) addWorkflowName(settings, resource);
	const workflowIds = settings.workflowIds ?? workflows.map(({ resource }) => String(resource.id));
	const runs = await collectItemsOfLists(
		workflowIds.map((id) => {
			const extraFields = workflowOutputFields(id);
			return { endpoint: endpoints.listRuns, ids: { workflow_id: id }, extraFields };
		}),
	);
	const matchingRuns = runs.filter(({ resource }) => isWantedStatus(settings, statusOf(resource)));
	const resultLists = matchingRuns.map((run) => {
		const runFields = { run_id: run.resource.id, run_status: statusOf(run.resource) };
		const extraFields = { ...runFields, ...run.extraFields };
		return { endpoint: endpoints.listResults, ids: { run_id: String(run.resource.id) }, extraFields };
	});
	const runItems = matchingRuns.map(({ extraFields, ...run }) => {
		const workflowId = String(extraFields?.workflow_id);
		return { ...run, extraFields: runOutputFields(settings, workflowId, statusOf(run.resource), null) };
	});
	const itemsToShow = returnsResults ? await collectItemsOfLists(resultLists) : runItems;
	if (itemsToShow.length > 0) {
		const items = itemsToShow
			.slice(0, MAX_ITEMS_SHOWN)
			.map(({ resource, requestId, extraFields }) => toOutputItem(resource, requestId, extraFields))
			.map(new FieldSelector(fieldSelection).select);
		const listedIds = new Set(workflows.map(({ resource }) => String(resource.id)));
		await completeWorkflowNames(client, settings, items, listedIds);
		return items;
	}
	if (runs.length === 0 || matchingRuns.length > 0)
		throw new UserError(nothingToShowMessage(returnsResults ? 'result' : 'run'));
	const statuses = runs.map(({ resource }) => statusOf(resource));
	const outcome = event === 'runFailed' ? 'failed' : 'finished';
	throw new UserError(noRunWithStatusMessage(runStatuses, statuses, outcome));
}
