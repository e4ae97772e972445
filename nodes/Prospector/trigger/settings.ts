// The parameters of the trigger, and what they mean for its items. Read at each poll. More tests:
// test/workflow/trigger.test.ts, test/unit/trigger/preview.test.ts.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { endpoints } from '../api/endpoints';
import { isStatus } from '../api/failure/evidence';
import { isFailure } from '../api/response';
import { throwUserError } from '../messages/userMessage';
import { FieldSelector, nameOf, toUsableId } from '../model/resource';
import { matchesStatus, runOutcome } from '../model/runStatus';
import { pageSize } from '../parameters/getManyOptions';
import { parseId, workflowLocator } from '../parameters/locators';
import { RESULT_FIELDS_PLACEHOLDER, selectionWithSimplify } from '../parameters/fieldSelection';
import { field, option, type Parameter, readParameters } from '../parameters/parameter';
import { choice, integer, stringList, toggle } from '../parameters/parse';
import type { Dependencies } from '../transport/dependencies';
import type { Client } from '../transport/request/client';
import type { RequestBudget } from './budget';

const EVENT_CHOICE = choice([
	{ name: 'New Result', value: 'newResult', description: 'When a run has found a company' },
	{ name: 'New Run', value: 'newRun', description: 'When a run was started, in n8n or elsewhere' },
	{ name: 'Run Failed', value: 'runFailed', description: 'When a run has ended without success' },
	{ name: 'Run Finished', value: 'runFinished', description: 'When a run has finished, with its results' },
	{
		name: 'Run Status Changed',
		value: 'runStatusChanged',
		description: 'When a run is new or its status has changed',
	},
]);

const workflowId = workflowLocator('The Prospector workflow to watch');
const idList = stringList('wf_1a2b3c, wf_4d5e6f');
/** More than a workspace has. Bounds the work on the result of an expression. */
const MAX_WATCHED = 10_000;

/** IDs of the Prospector workflows to watch; undefined for all. */
const workflowIds: Parameter<string[] | undefined> = {
	fields: [
		{
			displayName: 'Watch',
			name: 'watch',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'All Prospector Workflows', value: 'all' },
				{ name: 'One Prospector Workflow', value: 'one' },
				{ name: 'Several Prospector Workflows', value: 'several' },
			],
			default: 'all',
			description:
				'Which Prospector workflows to watch. Each poll sends about one request per Prospector workflow.',
		},
		...(workflowId.fields ?? []).map((one) => ({ ...one, displayOptions: { show: { watch: ['one'] } } })),
		{
			displayName: 'Prospector Workflow Names or IDs',
			name: 'workflowIds',
			type: 'multiOptions',
			required: true,
			default: [],
			typeOptions: { loadOptionsMethod: 'getWorkflows' },
			displayOptions: { show: { watch: ['several'] } },
			description:
				'The Prospector workflows to watch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	],
	read(values) {
		const watch = values.getField('watch', 'all');
		if (watch === 'all') return undefined;
		if (watch !== 'several') return [workflowId.read(values)];
		const label = 'Prospector Workflow Names or IDs';
		const entered = values.getField('workflowIds', []);
		// Only text is split: an ID that was picked can contain a comma.
		const ids: unknown[] = Array.isArray(entered) ? entered : idList.parse(entered, label);
		if (ids.length === 0)
			throwUserError(`'${label}' is empty`, "Pick at least one, or choose 'All Prospector Workflows'");
		if (ids.length > MAX_WATCHED)
			throwUserError(`'${label}' has more than 10,000 IDs`, "Choose 'All Prospector Workflows'");
		return [...new Set(ids.map((id) => parseId(id, label)))];
	},
};

export const triggerParameters = {
	event: field(EVENT_CHOICE, {
		displayName: 'Trigger On',
		name: 'event',
		noDataExpression: true,
		default: 'newResult',
		builderHint: { propertyHint: 'newResult emits each lead, runFinished those of a run, the others runs' },
	}),
	workflowIds,
	fieldSelection: selectionWithSimplify(RESULT_FIELDS_PLACEHOLDER, false),
	includeExisting: option(toggle, {
		displayName: 'Include Existing',
		name: 'includeExisting',
		description:
			'Whether to also return what already exists when the n8n workflow is activated (published) for the first time',
	}),
	maxItems: option(integer(1, 10_000), {
		displayName: 'Max Items per Poll',
		name: 'maxItems',
		default: 1000,
		description: 'After this many items, a poll reads no further page. The next poll returns the rest.',
	}),
	maxRequests: option(integer(5, 1000), {
		displayName: 'Max Requests per Poll',
		name: 'maxRequests',
		default: 30,
		description:
			'Requests per poll, on average. To read a list to its end, a poll can send up to ten times as many, and the next polls send fewer. The next poll continues with what is most urgent.',
	}),
	pageSize,
	returnRun: option(toggle, {
		displayName: 'Return Run',
		name: 'returnRun',
		displayOptions: { show: { '/event': ['runFinished'] } },
		description: 'Whether to return the run instead of one item per result',
	}),
	/** Any status if empty. */
	runStatuses: option(stringList('completed, failed'), {
		displayName: 'Run Statuses',
		name: 'runStatuses',
		placeholder: 'e.g. completed, failed',
		displayOptions: { show: { '/event': ['newResult', 'runFailed', 'runFinished', 'runStatusChanged'] } },
		description:
			'Only runs with these statuses, separated by commas. With New Result, results are returned once their run has one of them. With Run Failed and Run Finished, they replace the built-in words for such a run.',
	}),
};

export type TriggerSettings = Awaited<ReturnType<typeof readTriggerSettings>>;

/** @param workflowNames as the service said them last, by ID; undefined for one without a name @throws UserError */
export async function readTriggerSettings(
	context: IPollFunctions,
	{ turns }: Pick<Dependencies, 'turns'>,
	workflowNames = new Map<string, string | undefined>(),
) {
	const getField = (name: string, fallback: unknown): unknown => context.getNodeParameter(name, fallback);
	const rawParameters = { getField, turns, input: {}, isTool: false };
	const parameters = await readParameters(triggerParameters, rawParameters);
	/** Whether the results of a run are returned together. */
	const returnsResultsTogether = parameters.event === 'runFinished' && !parameters.returnRun;
	/** Whether the items are results, not runs. */
	const returnsResults = parameters.event === 'newResult' || returnsResultsTogether;
	const selector = new FieldSelector(parameters.fieldSelection);
	return { ...parameters, returnsResults, returnsResultsTogether, selector, workflowNames };
}

const MAX_NAMES_KEPT = 10_000;

/** Keeps the name of a Prospector workflow, or that none is known. */
export function addWorkflowName({ workflowNames }: TriggerSettings, id: string, resource: IDataObject): void {
	const name = nameOf(resource, id) ?? workflowNames.get(id);
	if (workflowNames.size >= MAX_NAMES_KEPT) workflowNames.clear();
	workflowNames.set(id, name);
}

/** {@link completeWorkflowNames} adds the name. */
export const workflowOutputFields = (workflowId: string): IDataObject => ({
	workflow_id: workflowId,
	workflow_name: '',
});

/** Returns what the item of a run gets. @param previousStatus the last one seen; null if there was none */
export function runOutputFields(
	{ event, runStatuses }: TriggerSettings,
	workflowId: string,
	status: string,
	previousStatus: string | null,
): IDataObject {
	const addedStatuses = {
		finishedStatuses: event === 'runFinished' ? runStatuses : [],
		failedStatuses: event === 'runFailed' ? runStatuses : [],
	};
	return {
		...workflowOutputFields(workflowId),
		run_outcome: runOutcome(status, addedStatuses),
		...(event !== 'newRun' && { previous_status: previousStatus }),
	};
}

/** The items matter more than the names. */
const NAME_OPTIONS = { retryForMs: 0, timeoutMs: 5000 };
const MAX_FAILED_NAMES = 3;

/**
 * Adds the names of Prospector workflows to items: one request for each that is not in `listedIds`. A name that can't be
 * read is the last one known, or left out.
 */
export async function completeWorkflowNames(
	client: Client,
	settings: TriggerSettings,
	items: IDataObject[],
	listedIds: Set<string>,
	budget: RequestBudget,
): Promise<void> {
	const { workflowNames } = settings;
	const unnamedItems = items.filter(({ workflow_name: name }) => name === '');
	const ids = [...new Set(unnamedItems.map(({ workflow_id }) => workflow_id))].map(toUsableId);
	const idsToRead = ids.filter((id) => id !== undefined && !listedIds.has(id)) as string[];
	const namelessIds = idsToRead.filter((id) => !workflowNames.has(id));
	let failures = 0;
	// Those without any known name first. Only for them, a poll without an overdraft sends extra requests.
	for (const id of new Set([...namelessIds, ...idsToRead])) {
		if (workflowNames.has(id) ? !budget.mayBeginTask() : budget.isUsedUp()) break;
		const request = { endpoint: endpoints.getWorkflow, ids: { workflow_id: id }, ...NAME_OPTIONS };
		const response = await client.tryRequest(request);
		if (!isFailure(response)) addWorkflowName(settings, id, response.data[0]);
		else if (isStatus(response, 404)) addWorkflowName(settings, id, {});
		else if (++failures >= MAX_FAILED_NAMES || response.kind === 'throttled' || isStatus(response, 429))
			break;
	}
	for (const item of unnamedItems) {
		item.workflow_name = workflowNames.get(String(item.workflow_id));
		if (item.workflow_name === undefined) delete item.workflow_name;
	}
}

/** @param status absent for a run that was not read */
export function isWantedStatus({ event, runStatuses }: TriggerSettings, status = ''): boolean {
	if (event === 'newRun') return true;
	if (runStatuses.length > 0) return matchesStatus(status, runStatuses);
	const outcome = runOutcome(status);
	if (event === 'runFinished') return outcome === 'finished' || outcome === 'partial';
	return event !== 'runFailed' || outcome === 'failed';
}
