import type { IDataObject } from 'n8n-workflow';
import { toOutput } from '../actions/output';
import { statusOf } from '../actions/waiting/runStatus';
import { hasUsableId } from '../methods/pickable';
import type { Problem } from '../transport/checked';
import type { Client } from '../transport/client';
import { endpoints } from '../transport/endpoints';
import type { Call } from '../transport/failure';
import { pages } from '../transport/pagination';
import { noEvidence, observe } from './listOrder';
import { isWanted } from './seeRun';
import type { TriggerSettings } from './triggerSettings';
import { momentOf } from './walk';

/** What a test in the editor reads and shows at most. */
const MOST_WORKFLOWS = 5;
const MOST_PAGES = 20;
const MOST_RUNS = 5;
const MOST_ITEMS = 10;

interface Read {
	resource: IDataObject;
	requestId: string;
}

/**
 * A few recent items, as the trigger puts them out, for a test in the editor. Remembers nothing.
 *
 * @throws NodeOperationError when there is nothing to show, NodeApiError when the service refuses
 */
export async function preview(client: Client, settings: TriggerSettings): Promise<IDataObject[]> {
	const isShown = ({ resource }: Read) => isWanted(settings, statusOf(resource));
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

const THE_TRIGGER_WORKS = 'Once this n8n workflow is active, the trigger works without a test';

const nothingYet = ({ event }: TriggerSettings): Problem => ({
	message: `There is no ${event === 'newResult' ? 'result' : 'run'} yet to show as an example`,
	description: `Start a run in the prospecting workspace and test again, or activate this n8n workflow. ${THE_TRIGGER_WORKS}`,
});

function noneOfThese({ statuses }: TriggerSettings, runs: Read[]): Problem {
	const quoted = (words: string[]) => [...new Set(words)].map((word) => `'${word}'`).join(', ');
	return {
		message: `No run has one of the statuses ${quoted(statuses)} to show as an example`,
		description: `Runs have the status ${quoted(runs.map(({ resource }) => statusOf(resource)))} now. Use the words that your runs show under Options › Statuses. ${THE_TRIGGER_WORKS}`,
	};
}

const asRun = ({ resource, requestId }: Read, { event }: TriggerSettings): IDataObject =>
	toOutput(resource, requestId, event === 'runStatusChanged' ? { previous_status: null } : {});

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
			found.push({ json: toOutput(resource, requestId, ofRun), created: momentOf(resource.created_at) });
		}
		if (found.length >= MOST_ITEMS) break;
	}
	return found.sort((a, b) => b.created - a.created).map(({ json }) => json);
}

async function recent(client: Client, call: Call): Promise<Read[]> {
	const found: Read[] = [];
	const evidence = noEvidence();
	let read = 0;
	for await (const { resources, requestId } of pages(client, call)) {
		for (const resource of resources.filter(hasUsableId)) found.push({ resource, requestId });
		for (const { created_at: created } of resources) observe(evidence, momentOf(created));
		// In any other order, the newest may come last.
		const areNewest = evidence.newest && evidence.moments > 1 && found.length >= MOST_ITEMS;
		if (areNewest || ++read >= MOST_PAGES) break;
	}
	return newestFirst(found);
}

const newestFirst = (read: Read[]): Read[] =>
	[...read].sort((a, b) => momentOf(b.resource.created_at) - momentOf(a.resource.created_at));
