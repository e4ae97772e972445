import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { noRunWithStatusMessage, nothingToShowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { hasValidId, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { openClient } from '../parameters/credential/connection';
import { selectFields } from '../parameters/outputFields';
import type { Dependencies } from '../transport/dependencies';
import type { ApiRequest } from '../transport/request/apiRequest';
import type { Client } from '../transport/request/client';
import { endpoints } from '../transport/request/endpoints';
import { CREDENTIAL } from '../transport/request/n8nClient';
import { paginate } from '../transport/request/pagination';
import { parseTimestamp } from '../utils';
import { addEvidence, NO_EVIDENCE } from './lists/readList';
import { isWantedStatus, readSettings, type TriggerSettings } from './settings';

/** What a test in the editor reads and shows at most. */
const MAX_WORKFLOWS = 5;
const MAX_PAGES = 20;
const MAX_RUNS = 5;
const MAX_ITEMS = 10;

interface Read {
	resource: IDataObject;
	requestId: string;
}

/** A person is waiting. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns a few recent items, as the trigger emits them, for a test in the editor. Stores nothing.
 *
 * @throws UserError when there is nothing to show, RequestError when a request fails
 */
export async function showPreview(
	context: IPollFunctions,
	dependencies: Dependencies,
): Promise<IDataObject[]> {
	const settings = readSettings(context);
	const credential = await context.getCredentials(CREDENTIAL);
	const timeout = Math.min(settings.requestTimeout, MAX_WAIT_MS);
	const client = openClient(context, credential, { timeout, maxWait: MAX_WAIT_MS }, dependencies);
	const items = await recentItems(client, settings);
	return items.map((item) => selectFields(item, settings.selection));
}

async function recentItems(client: Client, settings: TriggerSettings): Promise<IDataObject[]> {
	const isShown = ({ resource }: Read) => isWantedStatus(settings, statusOf(resource));
	const runs: Read[] = [];
	for (const id of await someWorkflows(client, settings)) {
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: id } };
		for (const run of await recent(client, request)) runs.push(run);
	}
	const shown = newestFirst(settings.event === 'newRun' ? runs : runs.filter(isShown));
	const items =
		settings.event === 'newResult'
			? await recentResults(client, shown)
			: shown.map((run) => asRun(run, settings));
	if (items.length > 0) return items.slice(0, MAX_ITEMS);
	const isFiltered = runs.length > 0 && shown.length === 0;
	const statuses = [...new Set(runs.map(({ resource }) => statusOf(resource)))];
	const message = isFiltered
		? noRunWithStatusMessage(settings.runStatuses, statuses)
		: nothingToShowMessage(settings.event === 'newResult' ? 'result' : 'run');
	throw new UserError(message, { redact: client.connection.redact });
}

const asRun = ({ resource, requestId }: Read, { event }: TriggerSettings): IDataObject =>
	toOutputItem(resource, requestId, event === 'newRun' ? {} : { previous_status: null });

async function someWorkflows(client: Client, { workflowIds }: TriggerSettings): Promise<string[]> {
	if (workflowIds !== undefined) return workflowIds.slice(0, MAX_WORKFLOWS);
	const listed = await recent(client, { endpoint: endpoints.listWorkflows });
	return listed.map(({ resource }) => String(resource.id)).slice(0, MAX_WORKFLOWS);
}

async function recentResults(client: Client, runs: Read[]): Promise<IDataObject[]> {
	const found: Array<{ json: IDataObject; created: number }> = [];
	for (const { resource: run } of runs.slice(0, MAX_RUNS)) {
		const runId = String(run.id);
		const results = await recent(client, { endpoint: endpoints.listResults, ids: { run_id: runId } });
		for (const { resource, requestId } of results) {
			const ofRun = { run_id: runId, run_status: statusOf(run), workflow_id: run.workflow_id };
			found.push({ json: toOutputItem(resource, requestId, ofRun), created: createdOf(resource) });
		}
		if (found.length >= MAX_ITEMS) break;
	}
	return found.sort((a, b) => b.created - a.created).map(({ json }) => json);
}

async function recent(client: Client, request: ApiRequest): Promise<Read[]> {
	const found: Read[] = [];
	let evidence = NO_EVIDENCE;
	let read = 0;
	for await (const { resources, requestId } of paginate(client, request)) {
		for (const resource of resources.filter(hasValidId)) found.push({ resource, requestId });
		for (const { created_at: created } of resources)
			evidence = addEvidence(evidence, parseTimestamp(created));
		// In any other order, the newest may come last.
		const areNewest = evidence.newest && evidence.timestamps > 1 && found.length >= MAX_ITEMS;
		if (areNewest || ++read >= MAX_PAGES) break;
	}
	return newestFirst(found);
}

const newestFirst = (read: Read[]): Read[] =>
	[...read].sort((a, b) => createdOf(b.resource) - createdOf(a.resource));

const createdOf = ({ created_at: created }: IDataObject): number => parseTimestamp(created) ?? Infinity;
