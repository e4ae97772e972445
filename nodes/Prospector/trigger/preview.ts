import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { noRunWithStatusMessage, nothingToShowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { hasValidId, selectFields, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import { type ListItem, toListItem } from '../transport/list/readList';
import { collectItems } from '../transport/request/pagination';
import {
	addPickedName,
	addWorkflowName,
	isWantedStatus,
	readTriggerSettings,
	returnsResults,
	returnsWholeRuns,
	workflowFields,
	type WorkflowNames,
} from './settings';

/** What a test in the editor reads and shows at most, and how long it takes: a person is waiting. */
const MAX_LISTS_READ = 5;
const MAX_ITEMS_PER_LIST = 50;
const MAX_ITEMS_SHOWN = 10;
const MAX_WAIT_MS = 10_000;

type Origin = { workflowId: string; extraFields?: IDataObject };
type ListToRead = ApiRequest & Origin;
type FoundItem = ListItem & Origin;

/** Returns the beginning of each list as the trigger emits it, for a test in the editor. @throws UserError, RequestError */
export async function showPreview(
	context: IPollFunctions,
	dependencies: Dependencies,
): Promise<IDataObject[]> {
	const settings = readTriggerSettings(context);
	const { event, runStatuses, fieldSelection, pageSize } = settings;
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	const requestSettings = { timeoutMs: MAX_WAIT_MS, retryForMs: MAX_WAIT_MS };
	const client = openClient(context, credential, requestSettings, dependencies);
	const readLists = async (lists: ListToRead[]) => {
		const foundItems: FoundItem[] = [];
		for (const { workflowId, extraFields, ...request } of lists.slice(0, MAX_LISTS_READ)) {
			const items = await collectItems(client, request, { limit: MAX_ITEMS_PER_LIST, pageSize }, toListItem);
			for (const item of items)
				if (hasValidId(item.resource)) foundItems.push({ ...item, workflowId, extraFields });
			// The results of one run are an example of what comes together.
			if (request.endpoint === endpoints.listResults && returnsWholeRuns(settings) && foundItems.length > 0)
				break;
		}
		return foundItems.sort((one, other) => (other.createdMs ?? 0) - (one.createdMs ?? 0));
	};

	const names: WorkflowNames = new Map();
	addPickedName(names, context);
	const workflowLists = settings.workflowIds ? [] : [{ endpoint: endpoints.listWorkflows, workflowId: '' }];
	const workflows = await readLists(workflowLists);
	for (const { resource } of workflows) addWorkflowName(names, resource);
	const workflowIds = settings.workflowIds ?? workflows.map(idOf);
	const extraFields = event === 'newRun' ? {} : { previous_status: null };
	const runs = await readLists(
		workflowIds.map((id) => {
			const ids = { workflow_id: id };
			return { endpoint: endpoints.listRuns, ids, workflowId: id, extraFields };
		}),
	);
	const matchingRuns = runs.filter(({ resource }) => isWantedStatus(settings, statusOf(resource)));
	const resultLists = matchingRuns.map(({ resource, workflowId }) => {
		const runFields = { run_id: resource.id, run_status: statusOf(resource) };
		const ids = { run_id: String(resource.id) };
		return { endpoint: endpoints.listResults, ids, workflowId, extraFields: runFields };
	});
	const areResultsShown = returnsResults(settings);
	const itemsToShow = areResultsShown ? await readLists(resultLists) : matchingRuns;
	if (itemsToShow.length > 0) {
		return itemsToShow
			.slice(0, MAX_ITEMS_SHOWN)
			.map(({ resource, requestId, workflowId, extraFields: fields }) => {
				const nameFields = workflowFields(names, workflowId, resource);
				return selectFields(toOutputItem(resource, requestId, { ...fields, ...nameFields }), fieldSelection);
			});
	}
	if (runs.length === 0 || matchingRuns.length > 0)
		throw new UserError(nothingToShowMessage(areResultsShown ? 'result' : 'run'));
	const statuses = [...new Set(runs.map(({ resource }) => statusOf(resource)))];
	throw new UserError(noRunWithStatusMessage(runStatuses, statuses, event === 'runFailed'));
}

const idOf = ({ resource }: FoundItem) => String(resource.id);
