import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { noRunWithStatusMessage, nothingToShowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { hasValidId, toOutputItem } from '../model/resource';
import { statusOf } from '../model/runStatus';
import { openClient } from '../openClient';
import { selectFields } from '../model/selectFields';
import type { Dependencies } from '../transport/dependencies';
import type { ApiRequest } from '../api/apiRequest';
import type { Client } from '../transport/request/client';
import { endpoints } from '../api/endpoints';
import { CREDENTIAL } from '../transport/request/n8nClient';
import { paginate } from '../transport/request/pagination';
import { parseTimestamp } from '../utils';
import { addEvidence, NO_EVIDENCE } from '../transport/list/listOrder';
import { isWantedStatus, readSettings } from './settings';

/** What a test in the editor reads and shows at most. */
const MAX_WORKFLOWS = 5;
const MAX_PAGES = 20;
const MAX_RUNS = 5;
const MAX_ITEMS = 10;

interface Found {
	resource: IDataObject;
	requestId: string;
	/** Milliseconds; Infinity without a valid timestamp. */
	created: number;
	/** What the trigger adds to the output item. */
	extraFields?: IDataObject;
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
	const { event, runStatuses, selection } = settings;
	const credential = await context.getCredentials(CREDENTIAL);
	const client = openClient(
		context,
		credential,
		{ timeout: MAX_WAIT_MS, retryFor: MAX_WAIT_MS },
		dependencies,
	);

	const workflowIds =
		settings.workflowIds ?? (await findRecent(client, { endpoint: endpoints.listWorkflows })).map(idOf);
	const runs: Found[] = [];
	for (const id of workflowIds.slice(0, MAX_WORKFLOWS)) {
		const request = { endpoint: endpoints.listRuns, ids: { workflow_id: id } };
		const extraFields = event === 'newRun' ? {} : { previous_status: null };
		for (const run of await findRecent(client, request, extraFields)) runs.push(run);
	}
	const wanted = runs.filter(({ resource }) => isWantedStatus(settings, statusOf(resource)));
	wanted.sort(newestFirst);
	const found = event === 'newResult' ? await findRecentResults(client, wanted) : wanted;
	if (found.length > 0) {
		return found
			.slice(0, MAX_ITEMS)
			.map((one) => toOutputItem(one.resource, one.requestId, one.extraFields))
			.map((item) => selectFields(item, selection));
	}
	const isFiltered = runs.length > 0 && wanted.length === 0;
	const statuses = [...new Set(runs.map(({ resource }) => statusOf(resource)))];
	const message = isFiltered
		? noRunWithStatusMessage(runStatuses, statuses)
		: nothingToShowMessage(event === 'newResult' ? 'result' : 'run');
	throw new UserError(message);
}

async function findRecentResults(client: Client, runs: Found[]): Promise<Found[]> {
	const found: Found[] = [];
	for (const run of runs.slice(0, MAX_RUNS)) {
		const request = { endpoint: endpoints.listResults, ids: { run_id: idOf(run) } };
		const { workflow_id } = run.resource;
		const extraFields = { run_id: idOf(run), run_status: statusOf(run.resource), workflow_id };
		for (const result of await findRecent(client, request, extraFields)) found.push(result);
		if (found.length >= MAX_ITEMS) break;
	}
	return found.sort(newestFirst);
}

async function findRecent(client: Client, request: ApiRequest, extraFields?: IDataObject): Promise<Found[]> {
	const found: Found[] = [];
	let evidence = NO_EVIDENCE;
	let pagesRead = 0;
	for await (const { resources, requestId } of paginate(client, request)) {
		for (const resource of resources) {
			const created = parseTimestamp(resource.created_at);
			evidence = addEvidence(evidence, created);
			if (!hasValidId(resource)) continue;
			found.push({ resource, requestId, created: created ?? Infinity, extraFields });
		}
		// In any other order, the newest may come last.
		const areNewest = evidence.newest && evidence.timestamps > 1 && found.length >= MAX_ITEMS;
		if (areNewest || ++pagesRead >= MAX_PAGES) break;
	}
	return found.sort(newestFirst);
}

const idOf = ({ resource }: Found) => String(resource.id);

const newestFirst = (a: Found, b: Found) => b.created - a.created;
