import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { toOutput } from '../model/resource';
import { selectFields } from '../actions/selectFields';
import { statusOf } from '../model/runStatus';
import { hasValidId } from '../methods/listEntries';
import type { UserMessage } from '../messages/userMessage';
import type { Client } from '../transport/request/client';
import { CREDENTIAL } from '../parameters/credential/connection';
import { endpoints } from '../transport/request/endpoints';
import type { ApiRequest } from '../transport/failure/failure';
import { n8nClient } from '../transport/request/n8nClient';
import { paginate } from '../transport/request/pagination';
import { parseTimestamp } from '../transport/values';
import { addEvidence, NO_EVIDENCE } from './lists/listOrder';
import { isWantedStatus, readSettings, type TriggerSettings } from './settings';

/** What a test in the editor reads and shows at most. */
const MOST_WORKFLOWS = 5;
const MOST_PAGES = 20;
const MOST_RUNS = 5;
const MOST_ITEMS = 10;

interface Read {
	resource: IDataObject;
	requestId: string;
}

/** Somebody looks at the editor. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns a few recent items, as the trigger emits them, for a test in the editor. Stores nothing.
 *
 * @throws NodeOperationError when there is nothing to show, NodeApiError when a request fails
 */
export async function showPreview(context: IPollFunctions): Promise<IDataObject[]> {
	const settings = readSettings(context);
	const credential = await context.getCredentials(CREDENTIAL);
	const timeout = Math.min(settings.timeout, MAX_WAIT_MS);
	const client = n8nClient(context, credential, { timeout, maxWait: MAX_WAIT_MS });
	const items = await recentItems(client, settings);
	return items.map((item) => selectFields(item, settings.shape));
}

async function recentItems(client: Client, settings: TriggerSettings): Promise<IDataObject[]> {
	const isShown = ({ resource }: Read) => isWantedStatus(settings, statusOf(resource));
	const runs: Read[] = [];
	for (const id of await someWorkflows(client, settings)) {
		const call = { endpoint: endpoints.listRuns, ids: { workflow_id: id } };
		for (const run of await recent(client, call)) runs.push(run);
	}
	const shown = newestFirst(settings.event === 'newRun' ? runs : runs.filter(isShown));
	const items =
		settings.event === 'newResult'
			? await recentResults(client, shown)
			: shown.map((run) => asRun(run, settings));
	if (items.length > 0) return items.slice(0, MOST_ITEMS);
	throw client.problem(
		runs.length > 0 && shown.length === 0 ? noneOfThese(settings, runs) : nothingYet(settings),
	);
}

const nothingYet = ({ event }: TriggerSettings): UserMessage => ({
	message: `There is no ${event === 'newResult' ? 'result' : 'run'} to show yet`,
	description: 'Start a run and test again, or activate the workflow: it needs no test',
});

function noneOfThese({ runStatuses }: TriggerSettings, runs: Read[]): UserMessage {
	const quoted = (words: string[]) => [...new Set(words)].map((word) => `'${word}'`);
	const shown = `Your runs show ${quoted(runs.map(({ resource }) => statusOf(resource))).join(', ')}`;
	if (runStatuses.length > 0) {
		return {
			message: `No run has the status ${quoted(runStatuses).join(' or ')}`,
			description: `${shown}. Use such words in 'Run Statuses' under Options`,
		};
	}
	return {
		message: 'No run has failed yet',
		description: `${shown}. If one of these means that a run has failed, enter it in 'Run Statuses' under Options`,
	};
}

const asRun = ({ resource, requestId }: Read, { event }: TriggerSettings): IDataObject =>
	toOutput(resource, requestId, event === 'newRun' ? {} : { previous_status: null });

async function someWorkflows(client: Client, { workflowIds }: TriggerSettings): Promise<string[]> {
	if (workflowIds !== undefined) return workflowIds.slice(0, MOST_WORKFLOWS);
	const listed = await recent(client, { endpoint: endpoints.listWorkflows });
	return listed.map(({ resource }) => String(resource.id)).slice(0, MOST_WORKFLOWS);
}

async function recentResults(client: Client, runs: Read[]): Promise<IDataObject[]> {
	const found: Array<{ json: IDataObject; created: number }> = [];
	for (const { resource: run } of runs.slice(0, MOST_RUNS)) {
		const runId = String(run.id);
		const results = await recent(client, { endpoint: endpoints.listResults, ids: { run_id: runId } });
		for (const { resource, requestId } of results) {
			const ofRun = { run_id: runId, run_status: statusOf(run), workflow_id: run.workflow_id };
			found.push({ json: toOutput(resource, requestId, ofRun), created: createdOf(resource) });
		}
		if (found.length >= MOST_ITEMS) break;
	}
	return found.sort((a, b) => b.created - a.created).map(({ json }) => json);
}

async function recent(client: Client, call: ApiRequest): Promise<Read[]> {
	const found: Read[] = [];
	let evidence = NO_EVIDENCE;
	let read = 0;
	for await (const { resources, requestId } of paginate(client, call)) {
		for (const resource of resources.filter(hasValidId)) found.push({ resource, requestId });
		for (const { created_at: created } of resources)
			evidence = addEvidence(evidence, parseTimestamp(created));
		// In any other order, the newest may come last.
		const areNewest = evidence.newest && evidence.timestamps > 1 && found.length >= MOST_ITEMS;
		if (areNewest || ++read >= MOST_PAGES) break;
	}
	return newestFirst(found);
}

const newestFirst = (read: Read[]): Read[] =>
	[...read].sort((a, b) => createdOf(b.resource) - createdOf(a.resource));

const createdOf = ({ created_at: created }: IDataObject): number => parseTimestamp(created) ?? Infinity;
