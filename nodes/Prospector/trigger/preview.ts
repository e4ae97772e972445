// What Fetch Test Event shows in the editor. Called by `pollTrigger.ts`; reads no state, and changes none.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../api/apiRequest';
import { endpoints } from '../api/endpoints';
import { NOT_READY_STATUSES } from '../api/failure/evidence';
import { ignoreStatuses } from '../api/failure/requestError';
import type { N8nCall } from '../messages/nodeErrors';
import { noRunWithStatusMessage, nothingToShowMessage } from '../messages/runMessages';
import { UserError, type UserMessage } from '../messages/userMessage';
import { hasValidId } from '../model/resource';
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
	type TriggerSettings,
	workflowOutputFields,
} from './settings';

/** Limits of a test in the editor, for which a person waits. */
const MAX_LISTS_READ = 5;
const MAX_ITEMS_READ = 50;
const MAX_ITEMS_SHOWN = 10;
const MAX_WAIT_MS = 10_000;

type FoundItem = ListItem & { extraFields: IDataObject };
type FoundRun = FoundItem & { workflowId: string; status: string };

/** Returns the beginning of each list as the trigger emits it, for a test in the editor. @throws UserError, RequestError */
export async function readPreview(
	call: N8nCall<IPollFunctions>,
	dependencies: Dependencies,
): Promise<IDataObject[]> {
	const { context } = call;
	const settings = await readTriggerSettings(context, dependencies);
	const { returnsResults, pageSize } = settings;
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	const requestSettings = { timeoutMs: MAX_WAIT_MS, retryForMs: MAX_WAIT_MS };
	const client = openClient(call, credential, requestSettings, dependencies);
	const readList = async (request: ApiRequest) => {
		const items = await collectItems(client, request, { limit: MAX_ITEMS_READ, pageSize }, toListItem);
		return items.filter(({ resource }) => hasValidId(resource));
	};

	const workflows = settings.workflowIds ? [] : await readList({ endpoint: endpoints.listWorkflows });
	for (const { resource } of workflows) addWorkflowName(settings, resource);
	const listedIds = workflows.sort(compareNewestFirst).map(({ resource }) => String(resource.id));
	const runs: FoundRun[] = [];
	for (const workflowId of (settings.workflowIds ?? listedIds).slice(0, MAX_LISTS_READ)) {
		for (const run of await readList({ endpoint: endpoints.listRuns, ids: { workflow_id: workflowId } })) {
			const status = statusOf(run.resource);
			const extraFields = runOutputFields(settings, workflowId, status, null);
			runs.push({ ...run, workflowId, status, extraFields });
		}
	}
	const matchingRuns = runs.sort(compareNewestFirst).filter(({ status }) => isWantedStatus(settings, status));
	const results: FoundItem[] = [];
	const runsToRead = returnsResults ? matchingRuns.slice(0, MAX_LISTS_READ) : [];
	for (const { resource, workflowId, status } of runsToRead) {
		const request = { endpoint: endpoints.listResults, ids: { run_id: String(resource.id) } };
		const extraFields = { run_id: resource.id, run_status: status, ...workflowOutputFields(workflowId) };
		for (const result of (await ignoreStatuses(readList(request), NOT_READY_STATUSES)) ?? [])
			results.push({ ...result, extraFields });
	}
	const found = returnsResults ? results.sort(compareNewestFirst) : matchingRuns;
	if (found.length === 0) throw new UserError(emptyPreviewMessage(settings, runs, matchingRuns));
	const items = found
		.slice(0, MAX_ITEMS_SHOWN)
		.map(({ resource, requestId, extraFields }) =>
			settings.selector.toItem(resource, requestId, extraFields),
		);
	await completeWorkflowNames(client, settings, items, new Set(listedIds));
	return items;
}

function emptyPreviewMessage(
	{ event, returnsResults, runStatuses }: TriggerSettings,
	runs: FoundRun[],
	{ length: matchCount }: FoundRun[],
): UserMessage {
	if (runs.length === 0 || matchCount > 0) return nothingToShowMessage(returnsResults ? 'result' : 'run');
	const statuses = runs.map(({ status }) => status);
	return noRunWithStatusMessage(runStatuses, statuses, event === 'runFailed' ? 'failed' : 'finished');
}
